package io.github.snowflakeid.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerLeaseExpiredException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.servers.ServerProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
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
        Set<Long> ids = new HashSet<>();
        int issued = 0;
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .maxWait(Duration.ofMillis(10))
                .lease(LeaseTerms.of(registry(Duration.ofMillis(500))).withTtl(Duration.ofSeconds(2)))
                .build()) {
            int workerId = generator.workerId().workerId();
            cluster.member(0).kill();
            cluster.member(1).kill();
            WorkerLeaseExpiredException expired = null;
            while (expired == null) {
                try {
                    ids.add(generator.nextId());
                    issued++;
                    ServerProcess.sleep(1);
                } catch (WorkerLeaseExpiredException e) {
                    expired = e;
                }
            }
            assertThat(expired).hasMessageContaining("etcd did not answer");

            cluster.startAll();
            await().until(() -> generator.lease().orElseThrow().state() == State.HELD);
            for (int i = 0; i < 1000; i++) {
                ids.add(generator.nextId());
            }
            assertThat(ids).hasSize(issued + 1000);
            assertThat(generator.workerId().workerId()).isEqualTo(workerId);
        }
    }
}
