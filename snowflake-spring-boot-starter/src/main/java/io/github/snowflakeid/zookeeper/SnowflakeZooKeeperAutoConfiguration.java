package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.store.LeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Configures leases in ZooKeeper, where {@code snowflake.worker.strategy} is {@code zookeeper}. They use the {@link
 * CuratorFramework} bean, as that of Spring Cloud, or a client of their own if there is a
 * {@code snowflake.worker.zookeeper.connect-string}.
 *
 * <p>A bean that nobody has started is started. It is closed by whoever has made it, after worker ids were given back.
 */
@Configuration(proxyBeanMethods = false)
@ImportRuntimeHints(SnowflakeZooKeeperAutoConfiguration.Hints.class)
@ConditionalOnClass(CuratorFramework.class)
public final class SnowflakeZooKeeperAutoConfiguration {

    SnowflakeZooKeeperAutoConfiguration() {}

    @Bean("snowflake.zookeeperLeaseStore")
    LeaseStore snowflakeZooKeeperStore(ObjectProvider<CuratorFramework> clients, ListableBeanFactory beans) {
        return new ZooKeeperLeaseStore(clients, beans);
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
