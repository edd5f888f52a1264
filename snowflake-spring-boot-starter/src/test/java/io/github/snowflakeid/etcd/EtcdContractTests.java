package io.github.snowflakeid.etcd;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract of registries on a real etcd. The system property {@code test.etcd.endpoints} names an etcd that is
 * already running.
 */
@Tag("servers")
class EtcdContractTests extends WorkerRegistryContract {

    private static List<String> endpoints;

    /** The start of the keys of a test: the server may be the user's. */
    private String prefix;

    @BeforeAll
    static void start() {
        String named = System.getProperty("test.etcd.endpoints");
        endpoints = named == null ? EtcdCluster.shared().endpoints() : List.of(named.split(","));
    }

    @Override
    protected void openEmptyStore() {
        prefix = "snowflake-contract-" + UUID.randomUUID() + "/";
    }

    @Override
    protected WorkerRegistry registry(String namespace) {
        return EtcdCluster.registry(endpoints, prefix, namespace, EtcdCluster.USUAL_LIMIT);
    }

    @Override
    protected void closeStore() {}
}
