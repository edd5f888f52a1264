package io.github.snowflakeid.redis;

import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStoreContract;
import org.junit.jupiter.api.Nested;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The contract of segment stores, on a real server, standalone or named by the user, and as a cluster. */
class RedisSegmentStoreContractTests {

    private static final String KEY_PREFIX = "snowflake-contract:counter:";

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

    private abstract static class Contract extends SegmentStoreContract {

        private final LettuceConnectionFactory connections;

        Contract(ContractServer server) {
            connections = server.connections();
        }

        @Override
        protected void openEmptyStore() {
            Server.deleteKeys(connections, KEY_PREFIX);
        }

        @Override
        protected SegmentStore store() {
            return new RedisSegmentStore(connections, KEY_PREFIX);
        }

        @Override
        protected boolean repeatsWrites() {
            return true;
        }

        @Override
        protected void closeStore() {
            Server.deleteKeys(connections, KEY_PREFIX);
        }
    }
}
