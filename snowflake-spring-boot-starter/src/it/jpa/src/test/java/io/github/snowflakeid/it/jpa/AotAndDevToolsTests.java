package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts the application in a separate JVM: processed ahead of time, and restarted by DevTools. */
// Slow: starts other JVMs.
@Tag("full")
class AotAndDevToolsTests {

    @TempDir
    private Path directory;

    @Test
    void startsAfterAheadOfTimeProcessing() throws Exception {
        Path processed = Path.of(System.getProperty("aot.classes"));
        assertThat(processed.resolve("io/github/snowflakeid/it/jpa/JpaShop__ApplicationContextInitializer.class"))
                .exists();

        String output = run(
                List.of("-Dspring.aot.enabled=true", "-Dspring.devtools.restart.enabled=false"),
                processed.toString(),
                "io.github.snowflakeid.it.jpa.JpaShop",
                "--snowflake.worker.id=",
                "--snowflake.generators.receipts.layout=javascript-safe",
                "--snowflake.generators.numbers.type=segment",
                "--snowflake.generators.numbers.segment.initial-value=70");

        assertThat(output).contains("Starting AOT-processed JpaShop");
        assertThat(ids(output)).hasSize(6).isSorted().doesNotHaveDuplicates();
        assertThat(output)
                .contains("vouchers 4")
                .contains("generator '' leased, namespace 'default' ")
                .contains("generator 'receipts' leased, namespace 'receipts' ")
                .contains("counter 'numbers' 70");
    }

    @Test
    void goesOnAfterARestartByDevTools() throws Exception {
        String output = run(List.of(), "", "io.github.snowflakeid.it.jpa.DevToolsShop");

        assertThat(output.lines().filter(line -> line.equals("class loader RestartClassLoader")))
                .hasSize(2);
        assertThat(ids(output)).hasSize(12).isSorted().doesNotHaveDuplicates();
    }

    private String run(List<String> options, String classes, String mainClass, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
        command.add(mainClass);
        command.add("--server.port=0");
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES))
                    .as(() -> "ends by itself: " + output)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }

    private static List<Long> ids(String output) {
        return output.lines()
                .filter(line -> line.startsWith("ids ["))
                .flatMap(line -> Stream.of(line.substring(5, line.length() - 1).split(", ")))
                .map(Long::valueOf)
                .toList();
    }
}
