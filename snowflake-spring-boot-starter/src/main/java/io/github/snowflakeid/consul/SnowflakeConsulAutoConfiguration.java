package io.github.snowflakeid.consul;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.http.HttpSettings;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Configures leases in Consul if {@code snowflake.worker.strategy} is {@code consul}. They use Consul's HTTP API, so no
 * library is needed.
 *
 * @since 1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore("consul")
@PropertyGroup(ConsulProperties.class)
public final class SnowflakeConsulAutoConfiguration {

    private static final String DEFAULT_URL = "http://localhost:8500";

    SnowflakeConsulAutoConfiguration() {}

    @Bean("snowflake.store.consul")
    WorkerRegistryFactory snowflakeConsulStore(ObjectProvider<SslBundles> bundles, Environment environment) {
        return settings -> registry(settings, bundles, new SpringCloudConsul(environment));
    }

    static DocumentRegistry registry(
            LeaseSettings settings, ObjectProvider<SslBundles> bundles, SpringCloudConsul springCloud) {
        ConsulProperties properties = settings.store().properties(ConsulProperties.class);
        HttpSettings http = new HttpSettings("Consul", "{snowflake}.worker.consul", "url", DEFAULT_URL, bundles);
        String prefix = http.prefix(properties.prefix());
        // All settings of Spring Cloud Consul are used, or none.
        boolean isOfSpringCloud = springCloud.isPresent()
                && !StringUtils.hasText(properties.url())
                && !StringUtils.hasText(properties.token())
                && !StringUtils.hasText(properties.sslBundle());
        String url = StringUtils.hasText(properties.url()) ? properties.url() : DEFAULT_URL;
        ConsulDocuments documents = new ConsulDocuments(
                isOfSpringCloud
                        ? http.open(List.of(springCloud.url()), springCloud::tls, settings)
                        : http.open(List.of(url), properties.sslBundle(), settings),
                () -> http.secret(isOfSpringCloud ? springCloud.token() : properties.token(), "token"),
                properties.datacenter(),
                settings.datacenterId().isPresent(),
                prefix,
                new AtomicBoolean(),
                System::nanoTime);
        return new DocumentRegistry(documents, prefix, settings.namespace());
    }
}
