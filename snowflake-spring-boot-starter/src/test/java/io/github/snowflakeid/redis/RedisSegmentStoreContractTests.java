package io.github.snowflakeid.redis;

import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The contract of segment stores, on a real server, standalone or named by the user, and as a cluster. */
class RedisSegmentStoreContractTests {

    private static final String KEY_PREFIX = "snowflake-contract:counter:";

    @Nested
    class Alone extends Contract {

        private static LettuceConnectionFactory connections;

        @BeforeAll
        static void connect() {
            connections = Server.namedOrShared();
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
            Server.deleteKeys(connections(), KEY_PREFIX);
        }

        @Override
        protected SegmentStore store() {
            return new RedisSegmentStore(connections(), KEY_PREFIX);
        }

        @Override
        protected boolean repeatsWrites() {
            return true;
        }

        @Override
        protected void closeStore() {
            Server.deleteKeys(connections(), KEY_PREFIX);
        }
    }
}
