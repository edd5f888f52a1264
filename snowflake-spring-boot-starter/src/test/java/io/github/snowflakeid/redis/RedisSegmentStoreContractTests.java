package io.github.snowflakeid.redis;

import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What every store of counters keeps, kept by a real server, alone and as a cluster. */
class RedisSegmentStoreContractTests {

    @Nested
    class Alone extends Contract {

        private static Server server;
        private static LettuceConnectionFactory connections;

        @BeforeAll
        static void start() {
            server = Server.started();
            connections = server.connections();
        }

        @AfterAll
        static void stop() {
            connections.destroy();
            server.close();
        }

        @Override
        LettuceConnectionFactory connections() {
            return connections;
        }
    }

    @Nested
    class AsCluster extends Contract {

        private static Server server;
        private static LettuceConnectionFactory connections;

        @BeforeAll
        static void start() {
            server = Server.started("--cluster-enabled", "yes");
            server.becomeCluster();
            RedisClusterConfiguration cluster = new RedisClusterConfiguration();
            cluster.clusterNode("localhost", server.port());
            connections = Server.started(new LettuceConnectionFactory(cluster));
        }

        @AfterAll
        static void stop() {
            connections.destroy();
            server.close();
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
            // Others use it.
        }
    }
}
