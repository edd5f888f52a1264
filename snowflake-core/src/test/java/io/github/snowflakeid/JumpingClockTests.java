package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A clock that jumps ahead does not reserve ticks far ahead, and a machine that was suspended continues. */
class JumpingClockTests {

    private static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(2).build();
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration SKEW = Duration.ofSeconds(10);
    private static final Duration HOURS = Duration.ofHours(8);
    private static final Duration YEARS = Duration.ofDays(3650);

    private final ScriptedTime time = ScriptedTime.at(Instant.parse("2026-03-01T00:00:00Z"));
    private final InMemoryRegistry store = new InMemoryRegistry(time::now);
    private final HookedRegistry registry = new HookedRegistry(store);
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private SnowflakeIdGenerator generator = generator();

    @BeforeEach
    void count() {
        registry.hook(call -> {
            if (call.isAfter()) {
                (call.name().equals("read") ? reads : writes).incrementAndGet();
            }
        });
    }

    @AfterEach
    void close() {
        count();
        generator.close();
    }

    private SnowflakeIdGenerator generator() {
        return generator(registry);
    }

    private SnowflakeIdGenerator generator(WorkerRegistry store) {
        return SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .lease(LeaseTerms.of(store).withTtl(TTL).withMaxClockSkew(SKEW))
                .time(time)
                .build();
    }

    private WorkerLease lease() {
        return generator.lease().orElseThrow();
    }

    private Instant timeOf(long id) {
        return LAYOUT.decode(id).timestamp();
    }

    /** Lets time pass until the lease is renewed. */
    private void awaitRenewal() {
        Instant expires = store.read().entries().get(0).expiresAt();
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> store.read().entries().get(0).expiresAt().isAfter(expires));
        // The clock of this machine is ahead as well.
        ScriptedTime.await(
                () -> lease().fence().equals(store.read().entries().get(0).reservedUntil()));
    }

    private void assertThatNothingIsReservedFar() {
        assertThat(store.read().entries())
                .allSatisfy(entry -> assertThat(entry.reservedUntil())
                        .isBeforeOrEqualTo(time.now().plus(SKEW).plus(TTL).plus(LAYOUT.tick())));
    }

    @Test
    void clockThatIsYearsAheadDuringARenewalReservesNothingFar() {
        time.stepClock(YEARS);
        awaitRenewal();
        assertThatNothingIsReservedFar();

        time.stepClock(YEARS.negated());
        assertThat(timeOf(generator.nextId())).isEqualTo(time.now());
    }

    @Test
    void clockThatStaysYearsAheadReservesNothingFarAndEndsIdsUntilItIsSet() {
        long last = generator.nextId();
        time.stepClock(YEARS);
        for (int renewals = 0; renewals < 5; renewals++) {
            awaitRenewal();
            assertThatNothingIsReservedFar();
        }
        time.passWhileSleeping();
        assertThatExceptionOfType(WorkerLeaseExpiredException.class)
                .isThrownBy(generator::nextId)
                .withMessageContaining("this machine's clock is 315360000000 ms ahead of the registry's clock");
        assertThat(lease().state()).isEqualTo(State.ENDED);

        time.stepClock(YEARS.negated());
        assertThat(generator.nextId()).isGreaterThan(last);
        awaitRenewal();
        assertThat(lease().state()).isEqualTo(State.HELD);
    }

    /** For example, the hardware clock has the local time, and NTP corrects the clock after the start. */
    @Test
    void restartIsTheWayOutIfTheClocksOfMachineAndStoreWereHoursAhead() {
        generator.close();
        time.stepClock(HOURS);
        InMemoryRegistry together = new InMemoryRegistry(time::instant);
        generator = generator(together);
        long last = generator.nextId();
        assertThat(timeOf(last)).isEqualTo(time.instant());

        time.stepClock(HOURS.negated());
        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the clock is 28800000 ms behind the last issued ID (tolerated: 2000 ms). IDs resume when it has"
                                + " caught up, or if this process is restarted: it then leases another worker ID, unless the clock of the store"
                                + " is wrong, too");
        int held = generator.workerId().workerId();
        for (int restarts = 0; restarts < 2; restarts++) {
            generator.close();
            generator = generator(together);
            assertThat(timeOf(generator.nextId())).isEqualTo(time.now());
            assertThat(generator.workerId().workerId()).isNotEqualTo(held);
        }
    }

    @Test
    void leaseIsNotShownAsHeldWhileTheClockIsFarBehindTheLastId() {
        generator.close();
        time.stepClock(HOURS);
        InMemoryRegistry together = new InMemoryRegistry(time::instant);
        generator = generator(together);
        generator.nextId();
        assertThat(lease().state()).isEqualTo(State.HELD);

        time.stepClock(HOURS.negated());
        awaitShownRenewal();
        assertThat(lease().state()).isEqualTo(State.EXPIRING);
        assertThat(lease().reason())
                .isEqualTo("this machine's clock is 28780000 ms behind the last ID (tolerated: 2000 ms)");

        time.stepClock(HOURS);
        awaitShownRenewal();
        assertThat(lease().state()).isEqualTo(State.HELD);
        assertThat(generator.nextId()).isPositive();
    }

    private void awaitShownRenewal() {
        Instant before = lease().renewedAt();
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> !lease().renewedAt().equals(before));
    }

    /** Each caller asks for a renewal, which would change nothing. */
    @Test
    void callersDoNotLetTheRegistryBeAskedAllTheTimeWhileTheClockIsAhead() {
        time.stepClock(YEARS);
        awaitRenewal();
        time.passWhileSleeping();
        int asked = reads.get() + writes.get();
        for (int seconds = 0; seconds < 100; seconds++) {
            assertThatExceptionOfType(WorkerLeaseExpiredException.class).isThrownBy(generator::nextId);
        }
        assertThat(reads.get() + writes.get() - asked).isLessThanOrEqualTo(2 * 6);
    }

    @Test
    void clockThatIsAheadByNoMoreThanIsToleratedIsTrustedAndNothingIsRead() {
        int before = reads.get();
        time.stepClock(SKEW);
        awaitRenewal();

        assertThat(reads).hasValue(before);
        assertThat(lease().fence()).isEqualTo(time.instant().plus(TTL));
    }

    /** Otherwise, each renewal would trust the clock a little more. */
    @Test
    void clockThatIsAheadByMoreThanIsToleratedIsTrustedUpToThatAndNoFurther() {
        time.stepClock(SKEW.multipliedBy(3).dividedBy(2));
        for (int renewals = 0; renewals < 3; renewals++) {
            awaitRenewal();
            assertThat(lease().fence()).isEqualTo(time.now().plus(SKEW).plus(TTL));
        }
    }

    @Test
    void machineThatWasSuspendedForHoursIssuesIdsAgainAfterOneRoundTrip() {
        long last = generator.nextId();
        int readBefore = reads.get();
        int writtenBefore = writes.get();
        time.suspend(Duration.ofHours(5));

        long id = generator.nextId();
        time.awaitIdle();
        assertThat(id).isGreaterThan(last);
        assertThat(timeOf(id)).isEqualTo(time.now());
        assertThat(reads.get() - readBefore).isOne();
        assertThat(writes.get() - writtenBefore).isOne();
        assertThat(generator.workerId().workerId()).isZero();
    }

    /** A caller that waits asks for a renewal until it has one, and also while the registry is answering. */
    @Test
    void callersThatAskDuringARenewalCauseNoFurtherOne() {
        generator.nextId();
        int before = writes.get();
        registry.hook(call -> {
            generator.tryNextId();
            if (call.isAfter() && call.name().equals("renew")) {
                writes.incrementAndGet();
            }
        });
        time.suspend(Duration.ofHours(5));
        generator.nextId();
        time.awaitIdle();
        assertThat(writes.get() - before).isOne();
    }

    /** A caller may pause between its look at the fence and its request. */
    @Test
    void callerThatAsksOnceTheFenceHasMovedCausesNoRenewal() {
        long near = generator.allocation().nearFence();
        awaitRenewal();
        time.awaitIdle();
        int before = writes.get();

        generator.fenceNear(near);
        time.awaitIdle();
        assertThat(writes.get() - before).isZero();

        generator.fenceNear(generator.allocation().nearFence());
        time.awaitIdle();
        assertThat(writes.get() - before).isOne();
    }

    @Test
    void suspendedMachineWhoseWorkerIdWasTakenOverContinuesWithAnother() {
        long last = generator.nextId();
        time.suspend(Duration.ofHours(5));
        Instant later = time.now().plus(TTL);
        store.put(Entry.of(0, 0, "another", "another process", later, later, LAYOUT.fingerprint()));

        long id = generator.nextId();
        assertThat(id).isGreaterThan(last);
        assertThat(timeOf(id)).isEqualTo(time.now());
        assertThat(generator.workerId().workerId()).isOne();
    }

    @Test
    void clockThatJumpsWhileTheRegistryCannotBeReadReservesNothing() {
        Entry before = store.read().entries().get(0);
        AtomicInteger tries = new AtomicInteger();
        registry.hook(call -> {
            if (call.name().equals("read")) {
                tries.incrementAndGet();
                throw new IllegalStateException("connection refused");
            }
        });
        time.stepClock(YEARS);
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> generator.statistics().failures() > 0);
        assertThat(tries).hasPositiveValue();
        assertThat(lease().state()).isEqualTo(State.ENDED);
        assertThat(store.read().entries()).containsExactly(before);

        count();
        time.stepClock(YEARS.negated());
        awaitRenewal();
        assertThat(lease().state()).isEqualTo(State.HELD);
        assertThatNothingIsReservedFar();
    }

    /** The clock only seems to have passed the last ID of a worker ID whose IDs begin later than the true time. */
    @Test
    void leaseThatIsLostWhileTheClockIsAheadIsReplacedByOneThatReservesNothingFar() {
        Instant far = time.now().plus(YEARS.dividedBy(2));
        time.stepClock(YEARS);
        store.put(Entry.of(0, 0, "another", "another process", far, far, LAYOUT.fingerprint()));
        store.put(Entry.of(0, 1, null, "released while its clock was wrong", far, Instant.EPOCH, LAYOUT.fingerprint()));
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> store.read().entries().size() == 3);

        assertThat(store.read().entries())
                .filteredOn(entry -> entry.workerId() == 2)
                .singleElement()
                .satisfies(entry -> assertThat(entry.reservedUntil())
                        .isBeforeOrEqualTo(time.now().plus(SKEW).plus(TTL)));
    }
}
