package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases of layouts whose ticks are longer than a restart takes. */
class LongTickTests {

    private static final Duration TTL = Duration.ofSeconds(60);

    private final ScriptedTime time = ScriptedTime.at(IdLayout.DEFAULT.epoch().plus(Duration.ofDays(400)));
    private final InMemoryRegistry store = new InMemoryRegistry(time::now);
    private final List<HookedRegistry> registries = new ArrayList<>();
    private final List<SnowflakeIdGenerator> opened = new ArrayList<>();
    private Duration maxWait = Duration.ZERO;

    @AfterEach
    void closeAll() {
        registries.forEach(registry -> registry.hook(call -> {}));
        opened.forEach(SnowflakeIdGenerator::close);
    }

    private static IdLayout layout(Duration tick, int workerBits) {
        return IdLayout.builder()
                .tick(tick)
                .timestampBits(31)
                .datacenterBits(0)
                .workerBits(workerBits)
                .sequenceBits(8)
                .build();
    }

    private SnowflakeIdGenerator open(IdLayout layout) {
        HookedRegistry registry = new HookedRegistry(store);
        registries.add(registry);
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(layout)
                .lease(LeaseTerms.of(registry).withTtl(TTL))
                .maxDrift(Duration.ZERO)
                .maxWait(maxWait)
                .time(time)
                .build();
        opened.add(generator);
        return generator;
    }

    /** Simulates that the process of the last generator is killed: nothing is written any more. */
    private void kill() {
        registries.get(registries.size() - 1).hook(call -> {
            throw new IllegalStateException("the process was killed");
        });
    }

    private Entry entry() {
        return store.read().entries().get(0);
    }

    /** Returns where the IDs of the next holder begin. */
    private Instant nextIds(IdLayout layout) {
        return layout.timestampOf(layout.tickAtOrAfter(entry().reservedUntil()));
    }

    /** Lets time pass, and lets the lease be renewed whenever a renewal is due. */
    private void pass(Duration duration) {
        Duration left = duration;
        for (; left.compareTo(TTL.dividedBy(3)) >= 0; left = left.minus(TTL.dividedBy(3))) {
            awaitRenewal();
        }
        time.pass(left);
    }

    /** Lets time pass until the lease is renewed. */
    private void awaitRenewal() {
        Instant expires = entry().expiresAt();
        time.pass(TTL.dividedBy(3));
        ScriptedTime.await(() -> entry().expiresAt().isAfter(expires));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT10S", "PT1M", "PT1H"})
    void generatorThatIsRestartedWithinATickLeasesItsWorkerIdAtOnceAndContinuesWithTheNextTick(Duration tick) {
        IdLayout layout = layout(tick, 0);
        SnowflakeIdGenerator before = open(layout);
        long last = before.nextId();
        before.close();

        SnowflakeIdGenerator after = open(layout);
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(after::nextId);
        pass(tick.minusMillis(1));
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(after::nextId);
        time.pass(Duration.ofMillis(1));
        assertThat(layout.decode(after.nextId()).timestamp())
                .isEqualTo(layout.decode(last).timestamp().plus(tick));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT10S", "PT1M", "PT1H"})
    void killedGeneratorHasReservedNoMoreThanTheTimeToLiveAndATick(Duration tick) {
        IdLayout layout = layout(tick, 0);
        time.pass(tick.dividedBy(2));
        SnowflakeIdGenerator generator = open(layout);
        for (int i = 0; i < 5; i++) {
            generator.nextId();
            assertThat(nextIds(layout)).isBeforeOrEqualTo(time.now().plus(TTL).plus(tick));
            awaitRenewal();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT10S", "PT1M", "PT1H"})
    void workerIdOfAKilledGeneratorIsLeasedOnceItHasExpiredAlsoWithinTheSameTick(Duration tick) {
        IdLayout layout = layout(tick, 0);
        long last = open(layout).nextId();
        kill();
        time.pass(TTL.multipliedBy(2));

        SnowflakeIdGenerator after = open(layout);
        pass(tick);
        assertThat(after.nextId()).isGreaterThan(last);
    }

    /**
     * Each generator begins with the next tick, and does not reserve it before the clock is near, even if callers
     * request IDs.
     */
    @Test
    void generatorsThatAreRestartedAndKilledWithinATickReserveNoMoreThanTheTimeToLiveAndATick() {
        Duration tick = Duration.ofHours(1);
        IdLayout layout = layout(tick, 0);
        SnowflakeIdGenerator before = open(layout);
        before.nextId();
        before.close();
        maxWait = Duration.ofSeconds(1);
        for (int restarts = 0; restarts < 5; restarts++) {
            SnowflakeIdGenerator after = open(layout);
            assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(after::nextId);
            awaitRenewal();
            assertThat(nextIds(layout)).isBeforeOrEqualTo(time.now().plus(TTL).plus(tick));
            kill();
            time.pass(TTL.multipliedBy(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT1H"})
    void renewalsAreDistinguishableHoweverLongTicksAre(Duration tick) {
        Set<Instant> ends = ConcurrentHashMap.newKeySet();
        open(layout(tick, 0));
        ends.add(entry().reservedUntil());
        for (int i = 0; i < 5; i++) {
            awaitRenewal();
            assertThat(ends.add(entry().reservedUntil())).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1M", "PT1H"})
    void workerIdWhoseNextTickHasNotBegunIsLeasedOnlyIfThereIsNoOther(Duration tick) {
        IdLayout layout = layout(tick, 1);
        SnowflakeIdGenerator before = open(layout);
        before.nextId();
        before.close();

        SnowflakeIdGenerator first = open(layout);
        SnowflakeIdGenerator second = open(layout);
        assertThat(first.workerId().workerId()).isOne();
        assertThat(first.nextId()).isPositive();
        assertThat(second.workerId().workerId()).isZero();
    }
}
