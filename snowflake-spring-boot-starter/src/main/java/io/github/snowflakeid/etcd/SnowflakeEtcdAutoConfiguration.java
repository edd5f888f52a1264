package io.github.snowflakeid.etcd;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/**
 * Configures leases in etcd if {@code snowflake.worker.strategy} is {@code etcd}. They use the JSON gateway of etcd, so
 * no library is needed.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore("etcd")
@PropertyGroup(EtcdProperties.class)
public final class SnowflakeEtcdAutoConfiguration {

    SnowflakeEtcdAutoConfiguration() {}

    @Bean("snowflake.etcdLeaseStore")
    LeaseStore snowflakeEtcdStore(ObjectProvider<SslBundles> bundles) {
        return new EtcdLeaseStore(bundles);
    }
}
