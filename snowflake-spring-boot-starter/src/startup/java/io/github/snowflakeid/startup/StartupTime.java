package io.github.snowflakeid.startup;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * What the starter adds to the start of an application with JPA on H2, from the start of the JVM to the end of {@code
 * SpringApplication.run}: the same application is started with the starter on its class path and without, in turn.
 */
public final class StartupTime {

    private static final int RUNS = 15;

    private StartupTime() {}

    /** Starts the application many times and prints the medians. */
    public static void main(String[] arguments) throws Exception {
        String with = System.getProperty("java.class.path");
        String without = Stream.of(with.split(File.pathSeparator))
                .filter(entry -> !entry.contains("snowflake-core"))
                .filter(entry -> !entry.endsWith(File.separator + "classes"))
                .collect(Collectors.joining(File.pathSeparator));
        long[] millisWith = new long[RUNS];
        long[] millisWithout = new long[RUNS];
        for (int run = -1; run < RUNS; run++) {
            long first = start(without);
            long second = start(with);
            if (run >= 0) {
                millisWithout[run] = first;
                millisWith[run] = second;
            }
        }
        System.out.println(row("without the starter", millisWithout));
        System.out.println(row("with the starter, worker id leased", millisWith));
    }

    private static String row(String what, long[] millis) {
        Arrays.sort(millis);
        return String.format(
                Locale.ROOT, "| %s | %d ms | %d to %d ms |", what, millis[RUNS / 2], millis[0], millis[RUNS - 1]);
    }

    private static long start(String classPath) throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java", "-cp", classPath, Application.class.getName())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.lines()
                .filter(line -> line.startsWith("started after "))
                .mapToLong(line -> Long.parseLong(line.substring("started after ".length())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(output));
    }

    /** Knows nothing of ids. */
    @EnableAutoConfiguration
    public static class Application {

        /** Starts, says how long that took, ends. */
        public static void main(String[] arguments) {
            SpringApplication.run(Application.class, arguments);
            System.out.println("started after "
                    + (System.currentTimeMillis()
                            - ManagementFactory.getRuntimeMXBean().getStartTime()));
            System.exit(0);
        }
    }
}
