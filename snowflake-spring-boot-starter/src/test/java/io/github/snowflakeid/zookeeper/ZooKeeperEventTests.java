package io.github.snowflakeid.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.zookeeper.Link.Fate;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.KillSession;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases in a real ZooKeeper during failures. */
@Tag("servers")
class ZooKeeperEventTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration SHORT_TTL = Duration.ofSeconds(1);

    /** How long callers wait for a renewal that is late. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String LAYOUT = "41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z";
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");
    private static final IdLayout OF_ONE_WORKER =
            IdLayout.builder().datacenterBits(0).workerBits(0).build();

    private static TestingServer server;
    private static int stores;

    private String root;
    private Clients clients;

    @BeforeAll
    static void start() throws Exception {
        server = Clients.sharedServer();
    }

    @BeforeEach
    void open() {
        root = "/events" + stores++;
        clients = new Clients(server.getConnectString());
    }

    @AfterEach
    void close() {
        clients.close();
    }

    private DocumentRegistry registry(CuratorFramework client) {
        return ZooKeeperDocuments.registry(client, root, "default");
    }

    private WorkerRegistry over(Link link, Duration longestCall) {
        CuratorFramework client = clients.open(Clients.builder(link.connectString()));
        return new BoundedRegistry(ZooKeeperDocuments.registry(client, root, "default"), longestCall);
    }

    private static Claim claim(int workerId, String owner) {
        return Claim.of(0, workerId, owner, "test, pid 1", Instant.EPOCH, SOME_TIME, LAYOUT);
    }

    private static SnowflakeIdGenerator generator(WorkerRegistry registry) {
        return SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    private static State state(SnowflakeIdGenerator generator) {
        return generator.lease().orElseThrow().state();
    }

    // Slow: waits for leases to expire.
    @Tag("full")
    @Test
    void killedProcessLosesItsWorkerIdAfterTwoTtlsAndNoIdIsIssuedTwice() {
        CuratorFramework killed = clients.open();
        SnowflakeIdGenerator abandoned = SnowflakeIdGenerator.builder()
                .layout(OF_ONE_WORKER)
                .lease(LeaseTerms.of(registry(killed)).withTtl(SHORT_TTL))
                .maxWait(PATIENCE)
                .build();
        long last = abandoned.nextId();
        killed.close();

        try (SnowflakeIdGenerator next = SnowflakeIdGenerator.builder()
                .layout(OF_ONE_WORKER)
                .lease(LeaseTerms.of(registry(clients.open())).withTtl(SHORT_TTL))
                .maxWait(PATIENCE)
                .build()) {
            assertThat(next.nextId()).isGreaterThan(last);
        }
        abandoned.close();
    }

    @Test
    void stopInOrderGivesTheWorkerIdBackAtOnce() {
        DocumentRegistry registry = registry(clients.open());
        generator(registry).close();

        assertThat(registry.read().entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.owner()).isNull());
    }

    // Slow: waits for clients to reconnect.
    @Tag("full")
    @Test
    void lostAnswerIsNotReportedAsRejected() throws Exception {
        try (Link link = new Link(server.getPort())) {
            WorkerRegistry registry = over(link, Duration.ofSeconds(5));
            Claim mine = claim(7, "a");
            Claim later = mine.until(SOME_TIME.plusSeconds(20));

            link.once(request -> request.writes("/0-7") ? Fate.LOSES_ITS_ANSWER : Fate.PASSES);
            assertThat(registry.acquire(null, mine, TTL)).isTrue();
            assertThat(registry.read().contains(mine)).isTrue();

            link.once(request -> request.writes("/0-7") ? Fate.IS_LOST : Fate.PASSES);
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> registry.renew(mine, later.reservedUntil(), TTL))
                    .withMessage("ZooKeeper at %s did not answer (CONNECTIONLOSS)".formatted(link.connectString()));
            await(() -> isReadable(registry));
            assertThat(registry.read().contains(mine)).isTrue();
            assertThat(registry.renew(mine, later.reservedUntil(), TTL)).isTrue();
        }
    }

    private static boolean isReadable(WorkerRegistry registry) {
        try {
            registry.read();
            return true;
        } catch (ConfigurationException | IllegalStateException e) {
            return false;
        }
    }

    // Slow: waits for clients to reconnect.
    @Tag("full")
    @Test
    void generatorKeepsItsWorkerIdIfAnswersAreLost() throws Exception {
        try (Link link = new Link(server.getPort())) {
            List<WorkerLease> changes = new CopyOnWriteArrayList<>();
            try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                    .lease(LeaseTerms.of(over(link, Duration.ofSeconds(5)))
                            .withTtl(SHORT_TTL.multipliedBy(2))
                            .withListener(changes::add))
                    .maxWait(PATIENCE)
                    .build()) {
                assertThat(generator.workerId().workerId()).isZero();
                link.once(request -> request.writes("/0-0") ? Fate.LOSES_ITS_ANSWER : Fate.PASSES);
                // The state that the failure is reported with depends on how long it took.
                await(() -> changes.stream()
                        .anyMatch(change -> change.state() == State.EXPIRING || change.state() == State.ENDED));
                await(() -> state(generator) == State.HELD);
                assertThat(generator.workerId().workerId()).isZero();
                assertThat(generator.nextId()).isPositive();
            }
            assertThat(changes).extracting(WorkerLease::state).doesNotContain(State.LOST);
            assertThat(registry(clients.open()).read().entries())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.owner()).isNull());
        }
    }

    // Slow: waits for leases to expire.
    @Tag("full")
    @Test
    void writeThatComesAfterATakeoverWritesNothing() throws Exception {
        try (Link link = new Link(server.getPort())) {
            WorkerRegistry frozen = over(link, Duration.ofSeconds(3));
            DocumentRegistry other = registry(clients.open());
            Claim mine = claim(7, "a");
            assertThat(frozen.acquire(null, mine, Duration.ofMillis(1))).isTrue();

            link.once(request -> request.writes("/0-7") ? Fate.IS_LATE : Fate.PASSES);
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> frozen.renew(mine, SOME_TIME.plusSeconds(20), TTL))
                    .withMessage("the registry did not answer within 3000 ms");
            link.awaitLate();
            assertThat(other.acquire(other.read().entryOf(mine), claim(7, "b"), TTL))
                    .isTrue();
            Entry taken = other.read().entryOf(mine);
            link.letGo();

            await(() -> isReadable(frozen));
            assertThat(frozen.read().entries()).containsExactly(taken);
        }
    }

    // Slow: waits until clients find the restarted server.
    @Tag("full")
    @Test
    void idsContinueWhileTheServerIsRestarted() throws Exception {
        List<WorkerLease> changes = new CopyOnWriteArrayList<>();
        boolean isShort;
        try (TestingServer restarted = Clients.server();
                Clients itsClients = new Clients(restarted.getConnectString());
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(registry(itsClients.open()))
                                .withTtl(Duration.ofSeconds(9))
                                .withListener(changes::add))
                        .build()) {
            long last = generator.nextId();
            restarted.stop();
            while (changes.stream().noneMatch(change -> change.state() == State.EXPIRING)) {
                long id = generator.nextId();
                assertThat(id).isGreaterThan(last);
                last = id;
            }
            Instant end = generator.lease().orElseThrow().fence();
            restarted.restart();
            await(() -> state(generator) == State.HELD);
            // On a slow machine, the lease may end before.
            isShort = generator.lease().orElseThrow().renewedAt().isBefore(end);
            assertThat(generator.nextId()).isGreaterThan(last);
            assertThat(registry(itsClients.open()).read().entries()).hasSize(1);
        }
        assertThat(changes)
                .extracting(WorkerLease::state)
                .filteredOn(state -> isShort || state != State.ENDED)
                .containsExactly(State.HELD, State.EXPIRING, State.HELD, State.CLOSED);
    }

    @Test
    void endOfTheSessionIsNoLossOfTheLease() throws Exception {
        CuratorFramework client = clients.open();
        List<WorkerLease> changes = new CopyOnWriteArrayList<>();
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry(client)).withTtl(SHORT_TTL).withListener(changes::add))
                .maxWait(PATIENCE)
                .build()) {
            long session = client.getZookeeperClient().getZooKeeper().getSessionId();
            Instant fence = generator.lease().orElseThrow().fence();
            KillSession.kill(client.getZookeeperClient().getZooKeeper());
            await(() -> generator.lease().orElseThrow().fence().isAfter(fence.plus(SHORT_TTL)));

            assertThat(client.getZookeeperClient().getZooKeeper().getSessionId())
                    .isNotEqualTo(session);
            assertThat(generator.workerId().workerId()).isZero();
            assertThat(generator.nextId()).isPositive();
        }
        assertThat(changes).extracting(WorkerLease::state).doesNotContain(State.LOST);
    }

    @Test
    void idsIncreaseAlthoughTheClockStepsBackBeforeARestart() {
        AtomicLong off = new AtomicLong();
        DocumentRegistry registry = registry(clients.open());
        long last;
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(OF_ONE_WORKER)
                .lease(LeaseTerms.of(registry))
                .clock(() -> Instant.now().plusMillis(off.get()))
                .build()) {
            last = generator.nextId();
            off.set(-500);
            assertThat(generator.nextId()).isGreaterThan(last);
            last = generator.nextId();
        }
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(OF_ONE_WORKER)
                .lease(LeaseTerms.of(registry))
                .clock(() -> Instant.now().plusMillis(off.get()))
                .build()) {
            assertThat(generator.nextId()).isGreaterThan(last);
        }
    }

    @Test
    void clockThatIsTooFarOffTheServersFailsStartup() {
        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(registry(clients.open())))
                        .clock(() -> Instant.now().minusSeconds(3600))
                        .build())
                .satisfies(rejected -> assertThat(rejected.reason()).isEqualTo(Reason.CLOCK_SKEW));
    }

    @Test
    void leasesTheFirstReleasedWorkerIdIfAllAreLeased() {
        DocumentRegistry registry = registry(clients.open());
        SnowflakeIdGenerator.Builder scarce =
                SnowflakeIdGenerator.builder().layout(OF_ONE_WORKER).lease(LeaseTerms.of(registry));
        try (SnowflakeIdGenerator only = scarce.build()) {
            assertThat(only.nextId()).isPositive();
            scarce.lease(LeaseTerms.of(registry).withAcquireTimeout(Duration.ofSeconds(1)));
            assertThatExceptionOfType(WorkerIdUnavailableException.class)
                    .isThrownBy(scarce::build)
                    .satisfies(rejected -> assertThat(rejected.reason()).isEqualTo(Reason.ALL_LEASED));
        }
        try (SnowflakeIdGenerator next = scarce.lease(LeaseTerms.of(registry)).build()) {
            assertThat(next.nextId()).isPositive();
        }
    }

    @Test
    void deletedZnodeMeansAnotherLease() throws Exception {
        CuratorFramework client = clients.open();
        List<WorkerLease> changes = new CopyOnWriteArrayList<>();
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry(client)).withTtl(SHORT_TTL).withListener(changes::add))
                .maxWait(PATIENCE)
                .build()) {
            client.delete().deletingChildrenIfNeeded().forPath(root);
            await(() -> changes.stream().anyMatch(change -> change.state() == State.LOST));
            await(() -> state(generator) == State.HELD);
            assertThat(generator.nextId()).isPositive();
        }
        assertThat(changes)
                .filteredOn(change -> change.state() == State.LOST)
                .extracting(WorkerLease::reason)
                .containsExactly("its entry was deleted");
    }

    // Slow: a cluster of three servers elects another leader.
    @Tag("full")
    @Test
    void leaderThatIsKilledUnderLoadLosesNoLease() throws Exception {
        List<WorkerLease> changes = new CopyOnWriteArrayList<>();
        List<SnowflakeIdGenerator> generators = new ArrayList<>();
        Set<Long> ids = new HashSet<>();
        try (TestingCluster cluster = new TestingCluster(3)) {
            cluster.start();
            try (Clients members = new Clients(cluster.getConnectString())) {
                for (int i = 0; i < 3; i++) {
                    generators.add(SnowflakeIdGenerator.builder()
                            .lease(LeaseTerms.of(registry(members.open()))
                                    .withTtl(Duration.ofSeconds(20))
                                    .withListener(changes::add))
                            .build());
                }
                WorkerRegistry registry = registry(members.open());
                assertThat(registry.read().entries()).hasSize(3);
                Set<Integer> nodes = new HashSet<>();
                generators.forEach(generator -> nodes.add(generator.workerId().workerId()));
                cluster.killServer(leader(cluster));
                int made = 0;
                Instant back = Instant.MAX;
                while (!areRenewedSince(back, generators)) {
                    for (SnowflakeIdGenerator generator : generators) {
                        ids.add(generator.nextId());
                        made++;
                    }
                    Thread.sleep(1);
                    back = back.equals(Instant.MAX) && isReadable(registry) ? Instant.now() : back;
                }
                assertThat(ids).hasSize(made);
                assertThat(generators)
                        .extracting(generator -> generator.workerId().workerId())
                        .containsExactlyInAnyOrderElementsOf(nodes);
                generators.forEach(SnowflakeIdGenerator::close);
                assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
            }
        }
        assertThat(changes).extracting(WorkerLease::state).doesNotContain(State.LOST);
    }

    private static boolean areRenewedSince(Instant then, List<SnowflakeIdGenerator> generators) {
        return generators.stream()
                .allMatch(
                        generator -> generator.lease().orElseThrow().renewedAt().isAfter(then));
    }

    private static InstanceSpec leader(TestingCluster cluster) throws IOException {
        for (InstanceSpec instance : cluster.getInstances()) {
            try (Socket socket = new Socket(instance.getHostname(), instance.getPort())) {
                socket.getOutputStream().write("srvr".getBytes(StandardCharsets.UTF_8));
                String answer =
                        new String(new DataInputStream(socket.getInputStream()).readAllBytes(), StandardCharsets.UTF_8);
                if (answer.contains("Mode: leader")) {
                    return instance;
                }
            }
        }
        throw new IllegalStateException("no leader");
    }
}
