package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import org.apache.shardingsphere.infra.algorithm.core.ShardingSphereAlgorithm;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that lets ShardingSphere use the {@link IdGenerator} beans through the key generator
 * {@code SNOWFLAKEID}.
 *
 * @since 1.0
 */
@AutoConfiguration(after = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(ShardingSphereAlgorithm.class)
@ConditionalOnBean(IdGenerator.class)
public final class SnowflakeShardingSphereAutoConfiguration {

    SnowflakeShardingSphereAutoConfiguration() {}

    @Bean("snowflake.shardingSphere")
    static GeneratorBridge snowflakeShardingSphere(ConfigurableListableBeanFactory beans) {
        return new GeneratorBridge(beans);
    }
}
