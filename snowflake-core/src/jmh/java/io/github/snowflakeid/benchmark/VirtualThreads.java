package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * A hundred thousand virtual threads are started at once, and each requests one ID from a layout with 128 IDs per
 * millisecond. Lower IDs are claimed first, so a thread with a lower ID should not be served later.
 *
 * <p>One reference is a counter, which shows how long the JVM takes to run so many threads. The other reference is a
 * counter after which each thread sleeps until its own time.
 *
 * <p>HotSpot compiles the code of the callers while all of them wait for the start. It omits branches that no thread
 * has reached yet, or assumes the same call targets as in the runs before. Each thread that continues in such code must
 * first go back to the interpreter. This deoptimization costs some 10 microseconds of CPU time per thread, or a second
 * for all of them. Therefore, smaller runs with three other kinds of call targets come first. The measured generator is
 * not among them.
 */
final class VirtualThreads {

    private static final String DEOPTIMIZATION = "jdk.Deoptimization";
    private static final int CALLERS = 100_000;
    private static final int RUNS = 5;
    private static final int WARM_UP_CALLERS = 2_000;
    private static final int WARM_UP_RUNS = 20;
    private static final IdLayout LAYOUT = IdLayout.builder().sequenceBits(7).build();
    private static final int IN_A_MILLISECOND = LAYOUT.maxSequence() + 1;

    private VirtualThreads() {}

    private record Served(long asked, long id, long nanos) {}

    static String table() throws Exception {
        if (Runtime.version().feature() < 21) {
            throw new IllegalStateException("virtual threads need JDK 21, this is JDK "
                    + Runtime.version().feature());
        }
        StringBuilder table = new StringBuilder(
                "| run | generator | all have asked | all are served | the layout dictates | ratio | cores |"
                        + " after a higher id, 99 % | 99.9 % | longest | ids | deoptimizations |\n| --- |");
        table.append(" --- |".repeat(11)).append('\n');
        if (!"false".equals(System.getProperty("warm"))) {
            warmUp();
        }
        for (int run = 1; run <= RUNS; run++) {
            table.append("| %d | counter | %s |%n".formatted(run, crowd(CALLERS, counter())));
            table.append("| %d | counter and sleep | %s |%n".formatted(run, crowd(CALLERS, counterAndSleep())));
            try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                    .layout(LAYOUT)
                    .worker(WorkerIdAssigner.fixed(0, 0))
                    .maxDrift(Duration.ZERO)
                    .maxWait(Duration.ofMinutes(1))
                    .build()) {
                table.append("| %d | snowflake | %s |%n".formatted(run, crowd(CALLERS, begin -> generator.nextId())));
            }
        }
        return table.toString();
    }

    private static void warmUp() throws Exception {
        for (int run = 0; run < WARM_UP_RUNS; run++) {
            AtomicLong other = new AtomicLong();
            crowd(WARM_UP_CALLERS, counter());
            crowd(WARM_UP_CALLERS, counterAndSleep());
            crowd(WARM_UP_CALLERS, begin -> {
                sleepUntil(begin + 1_000_000);
                return other.getAndIncrement();
            });
        }
    }

    private static LongUnaryOperator counter() {
        AtomicLong next = new AtomicLong();
        return begin -> next.getAndIncrement();
    }

    private static LongUnaryOperator counterAndSleep() {
        AtomicLong next = new AtomicLong();
        return begin -> {
            long id = next.getAndIncrement();
            sleepUntil(begin + id * 1_000_000 / IN_A_MILLISECOND);
            return id;
        };
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static String crowd(int callers, LongUnaryOperator idOfWhoBeganAt) throws Exception {
        Served[] served = new Served[callers];
        long[] begin = new long[1];
        CountDownLatch ready = new CountDownLatch(callers);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(callers);
        Recording recording = new Recording();
        recording.enable(DEOPTIMIZATION).withoutStackTrace();
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        for (int i = 0; i < callers; i++) {
            int caller = i;
            threads.submit(() -> {
                try {
                    ready.countDown();
                    go.await();
                    long asked = System.nanoTime();
                    long id = idOfWhoBeganAt.applyAsLong(begin[0]);
                    served[caller] = new Served(asked, id, System.nanoTime());
                } finally {
                    done.countDown();
                }
                return null;
            });
        }
        ready.await();
        // Otherwise, the stacks of all threads are likely to be collected while they are served.
        System.gc();
        recording.start();
        long cpu = CpuTime.now();
        begin[0] = System.nanoTime();
        go.countDown();
        done.await();
        double cores = (double) (CpuTime.now() - cpu) / (System.nanoTime() - begin[0]);
        recording.stop();
        threads.shutdown();
        if (Arrays.asList(served).contains(null)) {
            throw new IllegalStateException("not everybody got an id");
        }
        return row(served, begin[0], cores) + " | " + deoptimizations(recording);
    }

    private static long deoptimizations(Recording recording) throws Exception {
        Path file = Files.createTempFile("virtual", ".jfr");
        try (recording) {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).size();
        } finally {
            Files.delete(file);
        }
    }

    private static String row(Served[] served, long begin, double cores) {
        Arrays.sort(served, Comparator.comparingLong(Served::id));
        long lastAsked = begin;
        long lastServed = begin;
        long[] late = new long[served.length];
        for (int i = 0; i < served.length; i++) {
            lastAsked = Math.max(lastAsked, served[i].asked);
            late[i] = Math.max(lastServed - served[i].nanos, 0);
            lastServed = Math.max(lastServed, served[i].nanos);
        }
        Arrays.sort(late);
        double dictated = (double) served.length / IN_A_MILLISECOND;
        double asked = (lastAsked - begin) / 1e6;
        double took = (lastServed - begin) / 1e6;
        return String.format(
                Locale.ROOT,
                "%.0f ms | %.0f ms | %.0f ms | %.3f | %.2f | %.1f ms | %.1f ms | %.1f ms | %d different",
                asked,
                took,
                dictated,
                took / dictated,
                cores,
                Latency.percentile(late, 0.99) / 1e6,
                Latency.percentile(late, 0.999) / 1e6,
                Latency.percentile(late, 1) / 1e6,
                Arrays.stream(served).mapToLong(Served::id).distinct().count());
    }
}
