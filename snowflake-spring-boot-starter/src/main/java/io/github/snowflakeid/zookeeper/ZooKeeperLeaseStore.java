package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.Lifecycle;
import org.springframework.util.StringUtils;

/** Opens the registry of leases in ZooKeeper. */
record ZooKeeperLeaseStore(ObjectProvider<CuratorFramework> clients, ListableBeanFactory beans) implements LeaseStore {

    private static final String DEDICATED_CLIENT = """
            Give leases a dedicated client:

            {snowflake}.worker.zookeeper.connect-string: localhost:2181""";

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public ZooKeeperWorkerRegistry registry(LeaseSettings settings) {
        ZooKeeperProperties properties = settings.store().properties(ZooKeeperProperties.class);
        try {
            return StringUtils.hasLength(properties.connectString())
                    ? new ZooKeeperWorkerRegistry(properties.connectString(), properties.root(), settings.namespace())
                    : new ZooKeeperWorkerRegistry(client(settings), properties.root(), settings.namespace());
        } catch (IllegalArgumentException e) {
            boolean isRoot = String.valueOf(e.getMessage()).startsWith("root");
            throw isRoot
                    ? Problem.invalid(e, "{snowflake}.worker.zookeeper.root", ZooKeeperWorkerRegistry.DEFAULT_ROOT)
                    : Problem.invalid(e, "{snowflake}.worker.zookeeper.connect-string", "localhost:2181");
        }
    }

    private CuratorFramework client(LeaseSettings settings) {
        CuratorFramework client = clients.getIfUnique();
        if (client == null) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "Worker IDs are leased in ZooKeeper, but there is no unique CuratorFramework bean: no bean is the only one or primary",
                    """
                    %s

                    or declare a primary bean:

                    @Bean(initMethod = "start", destroyMethod = "close")
                    @Primary
                    CuratorFramework zooKeeper() {
                        return CuratorFrameworkFactory.newClient("localhost:2181", new ExponentialBackoffRetry(100, 3));
                    }""".formatted(DEDICATED_CLIENT));
        }
        settings.store().endBefore(client, CuratorFramework.class);
        if (client.getState() == CuratorFrameworkState.LATENT) {
            rejectStartedWithContext();
            client.start();
        }
        return client;
    }

    /**
     * Rejects a bean that is started with the context, such as Spring Integration's: it would be started twice and
     * closed too early.
     */
    private void rejectStartedWithContext() {
        for (String name : beans.getBeanNamesForType(CuratorFramework.class, true, false)) {
            if (beans.isTypeMatch(BeanFactory.FACTORY_BEAN_PREFIX + name, Lifecycle.class)) {
                throw Problem.CLIENT_NOT_RUNNING.exception(
                        "CuratorFramework bean '%s' cannot be used: it is started after the worker ID is leased and closed before the worker ID is released"
                                .formatted(name),
                        DEDICATED_CLIENT);
            }
        }
    }
}
