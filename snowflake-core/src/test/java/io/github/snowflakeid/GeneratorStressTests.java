package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads generate IDs at once while the clock jumps. */
// Slow: loads all processors with millions of IDs.
@Tag("full")
class GeneratorStressTests {

    private static final Duration MAX_DRIFT = Duration.ofMillis(20);
    private static final Duration MAX_WAIT = Duration.ofMillis(5);

    @ParameterizedTest
    @ValueSource(ints = {0, 16})
    void sixteenThreadsGetAMillionDifferentIdsEachWhileTheClockJumps(int manyForATicker) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        assertAllDifferent(threads, 16, 1_000_000, manyForATicker);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16})
    @EnabledForJreRange(min = JRE.JAVA_21)
    void tenThousandVirtualThreadsGetDifferentIdsWhileTheClockJumps(int manyForATicker) throws Exception {
        ExecutorService virtualThreads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        assertAllDifferent(virtualThreads, 10_000, 200, manyForATicker);
    }

    private static void assertAllDifferent(ExecutorService threads, int callers, int idsEach, int manyForATicker)
            throws Exception {
        AtomicLong refusals = new AtomicLong();
        JumpingClock clock = new JumpingClock(20261121, refusals);
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(1, 2))
                .time(new TimeSource(clock) {
                    @Override
                    int manyInAMillisecond() {
                        return manyForATicker;
                    }
                })
                .maxDrift(MAX_DRIFT)
                .maxWait(MAX_WAIT)
                .build();
        List<Future<long[]>> results = new ArrayList<>();
        long[] all = new long[callers * idsEach];
        Thread jumping = clock.start();
        try {
            for (int i = 0; i < callers; i++) {
                int seed = i;
                results.add(threads.submit(() -> collect(generator, clock, idsEach, seed, refusals)));
            }
            for (int i = 0; i < callers; i++) {
                long[] ids = results.get(i).get();
                for (int k = 1; k < ids.length; k++) {
                    if (ids[k] <= ids[k - 1]) {
                        throw new AssertionError("caller " + i + " got " + ids[k] + " after " + ids[k - 1]);
                    }
                }
                System.arraycopy(ids, 0, all, i * idsEach, idsEach);
            }
        } finally {
            clock.stop.set(true);
            jumping.join();
            threads.shutdown();
        }

        Arrays.parallelSort(all);
        for (int i = 1; i < all.length; i++) {
            if (all[i] == all[i - 1]) {
                throw new AssertionError("twice: " + generator.layout().decode(all[i]));
            }
        }
        assertThat(all[0]).isPositive();
        assertThat(refusals).hasPositiveValue();
    }

    /** Collects IDs one by one and in batches; each exception must be the specified one. */
    private static long[] collect(
            SnowflakeIdGenerator generator, JumpingClock clock, int count, int seed, AtomicLong refusals) {
        SplittableRandom random = new SplittableRandom(seed);
        IdLayout layout = generator.layout();
        long[] ids = new long[count];
        int filled = 0;
        while (filled < count) {
            try {
                if (random.nextInt(8) == 0) {
                    long[] batch = generator.nextIds(1 + random.nextInt(Math.min(count - filled, 100)));
                    System.arraycopy(batch, 0, ids, filled, batch.length);
                    filled += batch.length;
                } else {
                    long id = generator.nextId();
                    ids[filled++] = id;
                }
                long latest = clock.latest.get() + MAX_DRIFT.toMillis();
                long stamped = layout.decode(ids[filled - 1]).timestamp().toEpochMilli();
                if (stamped > latest) {
                    throw new AssertionError("id is " + (stamped - latest) + " ms beyond the drift");
                }
            } catch (ClockMovedBackwardsException e) {
                refusals.incrementAndGet();
                if (!e.tolerated().equals(MAX_DRIFT.plus(MAX_WAIT))
                        || e.behind().compareTo(Duration.ZERO) <= 0) {
                    throw new AssertionError("wrong refusal", e);
                }
                Thread.onSpinWait();
            }
        }
        return ids;
    }

    /**
     * Advances at about the pace of real time, and jumps back and forth, within the budget and beyond it. At first it
     * stays beyond the budget until a caller is rejected, because later jumps are so short that all callers may miss
     * them.
     */
    private static final class JumpingClock implements InstantSource {

        private final SplittableRandom random;
        private final AtomicLong refusals;
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicLong latest =
                new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
        private volatile long millis = latest.get();

        JumpingClock(long seed, AtomicLong refusals) {
            random = new SplittableRandom(seed);
            this.refusals = refusals;
        }

        Thread start() {
            Thread thread = new Thread(() -> {
                millis = latest.get() - 20_000;
                while (refusals.get() == 0 && !stop.get()) {
                    Thread.onSpinWait();
                }
                while (!stop.get()) {
                    long furthest = latest.addAndGet(random.nextInt(8));
                    millis = furthest
                            - switch (random.nextInt(8)) {
                                case 0 -> random.nextInt(20_000);
                                case 1 -> 20 + random.nextInt(5);
                                case 2, 3 -> random.nextInt(20);
                                default -> 0;
                            };
                    for (int i = random.nextInt(200); i > 0; i--) {
                        Thread.onSpinWait();
                    }
                }
            });
            thread.start();
            return thread;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }

        @Override
        public long millis() {
            return millis;
        }
    }
}
