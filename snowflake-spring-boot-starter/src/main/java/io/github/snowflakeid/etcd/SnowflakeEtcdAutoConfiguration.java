package io.github.snowflakeid.etcd;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.http.HttpSettings;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/**
 * Configures leases in etcd if {@code snowflake.worker.strategy} is {@code etcd}. They use the JSON gateway of etcd, so
 * no library is needed.
 *
 * @since 1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore("etcd")
@PropertyGroup(EtcdProperties.class)
public final class SnowflakeEtcdAutoConfiguration {

    SnowflakeEtcdAutoConfiguration() {}

    @Bean("snowflake.store.etcd")
    WorkerRegistryFactory snowflakeEtcdStore(ObjectProvider<SslBundles> bundles) {
        return settings -> registry(settings, bundles);
    }

    private static DocumentRegistry registry(LeaseSettings settings, ObjectProvider<SslBundles> bundles) {
        EtcdProperties properties = settings.store().properties(EtcdProperties.class);
        HttpSettings http =
                new HttpSettings("etcd", "{snowflake}.worker.etcd", "endpoints", "http://localhost:2379", bundles);
        String prefix = http.prefix(properties.prefix());
        EtcdDocuments documents = new EtcdDocuments(
                http.open(properties.endpoints(), properties.sslBundle(), settings),
                properties.username(),
                () -> http.secret(properties.password(), "password"),
                prefix,
                new AtomicReference<>(),
                System::nanoTime);
        return new DocumentRegistry(documents, prefix, settings.namespace());
    }
}
