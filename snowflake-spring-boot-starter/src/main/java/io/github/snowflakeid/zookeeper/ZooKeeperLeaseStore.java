package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.StoreSettings;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.Lifecycle;

/** Leases in ZooKeeper. */
final class ZooKeeperLeaseStore implements LeaseStore {

    private static final String OWN_CLIENT = """
            Let leases have a client of their own:

            {snowflake}.worker.zookeeper.connect-string: localhost:2181""";

    private final ObjectProvider<CuratorFramework> clients;
    private final ListableBeanFactory beans;

    ZooKeeperLeaseStore(ObjectProvider<CuratorFramework> clients, ListableBeanFactory beans) {
        this.clients = clients;
        this.beans = beans;
    }

    @Override
    public Class<?> properties() {
        return ZooKeeperProperties.class;
    }

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public ZooKeeperWorkerRegistry open(StoreSettings settings) {
        ZooKeeperProperties properties = settings.properties("zookeeper", new ZooKeeperProperties());
        String connectString = properties.getConnectString();
        try {
            return connectString == null || connectString.isEmpty()
                    ? new ZooKeeperWorkerRegistry(client(settings), properties.getRoot(), settings.namespace())
                    : new ZooKeeperWorkerRegistry(connectString, properties.getRoot(), settings.namespace());
        } catch (IllegalArgumentException invalid) {
            throw Problem.invalid(invalid, """
                    {snowflake}.worker.zookeeper.connect-string: localhost:2181
                    {snowflake}.worker.zookeeper.root: /snowflake
                    {snowflake}.worker.lease.namespace: default""");
        }
    }

    private CuratorFramework client(StoreSettings settings) {
        CuratorFramework client = clients.getIfUnique();
        if (client == null) {
            throw noneToChoose(settings);
        }
        settings.endBefore(client, CuratorFramework.class);
        if (client.getState() == CuratorFrameworkState.LATENT) {
            refuseStartedWithTheContext();
            client.start();
        }
        return client;
    }

    /** As Spring Integration's: it would be started twice, and closed before beans are destroyed. */
    private void refuseStartedWithTheContext() {
        for (String name : beans.getBeanNamesForType(CuratorFramework.class, true, false)) {
            if (beans.isTypeMatch(BeanFactory.FACTORY_BEAN_PREFIX + name, Lifecycle.class)) {
                throw Problem.CLIENT_NOT_RUNNING.exception(
                        "CuratorFramework bean '%s' is started after the worker id is leased, and closed before it is given back"
                                .formatted(name),
                        OWN_CLIENT,
                        null);
            }
        }
    }

    private static ConfigurationException noneToChoose(StoreSettings settings) {
        return Problem.AMBIGUOUS_STORE.exception(
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
}
