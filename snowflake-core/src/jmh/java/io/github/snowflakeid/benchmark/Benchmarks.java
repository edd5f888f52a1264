package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.benchmark.Text.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Answers one question with a table in Markdown: {@code cost}, {@code cap}, {@code batch}, {@code latency},
 * {@code virtual}, {@code text}, {@code segment}. System properties: {@code peers}, the generators to measure, by
 * default all; {@code forks}, the number of processes that measure each (for latencies, those of paced calls);
 * {@code seconds}, the length of each of the five iterations; {@code warm}, false for virtual threads of a process that
 * has just started.
 */
public final class Benchmarks {

    private static final int[] THREADS = {1, 2, 8};
    private static final int FORKS = Integer.getInteger("forks", 1);
    private static final int SECONDS = Integer.getInteger("seconds", 1);

    private Benchmarks() {}

    /**
     * Runs the benchmarks of a question.
     *
     * @param arguments the question
     */
    public static void main(String[] arguments) throws Exception {
        String some = System.getProperty("peers", "");
        List<Peer> peers = some.isEmpty()
                ? List.of(Peer.values())
                : Arrays.stream(some.split(",")).map(Peer::valueOf).toList();
        String table = switch (arguments[0]) {
            case "cost" ->
                throughput(peers, Limit.NONE)
                        + (peers.containsAll(PairedComparison.peersOf(PairedComparison.SNOWFLAKES))
                                ? '\n' + PairedComparison.table(PairedComparison.SNOWFLAKES, THREADS)
                                : "");
            case "cap" -> throughput(peers, Limit.TWITTER);
            case "batch" -> batch();
            case "latency" -> latency(peers);
            case "virtual" -> VirtualThreads.table();
            case "text" -> text();
            case "segment" -> segment();
            default ->
                throw new IllegalArgumentException(
                        "question must be cost, cap, batch, latency, virtual, text or segment, but was "
                                + arguments[0]);
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

    private static String text() throws RunnerException {
        Map<Writer, StringBuilder> rows = new TreeMap<>();
        for (Writer writer : Writer.values()) {
            int characters = writer.codec.write(Text.FIRST_ID).length();
            rows.put(writer, new StringBuilder("| %s | %d |".formatted(writer.shown, characters)));
        }
        for (int threads : new int[] {1, 2}) {
            // Reading is first in alphabetical order.
            Map<Writer, String> reading = new TreeMap<>();
            for (RunResult result : run(options(Text.class, threads).build())) {
                Writer writer = Writer.valueOf(result.getParams().getParam("writer"));
                String cell = cell(result.getPrimaryResult(), 0);
                if (result.getPrimaryResult().getLabel().equals("read")) {
                    reading.put(writer, cell);
                } else {
                    rows.get(writer).append(cell).append(reading.get(writer));
                }
            }
        }
        return "Nanoseconds: median of all iterations, and the 99.9 % error.\n\n"
                + "| text | characters | write, 1 thread | read, 1 thread | write, 2 threads | read, 2 threads |\n"
                + "| --- | --- | --- | --- | --- | --- |\n"
                + rows.values().stream().map(row -> row + "\n").collect(Collectors.joining());
    }

    /** Each generator runs in a separate process, since profiles of other generators would mislead the compiler. */
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

    private static String segment() throws Exception {
        List<Peer> peers = new ArrayList<>(PairedComparison.peersOf(PairedComparison.SEGMENTS));
        peers.add(Peer.HIBERNATE_POOLED);
        return throughput(peers, Limit.NONE)
                + '\n' + PairedComparison.table(PairedComparison.SEGMENTS, THREADS)
                + "\nA million calls a second by one thread, a store that answers in 5 ms, nanoseconds:\n\n"
                + "| 50 % | 90 % | 99 % | 99.9 % | 99.99 % | longest | waited for the store |\n"
                + "| --- |" + " --- |".repeat(6) + '\n'
                + inItsOwnProcess("store", Peer.OURS_SEGMENT);
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
}
