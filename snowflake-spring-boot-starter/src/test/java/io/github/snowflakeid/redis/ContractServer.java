package io.github.snowflakeid.redis;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Servers on which stores must keep their contract. Connections stay open until the JVM ends. */
enum ContractServer {
    /** Or the server that the user names. */
    ALONE {
        @Override
        LettuceConnectionFactory connect() {
            return Server.namedOrShared();
        }
    },

    CLUSTER {
        @Override
        LettuceConnectionFactory connect() {
            RedisClusterConfiguration cluster = new RedisClusterConfiguration();
            cluster.clusterNode("localhost", Server.sharedCluster().port());
            return Server.started(new LettuceConnectionFactory(cluster));
        }
    };

    private LettuceConnectionFactory connections;

    abstract LettuceConnectionFactory connect();

    synchronized LettuceConnectionFactory connections() {
        if (connections == null) {
            connections = connect();
        }
        return connections;
    }
}
