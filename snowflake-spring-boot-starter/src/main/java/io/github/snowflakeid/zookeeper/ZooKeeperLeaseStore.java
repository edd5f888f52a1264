package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.StringUtils;

/** Opens the registry of leases in ZooKeeper. */
record ZooKeeperLeaseStore(ObjectProvider<CuratorFramework> clients) implements LeaseStore {

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public WorkerRegistry registry(LeaseSettings settings) {
        ZooKeeperProperties properties = settings.store().properties(ZooKeeperProperties.class);
        String root = properties.root();
        String servers = properties.connectString();
        check("root", root, ZooKeeperDocuments.DEFAULT_ROOT, PathUtils::validatePath);
        if (!StringUtils.hasText(servers)) {
            return ZooKeeperDocuments.registry(client(settings), root, settings.namespace());
        }
        check("connect-string", servers, "localhost:2181", ConnectStringParser::new);
        return ZooKeeperDocuments.registry(servers, root, settings.namespace());
    }

    private static void check(String property, String value, String example, Consumer<String> parser) {
        try {
            parser.accept(value);
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(
                    new IllegalArgumentException("'%s' (%s)".formatted(value, e.getMessage()), e),
                    "{snowflake}.worker.zookeeper." + property,
                    example);
        }
    }

    private CuratorFramework client(LeaseSettings settings) {
        CuratorFramework client = clients.getIfUnique();
        if (client == null) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "Worker IDs are leased in ZooKeeper, but there is no unique CuratorFramework bean: no bean is the only one or primary",
                    """
                    Give leases a dedicated client:

                    {snowflake}.worker.zookeeper.connect-string: localhost:2181

                    or declare a primary bean:

                    @Bean(initMethod = "start", destroyMethod = "close")
                    @Primary
                    CuratorFramework zooKeeper() {
                        return CuratorFrameworkFactory.newClient("localhost:2181", new ExponentialBackoffRetry(100, 3));
                    }""");
        }
        settings.store().endBefore(client, CuratorFramework.class);
        return client;
    }
}
