package io.github.snowflakeid.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.IdLayout;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A rollout: 8 processes lease 256 worker IDs at once. On demand, with {@code -Drush.leases=256}; prints the duration.
 */
// Slow: eight processes lease hundreds of worker IDs in each store.
@Tag("full")
@Tag("servers")
class RushTests {

    static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(10).build();

    private static final int PROCESSES = 8;
    private static final int LEASES = Integer.getInteger("rush.leases", 0);

    @ParameterizedTest
    @EnumSource
    void processesThatStartAtOnceHaveDifferentWorkerIds(Store.Kind kind) throws Exception {
        assumeThat(LEASES).as("-Drush.leases").isPositive();
        // These databases lock whole tables, and take long.
        assumeThat(kind).isNotIn(Store.Kind.H2, Store.Kind.HSQLDB);
        Store store = kind.newStore();
        List<Process> processes = new ArrayList<>();
        try {
            store.begin();
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                RushProcess.class.getName(),
                                store.address(),
                                String.valueOf(LEASES / PROCESSES))
                        .redirectErrorStream(true)
                        .start());
            }
            List<BufferedReader> outputs = processes.stream()
                    .map(process ->
                            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
                    .toList();
            for (BufferedReader output : outputs) {
                workersUntil("ready", output);
            }
            long begin = System.nanoTime();
            for (Process process : processes) {
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
            }
            List<String> workers = new ArrayList<>();
            for (BufferedReader output : outputs) {
                workers.addAll(workersUntil("done", output));
            }
            System.out.printf(
                    "%s: %s leases by %s processes in %s ms%n",
                    kind, workers.size(), PROCESSES, (System.nanoTime() - begin) / 1_000_000);
            assertThat(workers).hasSize(LEASES).doesNotHaveDuplicates();
        } finally {
            for (Process process : processes) {
                process.destroyForcibly().waitFor();
            }
            store.end();
        }
    }

    private static List<String> workersUntil(String end, BufferedReader output) throws Exception {
        List<String> workers = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (String line = output.readLine(); !end.equals(line); line = output.readLine()) {
            assertThat(line).as(String.join("\n", all)).isNotNull();
            all.add(line);
            if (line.startsWith("worker ")) {
                workers.add(line);
            }
        }
        return workers;
    }
}
