package io.github.snowflakeid.consul;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Configures leases in Consul if {@code snowflake.worker.strategy} is {@code consul}. They use Consul's HTTP API, so no
 * library is needed.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore("consul")
@PropertyGroup(ConsulProperties.class)
public final class SnowflakeConsulAutoConfiguration {

    SnowflakeConsulAutoConfiguration() {}

    @Bean("snowflake.consulLeaseStore")
    LeaseStore snowflakeConsulStore(ObjectProvider<SslBundles> bundles, Environment environment) {
        return new ConsulLeaseStore(bundles, new SpringCloudConsul(environment));
    }
}
