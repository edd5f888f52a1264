package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A registry that may have lost entries returns a floor, at which the IDs of new claims begin. */
class FloorTests {

    private static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(1).build();

    private final ScriptedTime time = ScriptedTime.at(Instant.parse("2026-03-01T00:00:00Z"));
    private final InMemoryRegistry registry = new InMemoryRegistry(time::now);
    private final Queue<WorkerLease> changes = new ConcurrentLinkedQueue<>();
    private final List<SnowflakeIdGenerator> opened = new ArrayList<>();

    @BeforeEach
    void letTimePass() {
        time.passWhileSleeping();
    }

    @AfterEach
    void closeAll() {
        registry.failWith(null);
        opened.forEach(SnowflakeIdGenerator::close);
    }

    private SnowflakeIdGenerator open(Duration acquireTimeout) {
        return open(Duration.ofSeconds(1), acquireTimeout);
    }

    private SnowflakeIdGenerator open(Duration ttl, Duration acquireTimeout) {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .time(time)
                .lease(LeaseTerms.of(registry)
                        .withTtl(ttl)
                        .withAcquireTimeout(acquireTimeout)
                        .withListener(changes::add))
                .maxDrift(Duration.ZERO)
                .maxWait(Duration.ofMillis(10))
                .build();
        opened.add(generator);
        return generator;
    }

    private static Instant timeOf(long id) {
        return LAYOUT.decode(id).timestamp();
    }

    private Instant inMillis(long millis) {
        return time.now().plusMillis(millis);
    }

    /** Lets time pass until the lease has changed. */
    private WorkerLease nextChange() {
        time.passUntil(() -> !changes.isEmpty());
        return changes.remove();
    }

    @Test
    void whoOpensWaitsForTheFloorHoweverShortItsTimeOutIs() {
        Instant floor = inMillis(4_000);
        registry.forgetUpTo(floor);

        SnowflakeIdGenerator generator = open(Duration.ofSeconds(2));

        assertThat(time.now()).isAfterOrEqualTo(floor);
        assertThat(timeOf(idOf(generator))).isAfterOrEqualTo(floor);
    }

    @Test
    void claimThatBeginsAtTheFloorIsNotGrantedBeforeEvenIfTheFloorIsLowerByThen() throws Exception {
        Instant floor = inMillis(4_000);
        registry.forgetUpTo(floor);
        Waiting opener = waiting(() -> open(Duration.ofSeconds(5)));
        registry.lowerFloor(floor.minusMillis(2_000));

        time.passUntil(opener.opened()::isDone);
        opener.opened().get();

        assertThat(time.now()).isAfterOrEqualTo(floor);
    }

    @Test
    void nothingIsReservedBelowTheFloorAndTheClaimLastsUntilThere() {
        Instant floor = inMillis(60_000);
        registry.forgetUpTo(floor);
        // A ttl from now would end after the floor.
        Waiting opener = waiting(() -> open(Duration.ofMinutes(2), Duration.ofSeconds(5)));

        assertThat(registry.read().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.reservedUntil()).isEqualTo(floor);
            // Not a ttl from now, which would be a minute earlier.
            assertThat(entry.expiresAt()).isAfter(floor.plusSeconds(90));
        });
        opener.interrupt();
    }

    /** Opens a generator whose IDs begin too late. */
    private Waiting openAndFail() {
        return waiting(() -> open(Duration.ofSeconds(5)));
    }

    private Waiting waiting(Runnable opening) {
        FutureTask<Void> opened = new FutureTask<>(opening, null);
        Thread thread = new Thread(opened);
        thread.start();
        while (registry.read().entries().isEmpty()) {
            assertThat(opened).isNotDone();
        }
        return new Waiting(thread, opened);
    }

    /** A thread that waits for a floor. */
    private record Waiting(Thread thread, Future<Void> opened) {

        void interrupt() {
            thread.interrupt();
            assertFailed("interrupted while waiting for an answer");
        }

        void assertFailed(String why) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(opened::get)
                    .havingCause()
                    .isInstanceOf(WorkerIdUnavailableException.class)
                    .withMessage("No worker ID of namespace 'orders' leased: %s".formatted(why));
        }
    }

    @Test
    void leaseThatIsForgottenIsReplacedByOneThatBeginsAtTheFloor() {
        SnowflakeIdGenerator generator = open(Duration.ofSeconds(5));
        long before = idOf(generator);
        assertThat(nextChange().state()).isEqualTo(State.HELD);
        Instant floor = inMillis(3_000);
        registry.forgetUpTo(floor);
        WorkerLease lost = nextChange();
        assertThat(lost.state()).isEqualTo(State.LOST);
        assertThat(lost.reason()).isEqualTo("its entry was deleted");

        time.passUntil(() -> !registry.read().entries().isEmpty());
        String why = "the registry may have lost leases; IDs begin at " + floor;
        time.passUntil(() -> why.equals(generator.lease().orElseThrow().reason()));
        assertThatExceptionOfType(WorkerLeaseExpiredException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the lease of worker ID 0 was lost and no other worker ID could be leased within 10 ms (%s)"
                                .formatted(why));

        assertThat(nextChange()).satisfies(waiting -> {
            assertThat(waiting.state()).isEqualTo(State.LOST);
            assertThat(waiting.reason()).isEqualTo(why);
        });
        assertThat(nextChange().state()).isEqualTo(State.HELD);
        assertThat(time.now()).isAfterOrEqualTo(floor);
        long after = idOf(generator);
        assertThat(timeOf(after)).isAfterOrEqualTo(floor);
        assertThat(after).isGreaterThan(before);
    }

    /** The first renewal, which follows immediately, extends the empty range. */
    private static long idOf(SnowflakeIdGenerator generator) {
        while (true) {
            try {
                return generator.nextId();
            } catch (WorkerLeaseExpiredException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void unchangedLeaseIsContinued() {
        SnowflakeIdGenerator generator = open(Duration.ofSeconds(5));
        Entry mine = registry.read().entries().get(0);
        registry.forgetUpTo(inMillis(60_000));
        registry.put(mine);

        for (int renewals = 0; renewals < 3; renewals++) {
            Instant reserved = registry.read().entries().get(0).reservedUntil();
            time.passUntil(
                    () -> !registry.read().entries().get(0).reservedUntil().equals(reserved));
        }

        assertThat(generator.lease().orElseThrow().state()).isEqualTo(State.HELD);
        assertThat(idOf(generator)).isPositive();
    }

    /** Otherwise, the generator would get another worker ID, whose IDs begin only after its current lease ends. */
    @Test
    void entryThatDoesNotAnswerIsNotExchangedForIdsThatBeginAtAFloor() {
        HookedRegistry hooked = new HookedRegistry(registry);
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .time(time)
                .lease(LeaseTerms.of(hooked).withTtl(Duration.ofSeconds(1)).withListener(changes::add))
                .build()) {
            assertThat(nextChange().state()).isEqualTo(State.HELD);
            Entry mine = registry.read().entries().get(0);
            AtomicInteger renewals = new AtomicInteger();
            hooked.hook(call -> {
                if (call.name().equals("renew") && renewals.incrementAndGet() < 20) {
                    throw new IllegalStateException("locked");
                }
            });
            registry.forgetUpTo(inMillis(60_000));
            registry.put(mine);

            assertThat(nextChange().state()).isEqualTo(State.EXPIRING);
            assertThat(nextChange().state()).isEqualTo(State.ENDED);
            assertThat(nextChange().state()).isEqualTo(State.HELD);
            assertThat(generator.workerId().workerId()).isZero();
            assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly(mine.owner());
        }
    }

    @Test
    void closingDoesNotWaitForTheFloor() {
        SnowflakeIdGenerator generator = open(Duration.ofSeconds(5));
        generator.close();
        registry.forgetUpTo(inMillis(60_000));
        Waiting opener = waiting(generator::reopen);

        generator.close();

        opener.assertFailed("the generator was closed while it waited");

        assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    /** Otherwise, a wrong layout would remain the layout of the namespace. */
    @Test
    void claimThatNeverBeganIsFreedAsNeverUsed() {
        registry.forgetUpTo(inMillis(60_000));
        openAndFail().interrupt();

        assertThat(registry.read().entries()).extracting(Entry::reservedUntil).containsExactly(Instant.EPOCH);
    }

    @Test
    void closingWhileWaitingFreesTheAcquiredWorkerId() {
        registry.forgetUpTo(inMillis(60_000));
        openAndFail().interrupt();

        assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }
}
