package io.github.snowflakeid.redis;

import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The contract of segment stores, on a real server, standalone and as a cluster. */
class RedisSegmentStoreContractTests {

    @Nested
    class Alone extends Contract {

        private static LettuceConnectionFactory connections;

        @BeforeAll
        static void connect() {
            connections = Server.shared().connections();
        }

        @AfterAll
        static void disconnect() {
            connections.destroy();
        }

        @Override
        LettuceConnectionFactory connections() {
            return connections;
        }
    }

    @Nested
    class AsCluster extends Contract {

        private static LettuceConnectionFactory connections;

        @BeforeAll
        static void connect() {
            RedisClusterConfiguration cluster = new RedisClusterConfiguration();
            cluster.clusterNode("localhost", Server.sharedCluster().port());
            connections = Server.started(new LettuceConnectionFactory(cluster));
        }

        @AfterAll
        static void disconnect() {
            connections.destroy();
        }

        @Override
        LettuceConnectionFactory connections() {
            return connections;
        }
    }

    private abstract static class Contract extends SegmentStoreContract {

        abstract LettuceConnectionFactory connections();

        @Override
        protected void openEmptyStore() {
            try (RedisConnection connection = connections().getConnection()) {
                connection.serverCommands().flushAll();
            }
        }

        @Override
        protected SegmentStore store() {
            return new RedisSegmentStore(connections(), RedisSegmentStore.DEFAULT_KEY_PREFIX);
        }

        @Override
        protected boolean repeatsWrites() {
            return true;
        }

        @Override
        protected void closeStore() {
            // Other tests use the server.
        }
    }
}
