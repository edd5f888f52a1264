package io.github.snowflakeid.etcd;

import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpSettings;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

/** Opens the registry of leases in etcd. */
record EtcdLeaseStore(ObjectProvider<SslBundles> bundles) implements LeaseStore {

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public WorkerRegistry registry(LeaseSettings settings) {
        EtcdProperties properties = settings.store().properties(EtcdProperties.class);
        HttpSettings http =
                new HttpSettings("etcd", "{snowflake}.worker.etcd", "endpoints", "http://localhost:2379", bundles);
        String prefix = http.prefix(properties.prefix());
        HttpServers servers = http.open(properties.endpoints(), properties.sslBundle(), settings);
        EtcdDocuments documents = new EtcdDocuments(
                servers,
                properties.username(),
                properties.password(),
                prefix,
                new AtomicReference<>(),
                System::nanoTime);
        return new DocumentRegistry(documents, prefix, settings.namespace());
    }
}
