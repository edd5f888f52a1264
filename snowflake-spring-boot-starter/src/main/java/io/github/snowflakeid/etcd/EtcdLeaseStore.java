package io.github.snowflakeid.etcd;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpSettings;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

/** Opens the registry of leases in etcd. */
record EtcdLeaseStore(ObjectProvider<SslBundles> bundles) implements LeaseStore {

    private static final String ENDPOINTS = "{snowflake}.worker.etcd.endpoints: http://localhost:2379";

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public WorkerRegistry registry(LeaseSettings settings) {
        EtcdProperties properties = settings.store().properties(EtcdProperties.class);
        try {
            String prefix = HttpSettings.prefix(properties.prefix());
            HttpServers servers = new HttpSettings("etcd", "{snowflake}.worker.etcd", ENDPOINTS, bundles)
                    .open(properties.endpoints(), properties.sslBundle(), settings);
            EtcdSession session = new EtcdSession(servers, properties.username(), properties.password(), prefix);
            return new DocumentRegistry(EtcdDocuments.of(session), prefix, Namespaces.checked(settings.namespace()));
        } catch (IllegalArgumentException e) {
            throw String.valueOf(e.getMessage()).startsWith("prefix")
                    ? Problem.invalid(e, "{snowflake}.worker.etcd.prefix", "snowflake/")
                    : Problem.invalid(e, "{snowflake}.worker.etcd.endpoints", "http://localhost:2379");
        }
    }
}
