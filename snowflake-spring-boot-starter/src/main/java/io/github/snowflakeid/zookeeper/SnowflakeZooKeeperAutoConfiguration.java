package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.store.LeaseStore;
import io.github.snowflakeid.store.StoreException;
import io.github.snowflakeid.store.StoreSettings;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of leases in ZooKeeper, where {@code snowflake.worker.strategy} is {@code zookeeper}. They use the {@link
 * CuratorFramework} bean, as that of Spring Cloud, or a client of their own if there is a
 * {@code snowflake.worker.zookeeper.connect-string}.
 *
 * <p>A bean that nobody has started is started. It is closed by whoever has made it, after worker ids were given back.
 */
@AutoConfiguration(
        before = SnowflakeAutoConfiguration.class,
        afterName = "org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration")
@ConditionalOnClass(CuratorFramework.class)
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@ImportRuntimeHints(SnowflakeZooKeeperAutoConfiguration.Hints.class)
public final class SnowflakeZooKeeperAutoConfiguration {

    private static final String OWN_CLIENT = """
            Let leases have a client of their own:

            snowflake.worker.zookeeper.connect-string: localhost:2181""";

    SnowflakeZooKeeperAutoConfiguration() {}

    @Bean(LeaseStore.BEAN + "zookeeper")
    @Lazy
    LeaseStore snowflakeZooKeeperStore(ObjectProvider<CuratorFramework> clients, ListableBeanFactory beans) {
        return settings -> registry(settings, clients, beans);
    }

    private static ZooKeeperWorkerRegistry registry(
            StoreSettings settings, ObjectProvider<CuratorFramework> clients, ListableBeanFactory beans) {
        ZooKeeperProperties properties = settings.properties("zookeeper", ZooKeeperProperties::new);
        String connectString = properties.getConnectString();
        try {
            return connectString == null || connectString.isEmpty()
                    ? new ZooKeeperWorkerRegistry(
                            client(settings, clients, beans),
                            properties.getRoot(),
                            settings.namespace(),
                            settings.longestAnswer())
                    : new ZooKeeperWorkerRegistry(
                            connectString, properties.getRoot(), settings.namespace(), settings.longestAnswer());
        } catch (IllegalArgumentException invalid) {
            throw StoreException.invalid(invalid, """
                    snowflake.worker.zookeeper.connect-string: localhost:2181
                    snowflake.worker.zookeeper.root: /snowflake
                    snowflake.worker.lease.namespace: default""");
        }
    }

    private static CuratorFramework client(
            StoreSettings settings, ObjectProvider<CuratorFramework> clients, ListableBeanFactory beans) {
        CuratorFramework client = clients.getIfUnique();
        if (client == null) {
            throw noneToChoose(settings);
        }
        settings.endBefore(client, CuratorFramework.class);
        if (client.getState() == CuratorFrameworkState.LATENT) {
            refuseStartedWithTheContext(beans);
            client.start();
        }
        return client;
    }

    /** As Spring Integration's: it would be started twice, and closed before beans are destroyed. */
    private static void refuseStartedWithTheContext(ListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(CuratorFramework.class, true, false)) {
            if (beans.isTypeMatch(BeanFactory.FACTORY_BEAN_PREFIX + name, Lifecycle.class)) {
                throw new StoreException(
                        "CuratorFramework bean '%s' is started after the worker id is leased, and closed before it is given back"
                                .formatted(name),
                        OWN_CLIENT,
                        null);
            }
        }
    }

    private static StoreException noneToChoose(StoreSettings settings) {
        return new StoreException(
                "Worker ids are leased in ZooKeeper, but no CuratorFramework bean is the only one or the primary one",
                """
                %s

                or make a bean that is the only one, or the primary one:

                @Bean(initMethod = "start", destroyMethod = "close")
                @Primary
                CuratorFramework zooKeeper() {
                    return CuratorFrameworkFactory.newClient("localhost:2181", new ExponentialBackoffRetry(100, 3));
                }

                or do without a lease. %s""".formatted(OWN_CLIENT, settings.howToSetWorkerId()),
                null);
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(ZooKeeperProperties.class).registerHints(hints);
            // The client makes it by its name.
            hints.reflection()
                    .registerTypeIfPresent(
                            classLoader,
                            "org.apache.zookeeper.ClientCnxnSocketNIO",
                            MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
        }
    }
}
