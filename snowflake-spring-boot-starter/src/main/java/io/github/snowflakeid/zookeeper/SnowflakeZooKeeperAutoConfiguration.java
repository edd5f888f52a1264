package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.util.StringUtils;

/**
 * Configures leases in ZooKeeper if {@code snowflake.worker.strategy} is {@code zookeeper}. Leases use the
 * {@link CuratorFramework} bean, for example the one of Spring Cloud, or a dedicated client if
 * {@code snowflake.worker.zookeeper.connect-string} is set.
 *
 * <p>The application closes the bean after the worker IDs were released. The hint for reflection is needed because
 * ZooKeeper's client creates its socket class by name.
 *
 * @since 1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(CuratorFramework.class)
@ConditionalOnStore(value = "zookeeper", library = "Apache Curator", dependency = """
        <dependency>
          <groupId>org.apache.curator</groupId>
          <artifactId>curator-framework</artifactId>
          <version>5.9.0</version>
        </dependency>""")
@PropertyGroup(ZooKeeperProperties.class)
@RegisterReflection(
        classNames = "org.apache.zookeeper.ClientCnxnSocketNIO",
        memberCategories = MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
public final class SnowflakeZooKeeperAutoConfiguration {

    SnowflakeZooKeeperAutoConfiguration() {}

    @Bean("snowflake.store.zookeeper")
    WorkerRegistryFactory snowflakeZooKeeperStore(ObjectProvider<CuratorFramework> clients) {
        return settings -> registry(settings, clients);
    }

    private static DocumentRegistry registry(LeaseSettings settings, ObjectProvider<CuratorFramework> clients) {
        ZooKeeperProperties properties = settings.store().properties(ZooKeeperProperties.class);
        String root = properties.root();
        String servers = properties.connectString();
        check("root", root, ZooKeeperDocuments.DEFAULT_ROOT, PathUtils::validatePath);
        if (!StringUtils.hasText(servers)) {
            return ZooKeeperDocuments.registry(client(settings, clients), root, settings.namespace());
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

    private static CuratorFramework client(LeaseSettings settings, ObjectProvider<CuratorFramework> clients) {
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
