package io.github.snowflakeid.consul;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract of registries on a real Consul. The system property {@code test.consul.url} names an agent that is
 * already running.
 */
@Tag("servers")
class ConsulContractTests extends WorkerRegistryContract {

    private static String url;

    /** The start of the keys of a test: the server may be the user's. */
    private String prefix;

    @BeforeAll
    static void start() {
        String named = System.getProperty("test.consul.url");
        url = named == null ? ConsulServer.shared().url() : named;
    }

    @Override
    protected void openEmptyStore() {
        prefix = "snowflake-contract-" + UUID.randomUUID() + "/";
    }

    @Override
    protected WorkerRegistry registry(String namespace) {
        return ConsulServer.registry(url, prefix, namespace, ConsulServer.USUAL_LIMIT);
    }

    @Override
    protected void closeStore() {}
}
