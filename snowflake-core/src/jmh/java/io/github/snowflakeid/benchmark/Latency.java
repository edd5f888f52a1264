package io.github.snowflakeid.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.github.snowflakeid.benchmark.Peer.Source;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** How long single calls take, by nanoTime around each: what that takes itself is in every figure. */
final class Latency {

    private static final int WARM_UP = 3_000_000;
    private static final int WARM_UP_MILLIS = 5_000;

    private Latency() {}

    /** Prints the row of one generator, as the last line. */
    public static void main(String[] arguments) {
        Peer peer = Peer.valueOf(arguments[0]);
        boolean paced = Boolean.parseBoolean(arguments[1]);
        Source source = peer == Peer.ATOMIC_LONG ? Source.withoutTime(clockAndAtomic()) : peer.make(Peer.Limit.TWITTER);
        System.out.println(paced ? paced(source, 20_000) : atTheCap(source, 20_000_000));
        System.exit(0);
    }

    /** A thousand calls a second, each after a sleep. */
    private static String paced(Source source, int calls) {
        LongSupplier ids = source.ids();
        warmUpSlowly(ids);
        pause();
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = process.getProcessCpuTime();
        long begin = System.nanoTime();
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            LockSupport.parkNanos(1_000_000);
            long before = System.nanoTime();
            ids.getAsLong();
            nanos[i] = System.nanoTime() - before;
        }
        double cores = (double) (process.getProcessCpuTime() - cpu) / (System.nanoTime() - begin);
        return percentiles(nanos) + String.format(Locale.ROOT, " %.3f |", cores);
    }

    /** As fast as they come. */
    private static String atTheCap(Source source, int calls) {
        LongSupplier ids = source.ids();
        warmUp(ids);
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            long before = System.nanoTime();
            ids.getAsLong();
            nanos[i] = System.nanoTime() - before;
        }
        return percentiles(nanos);
    }

    /** The least that a call can take that reads the clock for its id. */
    private static LongSupplier clockAndAtomic() {
        AtomicLong atomic = new AtomicLong();
        return () -> System.currentTimeMillis() + atomic.getAndIncrement();
    }

    private static void warmUp(LongSupplier ids) {
        long sum = 0;
        for (int i = 0; i < WARM_UP; i++) {
            sum += ids.getAsLong();
        }
        checkNotConstant(sum);
    }

    /** Not so fast that a generator would do otherwise than at a low rate. */
    private static void warmUpSlowly(LongSupplier ids) {
        long sum = 0;
        for (int millis = 0; millis < WARM_UP_MILLIS; millis++) {
            for (int i = 0; i < 200; i++) {
                sum += ids.getAsLong();
            }
            for (long now = System.currentTimeMillis(); System.currentTimeMillis() == now; ) {
                Thread.onSpinWait();
            }
        }
        checkNotConstant(sum);
    }

    private static void checkNotConstant(long sum) {
        if (sum == 0) {
            throw new IllegalStateException("no ids");
        }
    }

    private static void pause() {
        LockSupport.parkNanos(2_000_000_000L);
    }

    private static String percentiles(long[] nanos) {
        Arrays.sort(nanos);
        StringBuilder row = new StringBuilder("|");
        for (double part : new double[] {0.5, 0.9, 0.99, 0.999, 0.9999}) {
            row.append(String.format(Locale.ROOT, " %,d |", nanos[(int) (part * (nanos.length - 1))]));
        }
        return row.append(String.format(Locale.ROOT, " %,d |", nanos[nanos.length - 1]))
                .toString();
    }
}
