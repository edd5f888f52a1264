package io.github.snowflakeid.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Answers one question, as a table in Markdown: {@code cost}, {@code cap}, {@code batch}, {@code latency}, {@code virtual}.
 * System properties: {@code peers}, those that are meant if not all are; {@code forks}, how many processes measure each (of latencies, those of paced calls);
 * {@code seconds}, how long each of the five iterations lasts.
 */
public final class Benchmarks {

    private static final int[] THREADS = {1, 2, 8};
    private static final int FORKS = Integer.getInteger("forks", 1);
    private static final int SECONDS = Integer.getInteger("seconds", 1);

    private Benchmarks() {}

    /**
     * Runs.
     *
     * @param arguments the question
     */
    public static void main(String[] arguments) throws Exception {
        String some = System.getProperty("peers", "");
        List<Peer> peers = some.isEmpty()
                ? List.of(Peer.values())
                : Arrays.stream(some.split(",")).map(Peer::valueOf).toList();
        String table = switch (arguments[0]) {
            case "cost" -> throughput(peers, Limit.NONE);
            case "cap" -> throughput(peers, Limit.TWITTER);
            case "batch" -> batch();
            case "latency" -> latency(peers);
            case "virtual" -> virtualThreads();
            default ->
                throw new IllegalArgumentException(
                        "question must be cost, cap, batch, latency or virtual, but was " + arguments[0]);
        };
        System.out.printf(
                "%n%s, %d processors, %s%n%n%s%n",
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                Runtime.getRuntime().availableProcessors(),
                java.time.LocalDate.now(),
                table);
        // Some generators leave threads behind.
        System.exit(0);
    }

    private static OptionsBuilder options(Class<?> benchmark, int threads) {
        OptionsBuilder options = new OptionsBuilder();
        options.include(benchmark.getName() + ".*")
                .threads(threads)
                .forks(FORKS)
                .warmupIterations(3)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(5)
                .measurementTime(TimeValue.seconds(SECONDS))
                .addProfiler(CpuTime.class);
        return options;
    }

    private static Collection<RunResult> run(Options options) throws RunnerException {
        return new Runner(options).run();
    }

    private static String throughput(List<Peer> asked, Limit limit) throws Exception {
        List<Peer> peers = asked.stream().filter(peer -> peer.has(limit)).toList();
        Map<Peer, StringBuilder> rows = new TreeMap<>();
        peers.forEach(peer -> rows.put(peer, new StringBuilder("| " + peer.shown + " |")));
        for (int threads : THREADS) {
            Options options = options(Throughput.class, threads)
                    .param("peer", peers.stream().map(Peer::name).toArray(String[]::new))
                    .param("limit", limit.name())
                    .build();
            for (RunResult result : run(options)) {
                Peer peer = Peer.valueOf(result.getParams().getParam("peer"));
                rows.get(peer).append(cell(result.getPrimaryResult(), limit == Limit.TWITTER ? 3 : 1));
                if (limit == Limit.TWITTER) {
                    rows.get(peer)
                            .append(String.format(
                                    Locale.ROOT,
                                    " %.2f |",
                                    result.getSecondaryResults()
                                            .get(CpuTime.LABEL)
                                            .getScore()));
                }
            }
        }
        String cores = limit == Limit.TWITTER ? "cores | " : "";
        StringBuilder table = new StringBuilder(
                "| generator | 1 thread | %s2 threads | %s8 threads | %sids |%n".formatted(cores, cores, cores));
        table.append("| --- |")
                .append(" --- |".repeat(limit == Limit.TWITTER ? 7 : 4))
                .append('\n');
        for (Peer peer : peers) {
            String right = peer.isGenerator() ? Correctness.of(peer, limit) + Correctness.offset(peer, limit) : "";
            table.append(rows.get(peer)).append(' ').append(right).append(" |\n");
        }
        return "Million ids a second: median of all iterations, and the 99.9 % error.\n\n" + table;
    }

    private static String cell(Result<?> result, int decimals) {
        String figure = "%." + decimals + "f";
        return String.format(
                Locale.ROOT,
                " " + figure + " ± " + figure + " |",
                result.getStatistics().getPercentile(50),
                result.getScoreError());
    }

    private static String batch() throws Exception {
        StringBuilder table =
                new StringBuilder("| batch | threads | million ids/s | ids |\n| --- | --- | --- | --- |\n");
        for (int threads : new int[] {1, 2}) {
            for (RunResult result : run(options(Batch.class, threads).build())) {
                Batch batch = new Batch();
                batch.size = Integer.parseInt(result.getParams().getParam("size"));
                String label = result.getPrimaryResult().getLabel();
                table.append(String.format(
                        Locale.ROOT,
                        "| %d %s | %d | %,.0f ± %,.0f | %s |%n",
                        batch.size,
                        label,
                        threads,
                        batch.size * result.getPrimaryResult().getStatistics().getPercentile(50),
                        batch.size * result.getPrimaryResult().getScoreError(),
                        batch.correctness(label.equals("intoAnArray"))));
            }
        }
        return table.toString();
    }

    /** Each generator in a process of its own: what others made the compiler believe would slow it down. */
    private static String latency(List<Peer> asked) throws Exception {
        List<Peer> generators =
                asked.stream().filter(peer -> peer.has(Limit.TWITTER)).toList();
        List<String> lines = new ArrayList<>();
        lines.add("A thousand calls a second, nanoseconds:\n");
        lines.add("| generator | 50 % | 90 % | 99 % | 99.9 % | 99.99 % | longest | floor, 99 % | ratio |");
        lines.add("| --- |" + " --- |".repeat(8));
        for (int run = 0; run < FORKS; run++) {
            lines.add("| clock and `AtomicLong` " + inItsOwnProcess("paced", Peer.ATOMIC_LONG));
            for (Peer peer : generators) {
                lines.add("| " + peer.shown + " " + inItsOwnProcess("paced", peer));
            }
        }
        lines.add(
                "\n2,048 calls in each millisecond, nanoseconds a call, and the cores that the process keeps busy afterwards, idle:\n");
        lines.add("| generator | 50 % | 99 % | cores when idle |");
        lines.add("| --- | --- | --- | --- |");
        lines.add("| clock and `AtomicLong` " + inItsOwnProcess("burst", Peer.ATOMIC_LONG));
        for (Peer peer : generators) {
            lines.add("| " + peer.shown + " " + inItsOwnProcess("burst", peer));
        }
        lines.add("\nAs fast as they come with a 12-bit sequence, nanoseconds:\n");
        lines.add("| generator | threads | 50 % | 90 % | 99 % | 99.9 % | 99.99 % | longest | ids |");
        lines.add("| --- |" + " --- |".repeat(8));
        for (Peer peer : generators) {
            for (int threads : THREADS) {
                lines.add("| %s | %d %s".formatted(peer.shown, threads, inItsOwnProcess("" + threads, peer)));
            }
        }
        return String.join("\n", lines);
    }

    private static String inItsOwnProcess(String question, Peer peer) throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Latency.class.getName(),
                        question,
                        peer.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("%s of %s failed: %s".formatted(question, peer, output));
        }
        return output.lines().reduce("", (before, line) -> line);
    }

    /**
     * A hundred thousand virtual threads that ask at once for one id each; 128 ids are in a millisecond. An id is claimed
     * before those above it, so whoever has a lower one ought not to be served later.
     */
    private static String virtualThreads() throws Exception {
        if (Runtime.version().feature() < 21) {
            throw new IllegalStateException("virtual threads need JDK 21, this is JDK "
                    + Runtime.version().feature());
        }
        int callers = 100_000;
        IdLayout layout = IdLayout.builder().sequenceBits(7).build();
        StringBuilder table = new StringBuilder(
                        "| run | all served after | the layout dictates | ratio | cores | served after a higher id, 99.9 % | at most | ids |\n")
                .append("| --- |" + " --- |".repeat(7) + "\n");
        for (int run = 1; run <= 5; run++) {
            try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                    .layout(layout)
                    .worker(WorkerIdAssigner.fixed(0, 0))
                    .maxDrift(Duration.ZERO)
                    .maxWait(Duration.ofMinutes(1))
                    .build()) {
                ExecutorService threads = (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
                Served[] served = new Served[callers];
                CountDownLatch ready = new CountDownLatch(callers);
                CountDownLatch go = new CountDownLatch(1);
                CountDownLatch done = new CountDownLatch(callers);
                for (int i = 0; i < callers; i++) {
                    int caller = i;
                    threads.submit(() -> {
                        ready.countDown();
                        go.await();
                        served[caller] = new Served(generator.nextId(), System.nanoTime());
                        done.countDown();
                        return null;
                    });
                }
                ready.await();
                long cpu = cpuTime();
                long begin = System.nanoTime();
                go.countDown();
                done.await();
                double cores = (double) (cpuTime() - cpu) / (System.nanoTime() - begin);
                threads.shutdown();
                Arrays.sort(served, Comparator.comparingLong(Served::id));
                long last = begin;
                long[] late = new long[callers];
                for (int i = 0; i < callers; i++) {
                    late[i] = Math.max(last - served[i].nanos, 0);
                    last = Math.max(last, served[i].nanos);
                }
                Arrays.sort(late);
                double dictated = (double) callers / (layout.maxSequence() + 1);
                long different =
                        Arrays.stream(served).mapToLong(Served::id).distinct().count();
                double took = (last - begin) / 1e6;
                table.append(String.format(
                        Locale.ROOT,
                        "| %d | %.0f ms | %.0f ms | %.3f | %.2f | %.1f ms | %.1f ms | %d different |%n",
                        run,
                        took,
                        dictated,
                        took / dictated,
                        cores,
                        late[callers * 999 / 1000] / 1e6,
                        late[callers - 1] / 1e6,
                        different));
            }
        }
        return table.toString();
    }

    private static long cpuTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private record Served(long id, long nanos) {}
}
