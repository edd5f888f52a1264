package io.github.snowflakeid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/** Connections that stay open but never answer, while Redis accepts new ones. */
// Slow: waits until silent connections time out.
@Tag("full")
@Tag("servers")
class SilentConnectionTests {

    private static final Duration LIMIT = Duration.ofMillis(500);

    private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(30);

    private static Server alone;
    private static Server cluster;
    private static CuttingProxy toAlone;
    private static CuttingProxy toCluster;

    private enum Client {
        LETTUCE {
            @Override
            RedisConnectionFactory connections() {
                return new LettuceConnectionFactory(at(toAlone));
            }
        },
        LETTUCE_WITH_A_POOL {
            @Override
            RedisConnectionFactory connections() {
                GenericObjectPoolConfig<StatefulConnection<?, ?>> pool = new GenericObjectPoolConfig<>();
                pool.setMinIdle(8);
                return new LettuceConnectionFactory(
                        at(toAlone),
                        LettucePoolingClientConfiguration.builder()
                                .poolConfig(pool)
                                .build());
            }
        },
        LETTUCE_THAT_READS_FROM_REPLICAS {
            @Override
            RedisConnectionFactory connections() {
                return new LettuceConnectionFactory(
                        at(toAlone),
                        LettuceClientConfiguration.builder()
                                .readFrom(ReadFrom.REPLICA_PREFERRED)
                                .build());
            }
        },
        LETTUCE_WITH_A_LIST_OF_SERVERS {
            @Override
            RedisConnectionFactory connections() {
                return new LettuceConnectionFactory(
                        new RedisStaticMasterReplicaConfiguration("localhost", toAlone.port()));
            }
        },
        LETTUCE_ON_A_CLUSTER {
            @Override
            RedisConnectionFactory connections() {
                return new LettuceConnectionFactory(
                        new RedisClusterConfiguration(List.of("localhost:" + toCluster.port())));
            }
        },
        JEDIS {
            @Override
            RedisConnectionFactory connections() {
                return new JedisConnectionFactory(at(toAlone));
            }
        };

        abstract RedisConnectionFactory connections();

        static RedisStandaloneConfiguration at(CuttingProxy proxy) {
            return new RedisStandaloneConfiguration("localhost", proxy.port());
        }
    }

    @BeforeAll
    static void start() throws Exception {
        alone = Server.started();
        toAlone = new CuttingProxy(alone.port());
        int announced = ServerProcess.freePort();
        cluster = Server.started(
                "--cluster-enabled",
                "yes",
                "--cluster-announce-ip",
                "127.0.0.1",
                "--cluster-announce-port",
                String.valueOf(announced));
        cluster.becomeCluster();
        toCluster = new CuttingProxy(announced, cluster.port());
    }

    @AfterAll
    static void stop() throws Exception {
        toAlone.close();
        toCluster.close();
        alone.close();
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    void leasesContinueThroughNewConnections(Client client) throws Exception {
        RedisConnectionFactory connections = started(client.connections());
        try {
            WorkerRegistry registry = new BoundedRegistry(
                    new RedisWorkerRegistry(connections, "snowflake:", client.name(), Duration.ofMinutes(1)), LIMIT);
            useAsManyAsAPoolHas(connections);
            assertThat(isAnswered(registry::read)).isTrue();

            silence();

            assertThat(isAnswered(registry::read)).isTrue();
        } finally {
            ((DisposableBean) connections).destroy();
        }
    }

    @ParameterizedTest
    @EnumSource
    void countersContinueThroughNewConnections(Client client) throws Exception {
        RedisConnectionFactory connections = started(client.connections());
        try {
            SegmentStore store = new RedisSegmentStore(connections, "counter:", LIMIT);
            useAsManyAsAPoolHas(connections);
            assertThat(isAnswered(() -> store.read(client.name()))).isTrue();

            silence();

            assertThat(isAnswered(() -> store.read(client.name()))).isTrue();
        } finally {
            ((DisposableBean) connections).destroy();
        }
    }

    private static RedisConnectionFactory started(RedisConnectionFactory connections) throws Exception {
        ((InitializingBean) connections).afterPropertiesSet();
        ((Lifecycle) connections).start();
        return connections;
    }

    private static void useAsManyAsAPoolHas(RedisConnectionFactory connections) {
        List<RedisConnection> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(connections.getConnection());
            all.get(i).ping();
        }
        all.forEach(RedisConnection::close);
    }

    private static void silence() {
        toAlone.silence();
        toCluster.silence();
    }

    private static boolean isAnswered(Runnable call) throws InterruptedException {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < LONGEST_OUTAGE.toNanos()) {
            try {
                call.run();
                return true;
            } catch (IllegalStateException e) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        return false;
    }
}
