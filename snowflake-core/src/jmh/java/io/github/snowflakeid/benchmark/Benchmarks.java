package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.benchmark.Peer.Source;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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

/** Answers one question, as a table in Markdown: {@code cost}, {@code cap}, {@code batch}, {@code latency}, {@code virtual}. */
public final class Benchmarks {

    private static final int[] THREADS = {1, 2, 8};
    private static final int FORKS = Integer.getInteger("forks", 1);

    private Benchmarks() {}

    /**
     * Runs.
     *
     * @param arguments the question, and the peers if not all are meant
     */
    public static void main(String[] arguments) throws Exception {
        List<Peer> peers = arguments.length > 1
                ? Arrays.stream(arguments).skip(1).map(Peer::valueOf).toList()
                : List.of(Peer.values());
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
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(CpuTime.class);
        return options;
    }

    private static Collection<RunResult> run(Options options) throws RunnerException {
        return new Runner(options).run();
    }

    private static String throughput(List<Peer> asked, Limit limit) throws Exception {
        List<Peer> peers = asked.stream()
                .filter(peer -> peer.make(limit) != Source.NO_SUCH)
                .filter(peer -> limit == Limit.NONE || (peer != Peer.ATOMIC_LONG && peer != Peer.CLOCK))
                .toList();
        Map<Peer, StringBuilder> rows = new TreeMap<>();
        peers.forEach(peer -> rows.put(peer, new StringBuilder("| " + peer.shown + " |")));
        for (int threads : THREADS) {
            Options options = options(Throughput.class, threads)
                    .param("peer", peers.stream().map(Peer::name).toArray(String[]::new))
                    .param("limit", limit.name())
                    .build();
            for (RunResult result : run(options)) {
                Peer peer = Peer.valueOf(result.getParams().getParam("peer"));
                rows.get(peer).append(cell(result.getPrimaryResult()));
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
            String right = peer == Peer.CLOCK || peer == Peer.ATOMIC_LONG
                    ? ""
                    : Correctness.of(peer, limit).toString();
            table.append(rows.get(peer)).append(' ').append(right).append(" |\n");
        }
        return "Million ids a second: median of all iterations, and the 99.9 % error.\n\n" + table;
    }

    private static String cell(Result<?> result) {
        return String.format(
                Locale.ROOT, " %.2f ± %.2f |", result.getStatistics().getPercentile(50), result.getScoreError());
    }

    private static String batch() throws RunnerException {
        StringBuilder table = new StringBuilder("| batch | threads | million ids/s |\n| --- | --- | --- |\n");
        for (int threads : new int[] {1, 2}) {
            for (RunResult result : run(options(Batch.class, threads).build())) {
                int size = Integer.parseInt(result.getParams().getParam("size"));
                table.append(String.format(
                        Locale.ROOT,
                        "| %d %s | %d | %,.0f ± %,.0f |%n",
                        size,
                        result.getPrimaryResult().getLabel(),
                        threads,
                        size * result.getPrimaryResult().getStatistics().getPercentile(50),
                        size * result.getPrimaryResult().getScoreError()));
            }
        }
        return table.toString();
    }

    /** Each generator in a process of its own: what others made the compiler believe would slow it down. */
    private static String latency(List<Peer> asked) throws Exception {
        List<String> lines = new ArrayList<>();
        lines.add("A thousand calls a second, nanoseconds:\n");
        lines.add("| generator | 50 % | 90 % | 99 % | 99.9 % | 99.99 % | longest | cores |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (int run = 0; run < FORKS; run++) {
            lines.add("| clock and `AtomicLong` " + inItsOwnProcess(Peer.ATOMIC_LONG, true));
            for (Peer peer : asked) {
                if (hasIds(peer)) {
                    lines.add("| " + peer.shown + " " + inItsOwnProcess(peer, true));
                }
            }
        }
        lines.add("\nAs fast as they come with a 12-bit sequence, one thread, nanoseconds:\n");
        lines.add("| generator | 50 % | 90 % | 99 % | 99.9 % | 99.99 % | longest |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- |");
        for (Peer peer : asked) {
            if (hasIds(peer)) {
                lines.add("| " + peer.shown + " " + inItsOwnProcess(peer, false));
            }
        }
        return String.join("\n", lines);
    }

    private static boolean hasIds(Peer peer) {
        return peer != Peer.ATOMIC_LONG && peer != Peer.CLOCK && peer.make(Limit.TWITTER) != Source.NO_SUCH;
    }

    private static String inItsOwnProcess(Peer peer, boolean paced) throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Latency.class.getName(),
                        peer.name(),
                        Boolean.toString(paced))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        process.waitFor();
        return output.lines().reduce("", (before, line) -> line);
    }

    /** A hundred thousand virtual threads that ask at once for one id each; 128 ids are in a millisecond. */
    private static String virtualThreads() throws Exception {
        int callers = 100_000;
        IdLayout layout = IdLayout.builder().sequenceBits(7).build();
        StringBuilder table = new StringBuilder("| run | all served after | the layout dictates | ratio | ids |\n")
                .append("| --- | --- | --- | --- | --- |\n");
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
                long[] ids = new long[callers];
                long[] served = new long[callers];
                CountDownLatch ready = new CountDownLatch(callers);
                CountDownLatch go = new CountDownLatch(1);
                CountDownLatch done = new CountDownLatch(callers);
                for (int i = 0; i < callers; i++) {
                    int caller = i;
                    threads.submit(() -> {
                        ready.countDown();
                        go.await();
                        ids[caller] = generator.nextId();
                        served[caller] = System.nanoTime();
                        done.countDown();
                        return null;
                    });
                }
                ready.await();
                long begin = System.nanoTime();
                go.countDown();
                done.await();
                threads.shutdown();
                long last = Arrays.stream(served).max().orElseThrow();
                double dictated = (double) callers / (layout.maxSequence() + 1);
                long different = Arrays.stream(ids).distinct().count();
                double took = (last - begin) / 1e6;
                table.append(String.format(
                        Locale.ROOT,
                        "| %d | %.0f ms | %.0f ms | %.3f | %d different |%n",
                        run,
                        took,
                        dictated,
                        took / dictated,
                        different));
            }
        }
        return table.toString();
    }
}
