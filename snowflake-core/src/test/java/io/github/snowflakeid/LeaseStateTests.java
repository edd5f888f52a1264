package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.HookedRegistry.Call;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease is reported as held only while an ID can be issued, however late the registry answers. */
@Timeout(60)
class LeaseStateTests {

    private static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(2).build();
    private static final Duration TTL = Duration.ofSeconds(60);

    private final ScriptedTime time = ScriptedTime.at(Instant.parse("2026-03-01T00:00:00Z"));
    private final InMemoryRegistry store = new InMemoryRegistry(time::now);
    private final HookedRegistry registry = new HookedRegistry(store);
    private final List<WorkerLease> heldTooLate = new CopyOnWriteArrayList<>();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicBoolean late = new AtomicBoolean();
    private @Nullable SnowflakeIdGenerator generator;

    @AfterEach
    void close() {
        registry.hook(call -> {});
        if (generator != null) {
            generator.close();
        }
    }

    private SnowflakeIdGenerator open(WorkerRegistry of, Duration ttl) {
        LeaseTerms terms = LeaseTerms.of(of)
                .withTtl(ttl)
                .withAcquireTimeout(TTL.multipliedBy(10))
                .withListener(this::reported);
        SnowflakeIdGenerator opened = SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .lease(terms)
                .time(time)
                .build();
        generator = opened;
        return opened;
    }

    private void reported(WorkerLease lease) {
        if (lease.state() == State.HELD) {
            held.incrementAndGet();
            if (!lease.fence().isAfter(time.timestamp())) {
                heldTooLate.add(lease);
            }
        }
    }

    /** Lets the next answer to a call come when the lease is over; the answer may also be lost. */
    private void answerLate(Call call, String name, boolean isLost) {
        if (call.name().equals(name) && call.isAfter() && late.getAndSet(false)) {
            time.pass(TTL.multipliedBy(2));
            if (isLost) {
                throw new IllegalStateException("answer lost");
            }
        }
    }

    private void assertThatAnIdCanBeIssued(SnowflakeIdGenerator of) {
        time.awaitIdle();
        assertThat(heldTooLate).isEmpty();
        assertThat(of.lease().orElseThrow().state()).isEqualTo(State.HELD);
        assertThat(of.tryNextId()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leaseThatIsGrantedWhenItHasEndedIsRenewedBeforeItIsReported(boolean isLost) {
        late.set(true);
        registry.hook(call -> answerLate(call, "acquire", isLost));
        if (isLost) {
            // The thread that opens the generator lets time pass while it waits: the next attempt follows after a
            // pause.
            time.passWhileSleeping();
        }

        assertThatAnIdCanBeIssued(open(registry, TTL));
        assertThat(held).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leaseThatHadEndedIsReportedAsHeldOnlyOnceAnIdCanBeIssued(boolean isLost) {
        SnowflakeIdGenerator opened = open(registry, TTL);
        late.set(true);
        registry.hook(call -> answerLate(call, "renew", isLost));
        time.pass(TTL.dividedBy(3));

        ScriptedTime.await(() -> !late.get());
        // After a failure, the next attempt follows after a pause.
        time.passUntil(() -> opened.tryNextId().isPresent());
        assertThatAnIdCanBeIssued(opened);
    }

    /**
     * The listener is not called: the renewal follows at once, and a log line whenever a laptop wakes up would be
     * noise.
     */
    @Test
    void leaseIsNotHeldWhileTheClockHasPassedItsEnd() {
        SnowflakeIdGenerator opened = open(registry, TTL);
        time.suspend(Duration.ofHours(1));

        assertThat(opened.lease().orElseThrow().state()).isEqualTo(State.ENDED);
        ScriptedTime.await(() -> opened.tryNextId().isPresent());
        assertThatAnIdCanBeIssued(opened);
        assertThat(held).hasValue(1);
    }

    /** A call to the registry may hang, and the clock may be corrected meanwhile. */
    @Test
    void leaseIsExpiringWhileTheRegistryDoesNotAnswerForHalfOfItsTime() throws Exception {
        SnowflakeIdGenerator opened = open(registry, TTL);
        Instant renewed = time.timestamp();
        CountDownLatch answers = new CountDownLatch(1);
        registry.hook(call -> {
            if (call.name().equals("renew")) {
                answers.await();
            }
        });
        time.pass(TTL.dividedBy(2).minusMillis(1));
        time.stepClock(Duration.ofMillis(1));
        assertThat(opened.lease().orElseThrow().state()).isEqualTo(State.HELD);
        time.stepClock(Duration.ofHours(-1));

        time.pass(Duration.ofMillis(1));

        assertThat(opened.lease().orElseThrow())
                .extracting(WorkerLease::state, WorkerLease::reason)
                .containsExactly(State.EXPIRING, "no renewal was confirmed since " + renewed);
        assertThat(held).as("reports of the lease's thread").hasValue(1);
        answers.countDown();
    }

    @Test
    void leaseThatHasEndedIsExpiringAgainIfTheClockIsSetBackBeforeItsEnd() {
        SnowflakeIdGenerator opened = open(registry, TTL);
        registry.hook(call -> {
            throw new IllegalStateException("no answer");
        });
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> "no answer".equals(opened.lease().orElseThrow().reason()));
        List<State> states = new ArrayList<>();

        for (Duration step : List.of(Duration.ZERO, TTL, TTL.negated())) {
            time.stepClock(step);
            states.add(opened.lease().orElseThrow().state());
        }

        assertThat(states).containsExactly(State.EXPIRING, State.ENDED, State.EXPIRING);
        registry.hook(call -> {});
    }

    /** The clock reaches the fence earlier than a renewal is due. */
    @Test
    void leaseOfAMachineWhoseClockIsAheadIsRenewedAtItsFence() {
        SnowflakeIdGenerator opened = open(registry, TTL);
        time.stepClock(TTL);
        AtomicInteger renewals = new AtomicInteger();
        registry.hook(call -> {
            if (call.name().equals("renew") && call.isAfter()) {
                renewals.incrementAndGet();
            }
        });
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> renewals.get() == 1 && opened.tryNextId().isPresent());
        time.awaitIdle();
        Duration left =
                Duration.between(time.timestamp(), opened.lease().orElseThrow().fence());
        assertThat(left).isPositive().isLessThan(TTL.dividedBy(3));

        CountDownLatch answers = new CountDownLatch(1);
        registry.hook(call -> {
            if (call.name().equals("renew") && call.isAfter()) {
                answers.await();
                renewals.incrementAndGet();
            }
        });
        time.pass(left);
        State atTheFence = opened.lease().orElseThrow().state();
        answers.countDown();
        assertThat(atTheFence).isEqualTo(State.ENDED);
        ScriptedTime.await(() -> renewals.get() == 2 && opened.tryNextId().isPresent());
        assertThatAnIdCanBeIssued(opened);
    }

    /** The registry may hang while the reason is read. */
    @Test
    void leaseIsNotHeldWhileTheReasonForItsLossIsRead() throws Exception {
        SnowflakeIdGenerator opened = open(registry, TTL);
        BlockingQueue<WorkerLease> seen = new LinkedBlockingQueue<>();
        registry.hook(call -> {
            if (call.name().equals("renew") && !call.isAfter()) {
                store.clear();
            } else if (call.name().equals("read") && !call.isAfter()) {
                seen.add(opened.lease().orElseThrow());
            }
        });
        time.pass(TTL.dividedBy(3));

        assertThat(seen.poll(60, TimeUnit.SECONDS))
                .extracting(WorkerLease::state, WorkerLease::reason)
                .containsExactly(State.LOST, "its entry has changed");
    }

    /** Registries keep milliseconds, and a write that was not answered is recognized by what it has written. */
    @Test
    void ownWritesAreRecognizedEvenIfTheTimeToLiveHasDigitsBelowAMillisecond() {
        late.set(true);
        registry.hook(call -> {
            if (call.isAfter() && call.name().matches("acquire|renew") && late.getAndSet(false)) {
                throw new IllegalStateException("answer lost");
            }
        });
        time.passWhileSleeping();
        SnowflakeIdGenerator opened = open(new WholeMillis(registry), TTL.plusNanos(999_999));
        late.set(true);
        time.pass(TTL.dividedBy(3).plusMillis(1));
        ScriptedTime.await(() -> !late.get());
        time.awaitIdle();
        Instant expires = store.read().entries().get(0).expiresAt();
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> store.read().entries().get(0).expiresAt().isAfter(expires));

        assertThat(opened.workerId().workerId()).isZero();
        assertThat(opened.statistics().acquisitions()).isEqualTo(1);
        assertThat(store.read().entries()).hasSize(1);
    }

    /** A registry that keeps whole milliseconds, as databases do. */
    private record WholeMillis(WorkerRegistry target) implements WorkerRegistry {

        private static Claim whole(Claim claim) {
            return claim.until(whole(claim.reservedUntil()));
        }

        private static Instant whole(Instant instant) {
            return instant.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public String namespace() {
            return target.namespace();
        }

        @Override
        public Snapshot read() {
            return target.read();
        }

        @Override
        public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
            return target.acquire(seen, whole(claim), ttl);
        }

        @Override
        public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
            return target.renew(whole(held), whole(reservedUntil), ttl);
        }

        @Override
        public boolean release(Claim held, Instant reservedUntil) {
            return target.release(whole(held), whole(reservedUntil));
        }
    }
}
