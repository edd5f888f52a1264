package io.github.snowflakeid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerLeaseExpiredException;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

@Tag("servers")
@ExtendWith(OutputCaptureExtension.class)
class RedisWorkerRegistryTests {

    private static final Duration TTL = Duration.ofSeconds(1);
    private static final Duration FURTHEST = Duration.ofMillis(1_500);

    /** A claim at a floor is accepted for this long, so tests may be late. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    /** For tests that wait until the floor. */
    private static final Duration SHORT_MARGIN = Duration.ofSeconds(1);

    private static final String LAYOUT = "some layout";

    /** Not the shared server, because these tests configure, kill and restart it. */
    private Server server = Server.started();

    private LettuceConnectionFactory connections;
    private RedisWorkerRegistry registry;

    @BeforeEach
    void connect() {
        connections = server.connections();
        registry = registry();
    }

    @AfterEach
    void stop() {
        connections.destroy();
        server.close();
    }

    private RedisWorkerRegistry registry() {
        return new RedisWorkerRegistry(connections, "snowflake:", "shop", FURTHEST, MARGIN, false);
    }

    private void restart(String... settings) {
        connections.destroy();
        server.close();
        server = Server.started(settings);
        connections = server.connections();
        registry = registry();
    }

    private static Claim claim(int workerId, Instant from, Instant until) {
        return Claim.of(0, workerId, "owner " + workerId, "test", from, until, LAYOUT);
    }

    /** An empty range at the floor, like a claim if the floor is in the future. */
    private static Claim atFloor(int workerId, Snapshot seen) {
        return claim(workerId, seen.floor(), seen.floor());
    }

    private void execute(String command, String... arguments) {
        try (RedisConnection connection = connections.getConnection()) {
            byte[][] bytes = new byte[arguments.length][];
            for (int i = 0; i < arguments.length; i++) {
                bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
            }
            connection.execute(command, bytes);
        }
    }

    // ---- lost data

    @Test
    void newNamespaceBeginsBehindAllThatMayBeForgotten() {
        Snapshot seen = registry.read();
        assertThat(seen.floor())
                .isEqualTo(seen.now().plus(FURTHEST).plus(MARGIN).plus(MARGIN));

        assertThat(registry.acquire(null, claim(1, seen.now(), seen.now()), TTL))
                .isFalse();
        assertThat(registry.read().entries()).isEmpty();
        assertThat(registry.acquire(null, atFloor(1, seen), TTL)).isTrue();

        Snapshot marked = registry().read();
        assertThat(marked.floor()).isBetween(seen.now().plus(FURTHEST).plus(MARGIN), seen.floor());
        assertThat(registry.acquire(null, claim(2, marked.floor().minusMillis(1), marked.floor()), TTL))
                .isFalse();
        assertThat(registry.acquire(null, atFloor(2, marked), TTL)).isTrue();
    }

    @Test
    void namespaceThatIsDeclaredNewBeginsAtOnceButIsNewOnlyOnce() {
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        assertThat(ofNew.read().floor()).isEqualTo(Instant.EPOCH);
        Instant now = ofNew.read().now();
        assertThat(ofNew.acquire(null, claim(1, Instant.EPOCH, now.plus(TTL)), TTL))
                .isTrue();
        assertThat(registry().read().floor()).isEqualTo(Instant.EPOCH);

        execute("FLUSHALL");

        assertThat(ofNew.read().floor()).isAfter(now.plus(FURTHEST));
    }

    @Test
    void claimThatWasReadBeforeTheDataWereLostIsRejected() {
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        assertThat(ofNew.acquire(null, claim(1, Instant.EPOCH, now.plus(TTL)), TTL))
                .isTrue();
        Snapshot seen = registry.read();

        execute("FLUSHALL");

        assertThat(registry.acquire(null, claim(2, seen.floor(), seen.now().plus(TTL)), TTL))
                .isFalse();
        assertThat(registry.read().entries()).isEmpty();
    }

    @Test
    void serverThatWasKilledWithoutItsDataStartsAnew() {
        Snapshot seen = registry.read();
        Claim mine = atFloor(1, seen);
        registry.acquire(null, mine, TTL);

        server.kill();
        server.start();

        assertThat(registry.renew(mine, seen.floor().plusMillis(1), TTL)).isFalse();
        Snapshot after = registry.read();
        assertThat(after.entries()).isEmpty();
        assertThat(after.floor()).isAfter(seen.floor());
    }

    @Test
    void restartedServerMayHaveLostTheLastWritesSoNewLeasesBeginLater() {
        restart("--appendonly", "yes", "--appendfsync", "always");
        Duration hour = Duration.ofHours(1);
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        Claim mine = claim(1, Instant.EPOCH, now.plus(TTL));
        assertThat(ofNew.acquire(null, mine, hour)).isTrue();

        server.kill();
        server.start();

        Snapshot seen = registry().read();
        assertThat(seen.entries()).hasSize(1);
        assertThat(seen.floor()).isAfter(seen.now().plus(FURTHEST));
        assertThat(registry.acquire(null, claim(2, seen.now(), seen.now()), TTL))
                .as("a new lease that begins now")
                .isFalse();
        Claim renewed = mine.until(seen.now().plus(TTL));
        assertThat(registry.renew(mine, renewed.reservedUntil(), hour))
                .as("who holds a lease and finds it as it was goes on")
                .isTrue();
        assertThat(registry.read().floor())
                .as("the renewal has left a mark, so that this does not move on")
                .isEqualTo(registry.read().floor());
    }

    /** The server has the same run ID as before, but may have missed writes in the meantime. */
    @Test
    void serverThatBecomesThePrimaryAgainIsAnotherOne() {
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        assertThat(ofNew.acquire(null, claim(1, Instant.EPOCH, now.plus(TTL)), TTL))
                .isTrue();
        assertThat(registry.read().floor()).isEqualTo(Instant.EPOCH);

        execute("REPLICAOF", "localhost", "1");
        execute("REPLICAOF", "NO", "ONE");

        assertThat(registry.read().floor()).isAfter(now.plus(FURTHEST));
    }

    /** The server generates a new replication ID, like a server that was a replica in the meantime. */
    @Test
    void serverThatGetsItsFirstReplicaMayHaveLostLeases(CapturedOutput output) {
        Duration hour = Duration.ofHours(1);
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        Claim mine = claim(1, Instant.EPOCH, now.plus(TTL));
        assertThat(ofNew.acquire(null, mine, hour)).isTrue();

        try (Server replica = Server.started("--replicaof", "localhost", String.valueOf(server.port()))) {
            assertThat(replica.port()).isNotEqualTo(server.port());
            Snapshot seen = registry.read();
            while (seen.floor().equals(Instant.EPOCH)) {
                Thread.onSpinWait();
                seen = registry.read();
            }

            assertThat(output)
                    .contains("IDs of a new lease begin at " + seen.floor()
                            + ": Redis may have lost leases. Since namespace 'shop' was last written, Redis was restarted,"
                            + " another server has taken over, or the replication ID has changed");
            assertThat(registry.renew(mine, seen.now().plus(TTL), hour))
                    .as("the holder of a lease continues with it")
                    .isTrue();
        }
    }

    /** Another process takes over an expired lease one ttl after its expiry or later, so none can have done so yet. */
    @Test
    void leaseThatHasJustExpiredIsRenewedByAServerThatMayHaveLostWrites() {
        Claim mine = expired();
        Duration ttl = MARGIN.multipliedBy(60);
        RedisWorkerRegistry wide =
                new RedisWorkerRegistry(connections, "snowflake:", "shop", ttl.multipliedBy(2), MARGIN, false);

        becomeAnotherServer();

        assertThat(wide.renew(mine, mine.reservedUntil().plusMillis(100), ttl)).isTrue();
    }

    /**
     * A server that has lost the lease grants its worker ID again from the floor on, which the greatest reservation
     * determines.
     */
    @Test
    void leaseThatAnotherProcessMayHaveAcquiredAnewIsNotRenewedByAServerThatMayHaveLostWrites() {
        Claim mine = expired();

        becomeAnotherServer();

        assertThat(registry.renew(mine, mine.reservedUntil().plusMillis(100), MARGIN.multipliedBy(60)))
                .isFalse();
    }

    /** Leases may have been lost while the claim waited, so another process may have been granted an earlier floor. */
    @Test
    void claimThatWaitedForItsFloorIsNotExtendedByAServerThatMayHaveLostWrites() {
        Snapshot seen = registry.read();
        Claim waiting = claim(1, seen.floor(), seen.floor());
        assertThat(registry.acquire(null, waiting, Duration.ofMinutes(1))).isTrue();

        becomeAnotherServer();

        assertThat(registry.renew(waiting, seen.floor().plusMillis(1), Duration.ofMinutes(1)))
                .isFalse();
    }

    /** The clock of the server that has lost a takeover may have been ahead by the margin. */
    @Test
    void leaseThatAnotherProcessMayHaveTakenOverIsNotRenewedByAServerThatMayHaveLostWrites() {
        Claim mine = expired();

        becomeAnotherServer();

        Instant later = mine.reservedUntil().plusMillis(100);
        Duration ttl = MARGIN.plusMillis(40);
        assertThat(registry.renew(mine, later, ttl)).isFalse();
        Snapshot seen = registry.read();
        assertThat(registry.acquire(null, atFloor(2, seen), TTL)).isTrue();
        assertThat(registry.renew(mine, later, ttl))
                .as("also after another process has marked the server")
                .isFalse();
    }

    /** Returns the claim of a lease that expired 50 ms ago. */
    private Claim expired() {
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        Claim mine = claim(1, Instant.EPOCH, now.plusMillis(100));
        assertThat(ofNew.acquire(null, mine, Duration.ofMillis(1))).isTrue();
        Instant expires = registry.read().entries().get(0).expiresAt();
        while (registry.read().now().isBefore(expires.plusMillis(50))) {
            Thread.onSpinWait();
        }
        return mine;
    }

    private void becomeAnotherServer() {
        execute("REPLICAOF", "localhost", "1");
        execute("REPLICAOF", "NO", "ONE");
    }

    @Test
    void floorIsThatOfTheProcessThatReservesFarthest() {
        Duration farther = FURTHEST.multipliedBy(10);
        RedisWorkerRegistry wide = new RedisWorkerRegistry(connections, "snowflake:", "shop", farther, MARGIN, true);
        Instant now = wide.read().now();
        assertThat(wide.acquire(null, claim(1, Instant.EPOCH, now.plus(TTL)), TTL))
                .isTrue();

        execute("REPLICAOF", "localhost", "1");
        execute("REPLICAOF", "NO", "ONE");

        assertThat(registry.read().floor()).isAfter(now.plus(farther));
    }

    @Test
    void restoredEarlierStateIsNotTakenForTheCurrentState() {
        restart("--dbfilename", "dump.rdb");
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        Claim before = claim(1, Instant.EPOCH, now.plusMillis(1));
        ofNew.acquire(null, before, Duration.ofMillis(1));
        execute("SAVE");
        // Another process acquires the worker ID, which the copy on the disk does not contain.
        Entry expired = ofNew.read().entries().get(0);
        Claim taken = Claim.of(0, 1, "another", "test", now.plusMillis(1), now.plus(TTL), LAYOUT);
        assertThat(ofNew.acquire(expired, taken, TTL)).isTrue();

        server.kill();
        server.start();

        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly("owner 1");
        assertThat(registry.renew(before, now.plusMillis(500), Duration.ofMillis(1)))
                .as("it had expired long before, and may have been taken over")
                .isFalse();
        assertThat(registry.renew(taken, now.plusMillis(1_200), TTL)).isFalse();
        assertThat(registry.acquire(registry.read().entries().get(0), claim(1, now.plusMillis(1), now.plus(TTL)), TTL))
                .isFalse();
    }

    @Test
    void noTimeIsReservedThatIsTooFarAhead() {
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        Instant tooFar = now.plus(FURTHEST).plusSeconds(60);
        String message = "Reservation rejected: it ends more than 1 s after Redis's clock (requested end: " + tooFar
                + "). Either this machine's clock is ahead, Redis's clock was set back, or a longer ttl, max-clock-skew, max-drift or max-wait was set before";

        assertThatThrownBy(() -> ofNew.acquire(null, claim(1, Instant.EPOCH, tooFar), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(message);
        assertThat(ofNew.read().entries()).isEmpty();
        Claim mine = claim(1, Instant.EPOCH, now.plus(TTL));
        assertThat(ofNew.acquire(null, mine, TTL)).isTrue();
        assertThatThrownBy(() -> ofNew.renew(mine, tooFar, TTL)).hasMessage(message);
        assertThat(ofNew.read().entries())
                .extracting(Entry::reservedUntil)
                .containsExactly(mine.reservedUntil().truncatedTo(java.time.temporal.ChronoUnit.MILLIS));
    }

    // Slow: restarts the server several times, and generators wait until all lost leases have ended.
    @Tag("full")
    @Test
    void noIdIsIssuedTwiceWhileRedisLosesDataAndAllGeneratorsRestart() throws Exception {
        Set<Long> ids = new HashSet<>();
        List<SnowflakeIdGenerator> generators = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                generators.add(generator());
            }
            for (int round = 0; round < 3; round++) {
                boolean[] again = new boolean[generators.size()];
                if (round > 0) {
                    execute("FLUSHALL");
                }
                for (int made = 0; made < 200 || !isAll(again); made++) {
                    for (int i = 0; i < generators.size(); i++) {
                        try {
                            assertThat(ids.add(generators.get(i).nextId()))
                                    .as("new id")
                                    .isTrue();
                            again[i] |= made > 200;
                        } catch (WorkerLeaseExpiredException e) {
                            assertThat(e).hasMessageContaining("No ID issued");
                            Thread.onSpinWait();
                        }
                    }
                }
                // A generator that starts in the meantime waits until every lease that may be lost has ended.
                generators.add(generator());
            }
        } finally {
            generators.forEach(SnowflakeIdGenerator::close);
        }
        assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    private static boolean isAll(boolean[] each) {
        for (boolean one : each) {
            if (!one) {
                return false;
            }
        }
        return true;
    }

    private SnowflakeIdGenerator generator() {
        return SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(new RedisWorkerRegistry(
                                connections, "snowflake:", "shop", Duration.ofSeconds(3), SHORT_MARGIN, false))
                        .withTtl(TTL))
                .maxWait(Duration.ofMillis(20))
                .build();
    }

    /** Redis's clock was hours ahead when a process marked the namespace, and was corrected afterwards. */
    @Test
    void markFarAheadOfTheClockOfRedisIsReportedAsSuch(CapturedOutput output) {
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Instant now = ofNew.read().now();
        Claim mine = claim(1, Instant.EPOCH, now.plusMillis(1));
        assertThat(ofNew.acquire(null, mine, TTL.multipliedBy(60))).isTrue();
        Instant floor = now.plusSeconds(28_800);
        String mark = new StringRedisTemplate(connections)
                .<String, String>opsForHash()
                .get("snowflake:shop", "mark");
        String server = String.valueOf(mark).split(" ")[1];

        for (String writer : List.of(server, "another")) {
            execute("HSET", "snowflake:shop", "mark", floor.toEpochMilli() + " " + writer + " " + FURTHEST.toMillis());
            for (RedisWorkerRegistry each : List.of(registry(), registry().assumingNewNamespace())) {
                Snapshot seen = each.read();
                assertThat(seen.floor()).isEqualTo(floor);
                assertThatThrownBy(() -> each.acquire(null, atFloor(2, seen), TTL))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessage("Redis's clock was ahead, so IDs up to " + floor
                                + " may exist in namespace 'shop', and no worker ID is leased before then");
            }
        }
        assertThat(registry.read().entries()).hasSize(1);
        assertThat(output).doesNotContain("Redis may have lost leases");
        assertThat(registry.renew(mine, now.plusMillis(2), TTL.multipliedBy(60)))
                .as("a lease that is held continues")
                .isTrue();
    }

    // Slow: waits until a lease has expired.
    @Tag("full")
    @Test
    void idsResumeAtOnceAfterAnOutageThatIsLongerThanTheLeaseIfNothingWasLost() throws Exception {
        restart("--appendonly", "yes", "--appendfsync", "always");
        Duration ttl = Duration.ofSeconds(10);
        RedisWorkerRegistry ofNew =
                new RedisWorkerRegistry(connections, "snowflake:", "shop", ttl.plusSeconds(13), SHORT_MARGIN, true);
        BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(new BoundedRegistry(ofNew, Duration.ofSeconds(2)))
                        .withTtl(ttl)
                        .withListener(changes::add))
                .maxWait(Duration.ofMillis(20))
                .build()) {
            long last = generator.nextId();
            server.kill();
            awaitState(changes, State.EXPIRING);
            while (Instant.now().isBefore(generator.lease().orElseThrow().fence())) {
                Thread.sleep(20);
            }
            assertThatThrownBy(generator::nextId).isInstanceOf(WorkerLeaseExpiredException.class);

            server.start();

            awaitState(changes, State.HELD);
            assertThat(generator.statistics().acquisitions()).isOne();
            assertThat(idOf(generator)).isGreaterThan(last);
        }
    }

    /** The renewal that the outage interrupted may end in the past; the next one follows immediately. */
    private static long idOf(SnowflakeIdGenerator generator) {
        while (true) {
            try {
                return generator.nextId();
            } catch (WorkerLeaseExpiredException e) {
                Thread.onSpinWait();
            }
        }
    }

    private static void awaitState(BlockingQueue<WorkerLease> changes, State state) throws Exception {
        WorkerLease change = changes.poll(60, TimeUnit.SECONDS);
        while (change == null || change.state() != state) {
            assertThat(change).isNotNull();
            assertThat(change.state()).isNotEqualTo(State.LOST);
            change = changes.poll(60, TimeUnit.SECONDS);
        }
    }

    // ---- lost answers

    @Test
    void scriptThatIsSentAgainIsDoneOnceAndAnsweredAlike() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port())) {
            LettuceConnectionFactory through = Server.connections(proxy.port(), Duration.ofSeconds(20));
            try {
                RedisWorkerRegistry again =
                        new RedisWorkerRegistry(through, "snowflake:", "shop", FURTHEST, MARGIN, true);
                Instant now = again.read().now();
                Claim mine = claim(1, Instant.EPOCH, now.plus(TTL));

                proxy.cutAnswerWith("HSET");
                assertThat(again.acquire(null, mine, Duration.ofMinutes(1))).isTrue();
                Claim renewed = mine.until(now.plus(TTL).plusMillis(100));
                proxy.cutAnswerWith("HSET");
                assertThat(again.renew(mine, renewed.reservedUntil(), Duration.ofMinutes(1)))
                        .isTrue();
                proxy.cutAnswerWith("HSET");
                assertThat(again.release(renewed, now)).isTrue();
                assertThat(proxy.cuts()).isEqualTo(3);
            } finally {
                through.destroy();
            }
        }
    }

    @Test
    void silentServerIsGivenUpLongBeforeTheClientDoes() throws Exception {
        registry.read();
        BoundedRegistry bounded = new BoundedRegistry(registry, Duration.ofMillis(200));
        signal("STOP");
        try {
            for (int i = 0; i < 6; i++) {
                assertThatThrownBy(bounded::read)
                        .isInstanceOf(IllegalStateException.class)
                        .message()
                        .isIn(
                                "the registry did not answer within 200 ms",
                                "4 calls to the registry have not been answered yet");
            }
        } finally {
            signal("CONT");
        }
        while (true) {
            try {
                assertThat(bounded.read().entries()).isEmpty();
                break;
            } catch (IllegalStateException e) {
                Thread.onSpinWait();
            }
        }
    }

    private void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(server.pid()))
                .start()
                .waitFor();
    }

    @Test
    void stoppedConnectionFactoryIsStartedForRemainingWork() {
        RedisWorkerRegistry ofNew = registry.assumingNewNamespace();
        Claim mine = claim(1, Instant.EPOCH, ofNew.read().now().plus(TTL));
        ofNew.acquire(null, mine, TTL);

        connections.stop();

        assertThat(ofNew.release(mine, Instant.EPOCH)).isTrue();
    }

    // ---- foreign data and rejected calls

    private static ConfigurationException rejection(Runnable call) {
        Throwable thrown = Server.rejection(call);
        assertThat(thrown).isInstanceOf(WorkerIdUnavailableException.class);
        WorkerIdUnavailableException rejected = (WorkerIdUnavailableException) thrown;
        assertThat(rejected.reason()).isEqualTo(Reason.REGISTRY_UNUSABLE);
        assertThat(rejected.getCause())
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(rejected.getMessage());
        return (ConfigurationException) rejected.getCause();
    }

    @Test
    void wrongPasswordIsReportedAtOnce() {
        execute("CONFIG", "SET", "requirepass", "right");
        LettuceConnectionFactory anonymous = server.connections();
        RedisStandaloneConfiguration wrong = new RedisStandaloneConfiguration("localhost", server.port());
        wrong.setPassword("wrong");
        LettuceConnectionFactory impostor = Server.started(new LettuceConnectionFactory(wrong));
        try {
            for (LettuceConnectionFactory each : List.of(anonymous, impostor)) {
                ConfigurationException rejected =
                        rejection(() -> new RedisWorkerRegistry(each, "snowflake:", "shop", FURTHEST).read());
                assertThat(rejected).hasMessageStartingWith("Redis rejects the login: ");
                assertThat(rejected.action()).hasValue("""
                        Correct the user name and the password:

                        spring.data.redis.username: default
                        spring.data.redis.password: ${REDIS_PASSWORD}""");
            }
        } finally {
            anonymous.destroy();
            impostor.destroy();
        }
    }

    @Test
    void missingPermissionsAreReportedWithTheCommandThatGrantsThem() {
        execute("ACL", "SETUSER", "shop", "on", ">secret", "~other*", "+ping", "+hello", "+client", "+eval");
        RedisStandaloneConfiguration asShop = new RedisStandaloneConfiguration("localhost", server.port());
        asShop.setUsername("shop");
        asShop.setPassword("secret");
        LettuceConnectionFactory user = Server.started(new LettuceConnectionFactory(asShop));
        try {
            RedisWorkerRegistry limited = new RedisWorkerRegistry(user, "snowflake:", "shop", FURTHEST);
            ConfigurationException rejected = rejection(limited::read);
            assertThat(rejected)
                    .hasMessageStartingWith("The Redis user may not lease worker IDs in 'snowflake:shop': ");
            assertThat(rejected.action()).hasValue("""
                    As an administrator of Redis, execute:

                    ACL SETUSER <user> ~snowflake:shop* +eval +hget +hset +hgetall +time +info""");

            execute(
                    "ACL",
                    "SETUSER",
                    "shop",
                    "~snowflake:shop*",
                    "+eval",
                    "+hget",
                    "+hset",
                    "+hgetall",
                    "+time",
                    "+info");
            Snapshot seen = limited.read();
            assertThat(limited.acquire(null, atFloor(1, seen), TTL)).isTrue();
        } finally {
            user.destroy();
        }
    }

    @Test
    void whatElseHasTheKeyIsNotTouched() {
        execute("SET", "snowflake:shop", "something else");
        assertThat(rejection(registry::read))
                .hasMessage("Key 'snowflake:shop' exists in Redis, but is not a hash of leases");

        execute("DEL", "snowflake:shop");
        execute("HSET", "snowflake:shop", "basket", "3 apples");
        ConfigurationException foreign = rejection(registry::read);
        assertThat(foreign).hasMessage("Key 'snowflake:shop' in Redis has a field 'basket' that is not a lease");
        assertThat(foreign.action()).hasValue("""
                Use another prefix for the keys of leases:

                snowflake.worker.redis.key-prefix: "snowflake-worker-ids:\"""");
    }

    @Test
    void namesOfFieldsForgeNoLine() {
        execute("HSET", "snowflake:shop", "1:a\nERROR\u001b[2J", "3 apples");
        ConfigurationException foreign = rejection(registry::read);
        assertThat(foreign)
                .hasMessage(
                        "Key 'snowflake:shop' in Redis has a field '1:a\\u000aERROR\\u001b[2J' that is not a lease");
        assertThat(Causes.root(foreign).getMessage()).doesNotContain("\n", "\u001b");
    }

    @Test
    void replicaAndFullMemoryMayBeOtherwiseALittleLater() {
        registry.assumingNewNamespace().read();
        execute("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> registry.acquire(null, atFloor(1, registry.read()), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Redis is full: ")
                .hasMessageContaining("OOM")
                .asInstanceOf(InstanceOfAssertFactories.type(ConfigurationException.class))
                .returns(Problem.STORE_FULL.anchor(), ConfigurationException::anchor)
                .extracting(failure -> failure.action().orElseThrow().substring(0, 5))
                .isEqualTo("Raise");

        execute("CONFIG", "SET", "maxmemory", "0");
        execute("REPLICAOF", "localhost", "1");
        assertThatThrownBy(() -> registry.acquire(null, atFloor(1, registry.read()), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Redis is read-only: ")
                .hasMessageContaining("READONLY")
                .asInstanceOf(InstanceOfAssertFactories.type(ConfigurationException.class))
                .returns(Problem.READ_ONLY_STORE.anchor(), ConfigurationException::anchor)
                .extracting(failure -> failure.action().orElseThrow())
                .isEqualTo("Connect to the primary server:\n\nspring.data.redis.host: redis-primary.example.org");
    }

    @Test
    void missingReplicasAreReported() {
        execute("CONFIG", "SET", "min-replicas-to-write", "1");
        assertThatThrownBy(() -> registry.acquire(null, atFloor(1, registry.read()), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Redis rejected the call: ")
                .hasMessageContaining("NOREPLICAS")
                .extracting(
                        failure -> ((ConfigurationException) failure).action().orElseThrow())
                .isEqualTo("Start the replicas that 'min-replicas-to-write' requires.");
    }

    @Test
    void serverThatIsDownIsNotUnusable() {
        server.kill();
        LettuceConnectionFactory nowhere = Server.connections(server.port(), Duration.ofMillis(500));
        try {
            assertThatThrownBy(() -> new RedisWorkerRegistry(nowhere, "snowflake:", "shop", FURTHEST).read())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("Redis did not answer: ")
                    .extracting(failure ->
                            ((ConfigurationException) failure).action().orElseThrow())
                    .isEqualTo("Start Redis, and check 'spring.data.redis'.");
        } finally {
            nowhere.destroy();
        }
    }

    @Test
    void lostConnectionIsNotReportedAsRejected() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port())) {
            LettuceConnectionFactory through = Server.connections(proxy.port(), Duration.ofSeconds(20));
            try {
                RedisWorkerRegistry losing = new RedisWorkerRegistry(through, "snowflake:", "shop", FURTHEST);
                losing.read();

                proxy.resetAtAnswerWith("EVAL");

                assertThatThrownBy(losing::read)
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageStartingWith("Redis did not answer: ")
                        .hasMessageContaining("reset")
                        .extracting(failure ->
                                ((ConfigurationException) failure).action().orElseThrow())
                        .isEqualTo("Start Redis, and check 'spring.data.redis'.");
            } finally {
                through.destroy();
            }
        }
    }

    @Test
    void errorThatRedisAnswersIsReportedAsRejected() {
        restart("--rename-command", "EVAL", "");
        JedisConnectionFactory byJedis =
                new JedisConnectionFactory(new RedisStandaloneConfiguration("localhost", server.port()));
        byJedis.afterPropertiesSet();
        byJedis.start();
        try {
            for (RedisConnectionFactory each : List.of(connections, byJedis)) {
                assertThatThrownBy(() -> new RedisWorkerRegistry(each, "snowflake:", "shop", FURTHEST).read())
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageStartingWith("Redis rejected the call: ERR unknown command");
            }
        } finally {
            byJedis.destroy();
        }
    }

    @Test
    void namespaceMustHaveAName() {
        assertThatThrownBy(() -> new RedisWorkerRegistry(connections, "snowflake:", " ", FURTHEST))
                .hasMessage("namespace must have 1 to 100 characters, but was ' '");
    }

    // ---- warnings

    private List<String> warnings() {
        try (RedisConnection connection = connections.getConnection()) {
            return ServerCheck.warnings(
                    HashKind.LEASES,
                    info(connection, "memory") + info(connection, "persistence"),
                    info(connection, "replication"),
                    Duration.ofSeconds(76));
        }
    }

    private static String info(RedisConnection connection, String section) {
        return connection.serverCommands().info(section).entrySet().stream()
                .map(each -> each.getKey() + ":" + each.getValue() + "\r\n")
                .collect(Collectors.joining());
    }

    @Test
    void settingsThatEndangerLeasesAreWarnedOf() {
        assertThat(warnings())
                .containsExactly(
                        "Redis may lose leases when it is restarted (appendonly no); new leases then issue no IDs for 76 s. Set"
                                + " 'appendonly yes' and 'appendfsync always'");

        execute("CONFIG", "SET", "appendonly", "yes");
        assertThat(warnings()).isEmpty();

        execute("CONFIG", "SET", "maxmemory", "100mb");
        execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        assertThat(warnings())
                .containsExactly(
                        "Redis may evict leases (maxmemory-policy allkeys-lru); new leases then issue no IDs for 76 s. Set"
                                + " 'maxmemory-policy volatile-lru' or 'noeviction'");
        execute("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
        assertThat(warnings()).isEmpty();
    }

    @Test
    void warnsIfWritesDoNotWaitForReplicas() throws Exception {
        execute("CONFIG", "SET", "appendonly", "yes");
        try (Server replica = Server.started("--replicaof", "localhost", String.valueOf(server.port()))) {
            assertThat(replica.port()).isNotEqualTo(server.port());
            while (warnings().isEmpty()) {
                Thread.sleep(20);
            }
            assertThat(warnings())
                    .containsExactly(
                            "Redis has replicas, but accepts writes without them: if the network splits, two servers may lease the same worker ID. Set 'min-replicas-to-write 1'");
            execute("CONFIG", "SET", "min-replicas-to-write", "1");
            assertThat(warnings()).isEmpty();
        }
    }

    // ---- concurrency

    @Test
    void manyProcessesAtOnceHaveDifferentWorkerIds() throws Exception {
        String layout = IdLayout.DEFAULT.toString().replaceFirst(" \\(.*", "");
        Claim first = Claim.of(31, 31, "first", "test", Instant.EPOCH, Instant.EPOCH, layout);
        assertThat(registry.assumingNewNamespace().acquire(null, first, Duration.ofMillis(1)))
                .isTrue();
        ConcurrentLinkedQueue<SnowflakeIdGenerator> open = new ConcurrentLinkedQueue<>();
        try {
            List<Integer> workers = WorkerRegistryContract.atOnce(64, i -> {
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(new RedisWorkerRegistry(
                                        connections, "snowflake:", "shop", Duration.ofSeconds(90)))
                                .withAcquireTimeout(Duration.ofMinutes(2)))
                        .build();
                open.add(generator);
                return generator.workerId().datacenterId() * 32
                        + generator.workerId().workerId();
            });
            assertThat(workers).doesNotHaveDuplicates();
        } finally {
            open.forEach(SnowflakeIdGenerator::close);
        }
    }
}
