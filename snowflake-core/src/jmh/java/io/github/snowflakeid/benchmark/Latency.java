package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.benchmark.Peer.Source;
import io.github.snowflakeid.segment.InMemorySegmentStore;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Latency of single calls, measured by nanoTime around each call. Each figure includes the cost of nanoTime. */
final class Latency {

    private static final int PACED_CALLS = 10_000;
    private static final int CALLS_AT_THE_CAP = 20_000_000;
    private static final long NOT_COUNTED = 2_000_000_000;
    private static final int MILLION_A_SECOND_CALLS = 20_000_000;
    private static final int BURSTS = 3_000;
    private static final int BURST = 2_048;

    private Latency() {}

    /** Prints the row of one generator as the last line. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("store")) {
            System.out.println(withAStore());
            System.exit(0);
        }
        Peer peer = Peer.valueOf(arguments[1]);
        boolean floor = peer == Peer.ATOMIC_LONG;
        Source source = floor ? Source.withoutTime(Latency::clockAndAtomic) : peer.make(Limit.TWITTER);
        System.out.println(
                switch (arguments[0]) {
                    case "paced" -> paced(source.caller());
                    case "burst" -> burst(source.caller());
                    default -> atTheCap(source, Integer.parseInt(arguments[0]));
                });
        System.exit(0);
    }

    /** Returns the cheapest possible generator that reads the clock for each ID. */
    private static LongSupplier clockAndAtomic() {
        AtomicLong atomic = new AtomicLong();
        return () -> System.currentTimeMillis() + atomic.getAndIncrement();
    }

    private static long nanosOf(LongSupplier ids, long[] made, int at) {
        long before = System.nanoTime();
        long id = ids.getAsLong();
        long nanos = System.nanoTime() - before;
        made[at] = id;
        return nanos;
    }

    /**
     * A thousand calls a second, each after a sleep, alternating with calls of the cheapest possible generator. How
     * cold a processor is after a sleep varies more from minute to minute than generators differ.
     */
    private static String paced(LongSupplier ids) {
        LongSupplier floor = clockAndAtomic();
        long[] ofFloor = new long[PACED_CALLS];
        long[] ofIds = new long[PACED_CALLS];
        long[] made = new long[PACED_CALLS];
        // The first run is for the compiler, because the profile of another rate would lead to other code.
        for (int time = 0; time < 2; time++) {
            for (int i = 0; i < PACED_CALLS; i++) {
                // The order alternates, so that neither call always follows the system's own timers.
                for (int turn = i; turn <= i + 1; turn++) {
                    LockSupport.parkNanos(450_000);
                    if (turn % 2 == 0) {
                        ofFloor[i] = nanosOf(floor, made, i);
                    } else {
                        ofIds[i] = nanosOf(ids, made, i);
                    }
                }
            }
        }
        String row = percentiles(ofIds);
        Arrays.sort(ofFloor);
        double ofFloor99 = percentile(ofFloor, 0.99);
        return row + String.format(Locale.ROOT, " %,.0f | %.2f |", ofFloor99, percentile(ofIds, 0.99) / ofFloor99);
    }

    /** A million calls a second while segments are fetched from a store that takes 5 ms for each answer. */
    private static String withAStore() {
        InMemorySegmentStore store = new InMemorySegmentStore();
        store.answerAfter(Duration.ofMillis(5));
        try (SegmentIdGenerator generator =
                SegmentIdGenerator.builder().name("numbers").store(store).build()) {
            long[] nanos = new long[MILLION_A_SECOND_CALLS];
            long[] made = new long[MILLION_A_SECOND_CALLS];
            Duration before = Duration.ZERO;
            // The first run is for the compiler, and lets the step grow.
            for (int time = 0; time < 2; time++) {
                before = generator.statistics().waited();
                long next = System.nanoTime();
                for (int i = 0; i < MILLION_A_SECOND_CALLS; i++) {
                    while (System.nanoTime() - next < 0) {
                        Thread.onSpinWait();
                    }
                    nanos[i] = nanosOf(generator::nextId, made, i);
                    next += 1_000;
                }
            }
            return "%s %d ms |"
                    .formatted(
                            percentiles(nanos),
                            generator.statistics().waited().minus(before).toMillis());
        }
    }

    /** Half of the IDs of a 12-bit sequence in each millisecond, then a pause. */
    private static String burst(LongSupplier ids) {
        long[] nanos = new long[BURSTS];
        long sum = 0;
        for (int burst = -BURSTS; burst < BURSTS; burst++) {
            for (long now = System.currentTimeMillis(); System.currentTimeMillis() == now; ) {
                Thread.onSpinWait();
            }
            long before = System.nanoTime();
            for (int i = 0; i < BURST; i++) {
                sum += ids.getAsLong();
            }
            if (burst >= 0) {
                nanos[burst] = System.nanoTime() - before;
            }
        }
        if (sum == 0) {
            throw new IllegalStateException("no ids");
        }
        Arrays.sort(nanos);
        LockSupport.parkNanos(1_000_000_000L);
        long cpu = CpuTime.now();
        long begin = System.nanoTime();
        LockSupport.parkNanos(3_000_000_000L);
        double idle = (double) (CpuTime.now() - cpu) / (System.nanoTime() - begin);
        return String.format(
                Locale.ROOT,
                "| %.1f | %.1f | %.4f |",
                percentile(nanos, 0.5) / BURST,
                percentile(nanos, 0.99) / BURST,
                idle);
    }

    /** At full speed, after two seconds that do not count: there may be drift left, and code to compile. */
    private static String atTheCap(Source source, int callers) throws Exception {
        int calls = CALLS_AT_THE_CAP / callers;
        long[][] nanos = new long[callers][calls];
        long[][] made = new long[callers][calls];
        Correctness.inThreads(callers, thread -> {
            LongSupplier ids = source.caller();
            for (long begin = System.nanoTime(); System.nanoTime() - begin < NOT_COUNTED; ) {
                call(ids, nanos[thread], made[thread], 1024);
            }
            call(ids, nanos[thread], made[thread], calls);
        });
        long[] all = Arrays.stream(nanos).flatMapToLong(Arrays::stream).toArray();
        return percentiles(all) + " " + Correctness.of(made) + " |";
    }

    private static void call(LongSupplier ids, long[] nanos, long[] made, int calls) {
        for (int i = 0; i < calls; i++) {
            nanos[i] = nanosOf(ids, made, i);
        }
    }

    /** Sorts the array. */
    private static String percentiles(long[] nanos) {
        Arrays.sort(nanos);
        StringBuilder row = new StringBuilder("|");
        for (double part : new double[] {0.5, 0.9, 0.99, 0.999, 0.9999, 1}) {
            row.append(String.format(Locale.ROOT, " %,.0f |", percentile(nanos, part)));
        }
        return row.toString();
    }

    static double percentile(long[] sorted, double part) {
        return sorted[(int) (part * (sorted.length - 1))];
    }
}
