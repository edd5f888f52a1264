package io.github.snowflakeid.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many classes the starter adds to the start of an application: that is what it adds to its time, but it can be counted
 * on a busy machine. Those that the JDK makes at run time, for lambdas and for strings that are joined, cost most.
 */
// Slow: starts four other JVMs.
@Tag("full")
class LoadedClassesTests {

    /** Threads that start side by side have the JDK make some classes twice, or not. */
    private static final int STARTS = 8;

    @TempDir
    private static Path directory;

    private static List<String> disabled;

    @BeforeAll
    static void startWithoutIds() throws Exception {
        disabled = loaded("--snowflake.enabled=false");
    }

    @Test
    void fixedWorkerIdAddsFew() throws Exception {
        assertAddsAtMost(100, "--snowflake.worker.id=7");
    }

    @Test
    void leasedWorkerIdAddsFew() throws Exception {
        assertAddsAtMost(150, "--snowflake.worker.id=");
    }

    private static void assertAddsAtMost(int most, String property) throws Exception {
        List<String> classes = fewestLoaded(disabled.size() + most, property);
        assertThat(classes.size() - disabled.size())
                .as(() -> {
                    List<String> added = new ArrayList<>(classes);
                    added.removeAll(disabled);
                    return "more classes loaded than without ids, such as " + added;
                })
                .isPositive()
                .isLessThanOrEqualTo(most);
    }

    /** The classes of one start if they are few enough, else of the best of some. */
    private static List<String> fewestLoaded(int enough, String property) throws Exception {
        List<String> fewest = loaded(property);
        for (int start = 1; start < STARTS && fewest.size() > enough; start++) {
            List<String> classes = loaded(property);
            fewest = classes.size() < fewest.size() ? classes : fewest;
        }
        return fewest;
    }

    /** Starts the application in a JVM of its own. */
    private static List<String> loaded(String property) throws IOException, InterruptedException {
        Path log = directory.resolve("classes");
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:file=" + log + "::filecount=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartupShop.class.getName(),
                        property,
                        "--spring.main.web-application-type=none",
                        "--spring.devtools.restart.enabled=false")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output)).contains("started");
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(" source: "))
                    .map(line -> line.replaceAll(".*\\] (\\S+) source: .*", "$1")
                            .replaceAll("(\\$\\$Lambda|0x|\\$Proxy|Accessor).*", "$1"))
                    .collect(Collectors.toList());
        }
    }
}
