package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.benchmark.Peer.Source;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares peers with each other, in turns in one process. Whatever slows a shared machine down for a while affects all
 * of them alike, so a ratio is more reliable than two figures of different minutes.
 */
final class PairedComparison {

    /** The two sides of a ratio. */
    record Pair(String shown, Peer one, Peer other) {}

    /** Our generator against the lower bound, and leased against fixed worker IDs. */
    static final List<Pair> SNOWFLAKES = List.of(
            new Pair("fixed / `AtomicLong`", Peer.OURS, Peer.ATOMIC_LONG),
            new Pair("leased / `AtomicLong`", Peer.OURS_LEASED, Peer.ATOMIC_LONG),
            new Pair("leased / fixed", Peer.OURS_LEASED, Peer.OURS));

    static final List<Pair> SEGMENTS = List.of(
            new Pair("long segments / `AtomicLong`", Peer.OURS_LONG_SEGMENT, Peer.ATOMIC_LONG),
            new Pair("long segments / CosId", Peer.OURS_LONG_SEGMENT, Peer.COSID_SEGMENT),
            new Pair("short segments / CosId", Peer.OURS_SEGMENT, Peer.COSID_SEGMENT));

    private static final int WARM_UP_WINDOWS = 10;
    private static final int WINDOWS = 30;
    private static final long WINDOW_NANOS = 150_000_000;

    /** Until the thread that reads the clock for the callers has ended. */
    private static final long PAUSE_NANOS = 100_000_000;

    private static volatile boolean over;

    private PairedComparison() {}

    static String table(List<Pair> pairs, int[] threads) throws Exception {
        List<Peer> peers = peersOf(pairs);
        StringBuilder table = new StringBuilder(
                "In turns in one process, windows of 150 ms, 30 of each: median of the ratios, and their quartiles.\n\n");
        table.append("| threads |");
        pairs.forEach(pair -> table.append(" %s |".formatted(pair.shown())));
        table.append("\n| --- |").append(" --- |".repeat(pairs.size())).append('\n');
        for (int count : threads) {
            double[][] rates = rates(peers, count);
            table.append("| %d |".formatted(count));
            for (Pair pair : pairs) {
                double[] one = rates[peers.indexOf(pair.one())];
                double[] other = rates[peers.indexOf(pair.other())];
                table.append(ratio(window -> one[window] / other[window]));
            }
            table.append('\n');
        }
        return table.toString();
    }

    static List<Peer> peersOf(List<Pair> pairs) {
        return pairs.stream()
                .flatMap(pair -> Stream.of(pair.one(), pair.other()))
                .distinct()
                .sorted()
                .toList();
    }

    private static String ratio(IntToDoubleFunction ofWindow) {
        double[] sorted =
                IntStream.range(0, WINDOWS).mapToDouble(ofWindow).sorted().toArray();
        return String.format(
                Locale.ROOT,
                " %.2f (%.2f to %.2f) |",
                sorted[WINDOWS / 2],
                sorted[WINDOWS / 4],
                sorted[WINDOWS * 3 / 4]);
    }

    private static double[][] rates(List<Peer> peers, int threads) throws Exception {
        List<Source> sources = peers.stream().map(peer -> peer.make(Limit.NONE)).toList();
        List<ToLongFunction<LongSupplier>> loops = new ArrayList<>();
        for (int peer = 0; peer < peers.size(); peer++) {
            loops.add(copyOfLoop());
        }
        double[][] rates = new double[peers.size()][WINDOWS];
        for (int window = -WARM_UP_WINDOWS; window < WINDOWS; window++) {
            for (int peer = 0; peer < rates.length; peer++) {
                double rate = rate(sources.get(peer), loops.get(peer), threads);
                if (window >= 0) {
                    rates[peer][window] = rate;
                }
            }
        }
        sources.forEach(source -> source.end().run());
        return rates;
    }

    private static double rate(Source source, ToLongFunction<LongSupplier> loop, int threads) throws Exception {
        AtomicLong calls = new AtomicLong();
        CountDownLatch ready = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        over = false;
        Thread[] callers = new Thread[threads];
        Arrays.setAll(
                callers,
                thread -> new Thread(() -> {
                    LongSupplier ids = source.caller();
                    ready.countDown();
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    calls.addAndGet(loop.applyAsLong(ids));
                }));
        for (Thread caller : callers) {
            caller.start();
        }
        ready.await();
        long begin = System.nanoTime();
        go.countDown();
        LockSupport.parkNanos(WINDOW_NANOS);
        over = true;
        for (Thread caller : callers) {
            caller.join();
        }
        double rate = (double) calls.get() / (System.nanoTime() - begin);
        LockSupport.parkNanos(PAUSE_NANOS);
        return rate;
    }

    /**
     * HotSpot inlines the call in a loop only if it has seen a single target there, so each target gets a new copy of
     * the class.
     */
    @SuppressWarnings("unchecked")
    private static ToLongFunction<LongSupplier> copyOfLoop() throws IOException, ReflectiveOperationException {
        try (InputStream code = Objects.requireNonNull(
                PairedComparison.class.getResourceAsStream(Loop.class.getSimpleName() + ".class"))) {
            Class<?> copy = MethodHandles.lookup()
                    .defineHiddenClass(code.readAllBytes(), true)
                    .lookupClass();
            return (ToLongFunction<LongSupplier>) copy.getDeclaredConstructor().newInstance();
        }
    }

    static boolean isOver() {
        return over;
    }
}

/** Calls until the time is over, and counts the calls. */
final class Loop implements ToLongFunction<LongSupplier> {

    Loop() {}

    @Override
    public long applyAsLong(LongSupplier ids) {
        long calls = 0;
        long sum = 0;
        while (!PairedComparison.isOver()) {
            for (int i = 0; i < 100; i++) {
                sum += ids.getAsLong();
            }
            calls += 100;
        }
        if (sum == 0 && calls > 0) {
            throw new IllegalStateException("no ids");
        }
        return calls;
    }
}
