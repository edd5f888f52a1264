package io.github.snowflakeid.consul;

import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpSettings;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/** Opens the registry of leases in Consul. */
record ConsulLeaseStore(ObjectProvider<SslBundles> bundles, SpringCloudConsul springCloud) implements LeaseStore {

    private static final String DEFAULT_URL = "http://localhost:8500";

    @Override
    public String name() {
        return "consul";
    }

    @Override
    public WorkerRegistry registry(LeaseSettings settings) {
        ConsulProperties properties = settings.store().properties(ConsulProperties.class);
        HttpSettings http = new HttpSettings("Consul", "{snowflake}.worker.consul", "url", DEFAULT_URL, bundles);
        String prefix = http.prefix(properties.prefix());
        // All settings of Spring Cloud Consul are used, or none.
        boolean isOfSpringCloud = springCloud.isPresent()
                && !StringUtils.hasText(properties.url())
                && !StringUtils.hasText(properties.token())
                && !StringUtils.hasText(properties.sslBundle());
        String url = StringUtils.hasText(properties.url()) ? properties.url() : DEFAULT_URL;
        HttpServers servers = isOfSpringCloud
                ? http.open(List.of(springCloud.url()), springCloud::tls, settings)
                : http.open(List.of(url), properties.sslBundle(), settings);
        ConsulDocuments documents = new ConsulDocuments(
                servers,
                isOfSpringCloud ? springCloud.token() : properties.token(),
                properties.datacenter(),
                settings.datacenterId().isPresent(),
                prefix,
                new AtomicBoolean(),
                System::nanoTime);
        return new DocumentRegistry(documents, prefix, settings.namespace());
    }
}
