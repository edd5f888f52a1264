package io.github.snowflakeid.started;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many classes the starter adds to the start of an application: that is what it adds to its time, but it can be counted
 * on a busy machine. Those that the JDK makes at run time, for lambdas and for strings that are joined, cost most.
 */
class LoadedClassesTests {

    /** Later JDKs call constructors and methods by classes that they make, a few more or less at each start. */
    private static final int MORE_FOR_REFLECTION = Runtime.version().feature() < 18 ? 0 : 10;

    @TempDir
    private static Path directory;

    private static List<String> disabled;

    @BeforeAll
    static void startWithoutIds() throws Exception {
        disabled = loaded("--snowflake.enabled=false");
    }

    @Test
    void fixedWorkerIdAddsFew() throws Exception {
        assertAddsAtMost(100 + MORE_FOR_REFLECTION, loaded("--snowflake.worker.id=7"));
    }

    @Test
    void leasedWorkerIdAddsFew() throws Exception {
        assertAddsAtMost(150 + MORE_FOR_REFLECTION, loaded("--snowflake.worker.id="));
    }

    private static void assertAddsAtMost(int most, List<String> classes) {
        assertThat(classes.size() - disabled.size())
                .as(() -> {
                    List<String> added = new ArrayList<>(classes);
                    added.removeAll(disabled);
                    return "more classes loaded than without ids, such as " + added;
                })
                .isPositive()
                .isLessThanOrEqualTo(most);
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
                        StartedShop.class.getName(),
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
