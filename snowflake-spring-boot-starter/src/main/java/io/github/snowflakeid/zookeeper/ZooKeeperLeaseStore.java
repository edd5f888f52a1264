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

/** Leases in ZooKeeper. */
record ZooKeeperLeaseStore(ObjectProvider<CuratorFramework> clients, ListableBeanFactory beans) implements LeaseStore {

    private static final String DEDICATED_CLIENT = """
            Give leases a dedicated client:

            {snowflake}.worker.zookeeper.connect-string: localhost:2181""";

    @Override
    public Class<?> leaseProperties() {
        return ZooKeeperProperties.class;
    }

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
            throw Problem.invalid(e, """
                    {snowflake}.worker.zookeeper.connect-string: localhost:2181
                    {snowflake}.worker.zookeeper.root: /snowflake
                    {snowflake}.worker.lease.namespace: default""");
        }
    }

    private CuratorFramework client(LeaseSettings settings) {
        CuratorFramework client = clients.getIfUnique();
        if (client == null) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "Worker ids are leased in ZooKeeper, but no CuratorFramework bean is the only one or the primary one",
                    """
                    %s

                    or declare a bean that is the only one, or the primary one:

                    @Bean(initMethod = "start", destroyMethod = "close")
                    @Primary
                    CuratorFramework zooKeeper() {
                        return CuratorFrameworkFactory.newClient("localhost:2181", new ExponentialBackoffRetry(100, 3));
                    }

                    or do without a lease. %s""".formatted(DEDICATED_CLIENT, settings.howToSetWorkerId()));
        }
        settings.store().endBefore(client, CuratorFramework.class);
        if (client.getState() == CuratorFrameworkState.LATENT) {
            refuseStartedWithTheContext();
            client.start();
        }
        return client;
    }

    /** Spring Integration's bean would be started twice, and closed before beans are destroyed. */
    private void refuseStartedWithTheContext() {
        for (String name : beans.getBeanNamesForType(CuratorFramework.class, true, false)) {
            if (beans.isTypeMatch(BeanFactory.FACTORY_BEAN_PREFIX + name, Lifecycle.class)) {
                throw Problem.CLIENT_NOT_RUNNING.exception(
                        "CuratorFramework bean '%s' is started after the worker ID is leased, and closed before it is released"
                                .formatted(name),
                        DEDICATED_CLIENT);
            }
        }
    }
}
