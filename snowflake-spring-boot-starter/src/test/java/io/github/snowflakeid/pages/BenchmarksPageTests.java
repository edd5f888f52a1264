package io.github.snowflakeid.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/benchmarks.md match the measurements, and each measurement refers to its run. */
class BenchmarksPageTests {

    private static final Path DATA = Page.DOCS.resolve("benchmarks");

    @Test
    void tablesAreWrittenFromTheMeasurements() throws Exception {
        Process summary = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Ddata=" + DATA,
                        DATA.resolve("Summary.java").toString(),
                        "check")
                .redirectErrorStream(true)
                .start();

        String output = new String(summary.getInputStream().readAllBytes(), UTF_8);
        assertThat(summary.waitFor()).as(output).isZero();
    }

    @Test
    void everyMeasurementRefersToItsRun() throws IOException {
        List<String> runs = firstCells("runs.csv");
        try (Stream<Path> files = Files.list(DATA)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".csv")))
                    .isNotEmpty()
                    .allSatisfy(name -> {
                        if (Files.readString(DATA.resolve(name)).startsWith("run,")) {
                            assertThat(runs).as(name).containsAll(firstCells(name));
                        }
                    });
        }
    }

    private static List<String> firstCells(String file) throws IOException {
        return Files.readAllLines(DATA.resolve(file)).stream()
                .skip(1)
                .map(line -> line.split(",", 2)[0])
                .distinct()
                .toList();
    }
}
