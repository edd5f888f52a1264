package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.benchmark.Peer.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Whether IDs at full speed are correct.
 *
 * @param duplicates the number of duplicate IDs
 * @param ordered whether the IDs of each thread ascend
 */
record Correctness(long duplicates, boolean ordered) {

    private static final int THREADS = 2;
    private static final int IDS = 1 << 21;
    private static final long OFFSET_NANOS = 2_000_000_000;
    private static final int LOOK_AT_THE_CLOCK = 64;
    private static final long OLD_MILLIS = 2;

    /** Two threads generate two million IDs each. */
    static Correctness of(Peer peer, Limit limit) throws Exception {
        Source source = peer.make(limit);
        Correctness found = of(made -> {
            LongSupplier ids = source.caller();
            for (int i = 0; i < made.length; i++) {
                made[i] = ids.getAsLong();
            }
        });
        source.end().run();
        return found;
    }

    /** Two threads fill an array each. */
    static Correctness of(Consumer<long[]> maker) throws Exception {
        long[][] made = new long[THREADS][IDS];
        inThreads(THREADS, thread -> maker.accept(made[thread]));
        return of(made);
    }

    /** Runs the body in several threads, and fails if one of them fails. */
    static void inThreads(int threads, IntConsumer body) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Callable<Object>> bodies = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            bodies.add(() -> {
                body.accept(thread);
                return null;
            });
        }
        for (Future<Object> ended : pool.invokeAll(bodies)) {
            ended.get();
        }
        pool.shutdown();
    }

    /** Checks the IDs of each thread. */
    static Correctness of(long[][] made) {
        boolean ordered = true;
        for (long[] ofOne : made) {
            for (int i = 1; i < ofOne.length; i++) {
                ordered &= ofOne[i] > ofOne[i - 1];
            }
        }
        long[] all = Arrays.stream(made).flatMapToLong(Arrays::stream).sorted().toArray();
        long duplicates = 0;
        for (int i = 1; i < all.length; i++) {
            duplicates += all[i] == all[i - 1] ? 1 : 0;
        }
        return new Correctness(duplicates, ordered);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d duplicates, %s", duplicates, ordered ? "ascending" : "not ascending");
    }

    /**
     * Returns how far timestamps differ from the clock while one thread generates IDs for two seconds, which leaves a
     * processor for a helper thread.
     */
    static String offset(Peer peer, Limit limit) {
        Source source = peer.make(limit);
        if (!source.timed()) {
            return "";
        }
        LongSupplier ids = source.caller();
        long ahead = 0;
        long behind = 0;
        long looks = 0;
        long old = 0;
        long sum = 0;
        for (long begin = System.nanoTime(); System.nanoTime() - begin < OFFSET_NANOS; ) {
            for (int i = 1; i < LOOK_AT_THE_CLOCK; i++) {
                sum += ids.getAsLong();
            }
            long before = System.currentTimeMillis();
            long millis = source.millisOf(ids.getAsLong());
            ahead = Math.max(ahead, millis - System.currentTimeMillis());
            long age = before - millis - source.tickMillis() + 1;
            behind = Math.max(behind, age);
            looks++;
            old += age > OLD_MILLIS ? 1 : 0;
        }
        source.end().run();
        if (sum == 0) {
            throw new IllegalStateException("no ids");
        }
        return String.format(Locale.ROOT, ", up to %d ms ahead, %d ms behind", ahead, behind)
                + (old == 0 ? "" : String.format(Locale.ROOT, " (%.4f %% more than 2 ms)", 100.0 * old / looks));
    }
}
