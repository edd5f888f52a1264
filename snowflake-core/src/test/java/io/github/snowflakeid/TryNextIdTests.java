package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.test.SettableClock;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TryNextIdTests {

    /** Two sequence bits: four IDs fill a tick. */
    private static final IdLayout NARROW = IdLayout.builder().sequenceBits(2).build();

    private final SettableClock clock = SettableClock.at(NARROW.timestampOf(1));

    @Test
    void continuesAfterSingleIdsAndBatches() {
        SnowflakeIdGenerator generator = generator(Duration.ofSeconds(1), clock);
        long first = generator.nextId();
        long second = generator.tryNextId().orElseThrow();
        long[] batch = generator.nextIds(2);
        clock.advance(Duration.ofMillis(5));
        long inANewTick = generator.tryNextId().orElseThrow();

        assertThat(new long[] {first, second, batch[0], inANewTick}).isSorted();
        assertThat(NARROW.decode(second).sequence()).isEqualTo(1);
        assertThat(NARROW.decode(inANewTick).sequence()).isZero();
    }

    @Test
    void isEmptyIfNextIdWouldWaitAndClaimsNothing() {
        SnowflakeIdGenerator generator = generator(Duration.ZERO, clock);
        generator.nextIds(4);

        assertThat(generator.tryNextId()).isEmpty();
        assertThat(generator.tryNextId()).isEmpty();
        clock.advance(Duration.ofMillis(1));

        assertThat(NARROW.decode(generator.tryNextId().orElseThrow()).sequence())
                .isZero();
    }

    @Test
    void runsAheadOfTheClockAsFarAsTheDriftAllows() {
        SnowflakeIdGenerator generator = generator(Duration.ofMillis(2), clock);

        assertThat(IntStream.range(0, 100)
                        .mapToObj(call -> generator.tryNextId())
                        .filter(OptionalLong::isPresent)
                        .distinct())
                .hasSize(3 * 4);
    }

    @Test
    void isEmptyIfTheClockIsTooFarBehind() {
        clock.set(NARROW.timestampOf(500));
        SnowflakeIdGenerator generator = generator(Duration.ofMillis(100), clock);
        generator.nextId();

        clock.set(NARROW.timestampOf(399));
        assertThat(generator.tryNextId()).isEmpty();
        clock.set(NARROW.timestampOf(400));
        assertThat(generator.tryNextId()).isPresent();
    }

    @Test
    void isEmptyIfTheLayoutIsExhausted() {
        SnowflakeIdGenerator generator = generator(Duration.ZERO, clock);
        clock.set(NARROW.timestampOf(NARROW.endTick()));

        assertThat(generator.tryNextId()).isEmpty();
        assertThatExceptionOfType(TimestampExhaustedException.class).isThrownBy(generator::nextId);
    }

    @Test
    void isEmptyIfTheGeneratorIsClosed() {
        SnowflakeIdGenerator generator = generator(Duration.ZERO, clock);
        generator.close();

        assertThat(generator.tryNextId()).isEmpty();
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
    }

    @Test
    void isEmptyIfTheGeneratorDoesNotImplementIt() {
        IdGenerator other = () -> 42;

        assertThat(other.tryNextId()).isEmpty();
    }

    @Test
    void availableIdsAreThoseThatDoNotWait() {
        SnowflakeIdGenerator generator = generator(Duration.ofMillis(10), clock);

        assertAvailable(generator, 11 * 4);
        clock.advance(Duration.ofMillis(3));
        assertAvailable(generator, 3 * 4);
        clock.advance(Duration.ofMillis(-1));
        assertAvailable(generator, 0);
        clock.advance(Duration.ofMillis(1000));
        generator.nextId();
        assertAvailable(generator, 11 * 4 - 1);
    }

    @Test
    void noIdIsAvailableOfAGeneratorThatIsClosedOrAtItsEnd() {
        SnowflakeIdGenerator generator = generator(Duration.ofMillis(10), clock);
        clock.set(NARROW.timestampOf(NARROW.endTick() - 2));
        assertAvailable(generator, 2 * 4);
        clock.set(NARROW.timestampOf(NARROW.endTick()));
        assertAvailable(generator, 0);
        generator.close();

        assertAvailable(generator, 0);
    }

    private static void assertAvailable(SnowflakeIdGenerator generator, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(generator.tryNextId()).isPresent();
        }
        assertThat(generator.tryNextId()).isEmpty();
    }

    /** A call reads its allocation and then the clock. The generator is closed between the two. */
    @Test
    void idClaimedWhileTheGeneratorIsBeingClosedIsNotIssued() {
        AtomicReference<Runnable> atNextLook = new AtomicReference<>(() -> {});
        SnowflakeIdGenerator generator = generator(Duration.ZERO, () -> {
            atNextLook.getAndSet(() -> {}).run();
            return clock.instant();
        });
        generator.nextId();

        atNextLook.set(generator::close);
        assertThat(generator.tryNextId()).isEmpty();
    }

    @Test
    void threadsGetDifferentIdsWhicheverWayTheyAsk() throws Exception {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(0, 29))
                .maxDrift(Duration.ofSeconds(10))
                .build();
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        int each = 20_000;
        CountDownLatch begin = new CountDownLatch(1);
        Set<Thread> threads = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            boolean tries = i % 2 == 0;
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int count = 0; count < each; ) {
                    // Empty if other threads have claimed first in each attempt.
                    OptionalLong id = tries ? generator.tryNextId() : OptionalLong.of(generator.nextId());
                    if (id.isPresent()) {
                        ids.add(id.getAsLong());
                        count++;
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(ids).hasSize(4 * each);
    }

    private static SnowflakeIdGenerator generator(Duration maxDrift, InstantSource clock) {
        return SnowflakeIdGenerator.builder()
                .layout(NARROW)
                .worker(WorkerIdAssigner.fixed(0, 0))
                .clock(clock)
                .maxDrift(maxDrift)
                .maxWait(Duration.ZERO)
                .build();
    }

    /**
     * Event-loop threads call nothing else. Monotonic time stands still while a machine is suspended, so no renewal is
     * due.
     */
    @Test
    @Timeout(60)
    void asksForTheRenewalOfALeaseThatEndedWhileTheMachineWasSuspended() {
        ScriptedTime time = ScriptedTime.at(NARROW.timestampOf(1));
        InMemoryRegistry store = new InMemoryRegistry(time::now);
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(NARROW)
                .lease(LeaseTerms.of(store))
                .time(time)
                .build()) {
            time.suspend(Duration.ofHours(1));

            ScriptedTime.await(() -> generator.tryNextId().isPresent());
        }
    }
}
