package io.github.snowflakeid.redis;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The contract of registries, on a real server, standalone or named by the user, and as a cluster. */
class RedisWorkerRegistryContractTests {

    private static final String KEY_PREFIX = "snowflake-contract:lease:";

    /** The contract reserves time up to this far ahead. */
    private static final Duration FURTHEST = Duration.ofDays(10_000 * 366L);

    @Nested
    class Alone extends Contract {
        Alone() {
            super(ContractServer.ALONE);
        }
    }

    @Nested
    class AsCluster extends Contract {
        AsCluster() {
            super(ContractServer.CLUSTER);
        }
    }

    private abstract static class Contract extends WorkerRegistryContract {

        private final LettuceConnectionFactory connections;

        Contract(ContractServer server) {
            connections = server.connections();
        }

        @Override
        protected void openEmptyStore() {
            Server.deleteKeys(connections, KEY_PREFIX);
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            return new RedisWorkerRegistry(connections, KEY_PREFIX, namespace, FURTHEST).assumingNewNamespace();
        }

        @Override
        protected void closeStore() {
            Server.deleteKeys(connections, KEY_PREFIX);
        }
    }
}
