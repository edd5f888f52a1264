package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Configures leases in ZooKeeper if {@code snowflake.worker.strategy} is {@code zookeeper}. Leases use the
 * {@link CuratorFramework} bean, for example the one of Spring Cloud, or a dedicated client if
 * {@code snowflake.worker.zookeeper.connect-string} is set.
 *
 * <p>The application closes the bean after the worker IDs were released. The hint for reflection is needed because ZooKeeper's client creates its socket class by name.
 *
 * @since 0.1.0
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

    @Bean("snowflake.zookeeperLeaseStore")
    LeaseStore snowflakeZooKeeperStore(ObjectProvider<CuratorFramework> clients) {
        return new ZooKeeperLeaseStore(clients);
    }
}
