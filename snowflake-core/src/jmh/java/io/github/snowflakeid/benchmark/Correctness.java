package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.benchmark.Peer.Source;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** What is right and wrong with the ids that come so fast: two threads make two million each. */
record Correctness(long duplicates, boolean ordered, long aheadMillis, long behindMillis, boolean timed) {

    private static final int THREADS = 2;
    private static final int IDS = 2_000_000;
    private static final int LOOK_AT_THE_CLOCK = 64;

    static Correctness of(Peer peer, Limit limit) throws InterruptedException {
        Source source = peer.make(limit);
        long[] all = new long[THREADS * IDS];
        long[] ahead = new long[THREADS];
        long[] behind = new long[THREADS];
        boolean[] ordered = {true, true};
        Thread[] threads = new Thread[THREADS];
        CountDownLatch start = new CountDownLatch(THREADS);
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            threads[t] = new Thread(() -> {
                start.countDown();
                long last = Long.MIN_VALUE;
                for (int i = 0; i < IDS; i++) {
                    boolean look = i % LOOK_AT_THE_CLOCK == 0 && source.shift() >= 0;
                    long before = look ? System.currentTimeMillis() : 0;
                    long id = source.ids().getAsLong();
                    if (look) {
                        ahead[thread] = Math.max(ahead[thread], source.millisOf(id) - System.currentTimeMillis());
                        behind[thread] =
                                Math.max(behind[thread], before - source.millisOf(id) - source.tickMillis() + 1);
                    }
                    ordered[thread] &= id > last;
                    last = id;
                    all[thread * IDS + i] = id;
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        source.end().run();
        Arrays.sort(all);
        long duplicates = 0;
        for (int i = 1; i < all.length; i++) {
            duplicates += all[i] == all[i - 1] ? 1 : 0;
        }
        return new Correctness(
                duplicates,
                ordered[0] && ordered[1],
                Math.max(ahead[0], ahead[1]),
                Math.max(behind[0], behind[1]),
                source.shift() >= 0);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d duplicates, %s%s",
                duplicates,
                ordered ? "ascending" : "not ascending",
                timed ? ", up to %d ms ahead, %d ms behind".formatted(aheadMillis, behindMillis) : "");
    }
}
