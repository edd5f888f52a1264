package io.github.snowflakeid.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.servers.StoreChecks;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Outages of a real etcd with three members. */
// Slow: waits for elections.
@Tag("full")
@Tag("servers")
@Timeout(300)
class EtcdClusterTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private static EtcdCluster cluster;
    private static int tests;

    private String namespace;

    @BeforeAll
    static void start() {
        cluster = new EtcdCluster(3);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void name() {
        namespace = "test" + tests++;
    }

    private WorkerRegistry registry(Duration limit) {
        return EtcdCluster.registry(cluster.endpoints(), "snowflake/", namespace, limit);
    }

    private static Claim claim() {
        return Claim.of(0, 7, "a", "test, pid 1", Instant.EPOCH, SOME_TIME, "layout");
    }

    @Test
    void noCallFailsIfTheLeaderIsKilledOrFrozen() {
        WorkerRegistry registry = registry(EtcdCluster.USUAL_LIMIT);
        Claim held = claim();
        assertThat(registry.acquire(null, held, TTL)).isTrue();
        for (boolean isKilled : new boolean[] {true, false}) {
            int leader = cluster.leader();
            if (isKilled) {
                cluster.member(leader).kill();
            } else {
                cluster.member(leader).freeze();
            }
            for (int i = 0; i < 50; i++) {
                Instant until = held.reservedUntil().plusSeconds(1);
                assertThat(registry.renew(held, until, TTL)).isTrue();
                held = held.until(until);
            }
            cluster.startAll();
        }
        assertThat(registry.read().contains(held)).isTrue();
    }

    @Test
    void idsEndWithTheLeaseWithoutAQuorumAndResumeWithTheSameWorkerId() {
        StoreChecks.assertIdsEndAndResume(
                registry(Duration.ofMillis(500)),
                () -> {
                    cluster.member(0).kill();
                    cluster.member(1).kill();
                },
                cluster::startAll,
                "etcd did not answer");
    }
}
