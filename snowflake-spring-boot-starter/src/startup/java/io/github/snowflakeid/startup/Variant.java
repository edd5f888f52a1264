package io.github.snowflakeid.startup;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A way to start an application, and what its starts took. */
final class Variant {

    private final String name;
    private final List<String> command = new ArrayList<>();
    private final List<Start> starts = new ArrayList<>();

    /**
     * What a start took, in milliseconds.
     *
     * @param wall from the start of the process to the end of {@code SpringApplication.run}
     * @param cpu of all threads until then
     * @param idle of all threads later, while nobody asked for anything
     * @param beans what beans of the starter took
     * @param watched what those of them took that are for the Actuator and Micrometer
     */
    record Start(long wall, long cpu, long idle, long beans, long watched) {}

    Variant(String name, Path directory, String classPath, String application) {
        this.name = name;
        command.add(System.getProperty("java.home") + "/bin/java");
        command.add("-cp");
        command.add(directory + File.pathSeparator + classPath);
        command.add(application);
    }

    String name() {
        return name;
    }

    /** Starts it and keeps what that took. */
    void measure(String... options) throws IOException, InterruptedException {
        starts.add(start(options));
    }

    Start start(String... options) throws IOException, InterruptedException {
        List<String> withOptions = new ArrayList<>(command);
        withOptions.addAll(1, List.of(options));
        long before = System.currentTimeMillis();
        Process process =
                new ProcessBuilder(withOptions).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        String[] ready = said(output, StartedApplication.READY);
        return new Start(
                Long.parseLong(ready[0]) - before,
                Long.parseLong(ready[1]),
                figure(output, StartedApplication.IDLE, 0),
                figure(output, StartedApplication.BEANS, 0),
                figure(output, StartedApplication.BEANS, 1));
    }

    /** 0 where it was not asked for. */
    private static long figure(String output, String what, int index) {
        return output.contains(what) ? Long.parseLong(said(output, what)[index]) : 0;
    }

    private static String[] said(String output, String what) {
        return output.lines()
                .filter(line -> line.startsWith(what))
                .map(line -> line.substring(what.length()).split(" "))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(output));
    }

    /**
     * Returns how many classes are loaded, and how many of these the JDK generates for lambdas and method handles, in
     * the median of three starts. The number for method handles depends on which thread is first.
     */
    long[] classes() throws IOException, InterruptedException {
        List<long[]> counts = new ArrayList<>();
        for (int count = 0; count < 3; count++) {
            counts.add(countClasses());
        }
        counts.sort(Comparator.comparingLong(classes -> classes[0]));
        return counts.get(1);
    }

    private long[] countClasses() throws IOException, InterruptedException {
        Path log = Files.createTempFile("classes", ".log");
        try {
            start("-Xlog:class+load:file=" + log + "::filecount=0");
            List<String> classes;
            try (Stream<String> lines = Files.lines(log)) {
                classes = lines.filter(line -> line.contains(" source: ")).collect(Collectors.toList());
            }
            long hidden = classes.stream()
                    .filter(line -> line.contains("/0x") || line.contains("LambdaForm") || line.contains("$$Lambda"))
                    .count();
            return new long[] {classes.size(), hidden};
        } finally {
            Files.delete(log);
        }
    }

    /** The first quarter, the median and the third quarter of what its starts took. */
    long[] quartiles(ToLongFunction<Start> what) {
        return quartiles(starts.stream().mapToLong(what));
    }

    /** Returns the quartiles of the differences to the starts of another variant in the same turn. */
    long[] moreThan(Variant other, ToLongFunction<Start> what) {
        return quartiles(IntStream.range(0, starts.size())
                .mapToLong(turn -> what.applyAsLong(starts.get(turn)) - what.applyAsLong(other.starts.get(turn))));
    }

    private static long[] quartiles(LongStream values) {
        long[] sorted = values.sorted().toArray();
        int last = sorted.length - 1;
        return new long[] {sorted[last / 4], sorted[last / 2], sorted[last * 3 / 4]};
    }
}
