package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.servers.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Four processes of 16 threads number documents with and without gaps, while midnight passes in the time zones of the
 * series, transactions are rolled back, deadlocks are caught, connections and processes are killed, and the tables of
 * gapless series are emptied together with their documents. For a longer run: {@code -Dchaos.seconds=120}. With
 * {@code -Dchaos.faketime=/usr/lib/…/libfaketime.so.1}, the clocks of the processes differ by an hour each.
 */
// Slow: needs servers under load until midnight has passed.
@Tag("full")
@Tag("servers")
class NumberChaosTests {

    private static final int PROCESSES = 4;
    private static final int THREADS = 16;
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 12));
    private static final Duration STARTUP = Duration.ofSeconds(Integer.getInteger("chaos.startup", 15));
    private static final String FAKE_TIME = System.getProperty("chaos.faketime");

    @TempDir
    private Path directory;

    private final List<Process> processes = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Returns a time zone in which midnight is after the given part of the test. */
    private static String zone(int part, int parts) {
        long midnight = Instant.now().plus(STARTUP).getEpochSecond() + LENGTH.toSeconds() * part / parts;
        return ZoneOffset.ofTotalSeconds((int) (Math.floorMod(43_200 - midnight, 86_400L)) - 43_200)
                .getId();
    }

    private Process start(Databases database, String clock, List<String> zones) throws Exception {
        Path log = directory.resolve("process-" + logs.size() + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                NumberProcess.class.getName(),
                database.url(),
                clock,
                database == Databases.POSTGRESQL
                        ? "SELECT PG_TERMINATE_BACKEND(PG_BACKEND_PID())"
                        : "KILL CONNECTION_ID()",
                Integer.toString(THREADS)));
        command.addAll(zones);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        if (FAKE_TIME != null) {
            builder.environment()
                    .putAll(Map.of(
                            "LD_PRELOAD",
                            FAKE_TIME,
                            "FAKETIME",
                            "%+dh".formatted(logs.size() % PROCESSES - 1),
                            "DONT_FAKE_MONOTONIC",
                            "1"));
        }
        logs.add(log);
        return builder.start();
    }

    /** Deletes the rows of gapless series together with their documents, unless transactions conflict. */
    private static boolean isEmptied(Databases database) {
        DriverManagerDataSource dataSource = new DriverManagerDataSource(database.url());
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        try {
            new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult(status -> {
                if (database == Databases.POSTGRESQL) {
                    jdbc.execute("LOCK TABLE snowflake_number IN EXCLUSIVE MODE");
                }
                jdbc.update("DELETE FROM snowflake_number WHERE series LIKE 'gapless%'");
                jdbc.update("DELETE FROM document WHERE series LIKE 'snowflake.numbers.gapless%'");
            });
            return true;
        } catch (ConcurrencyFailureException | BadSqlGrammarException e) {
            // A deadlock, or there is no table yet.
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void gaplessSeriesHaveNoGapAndNoSeriesRepeatsANumberOrUsesAnotherPeriod(Databases database) throws Exception {
        JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(database.url()));
        jdbc.execute("DROP TABLE IF EXISTS snowflake_number");
        jdbc.execute("DROP TABLE IF EXISTS document");
        jdbc.execute("DROP TABLE IF EXISTS stock");
        jdbc.execute("CREATE TABLE stock (item INT PRIMARY KEY, amount INT)");
        for (int item = 0; item < NumberProcess.STOCK; item++) {
            jdbc.update("INSERT INTO stock VALUES (?, 0)", item);
        }
        jdbc.execute(
                "CREATE TABLE document (series VARCHAR(50), period VARCHAR(10), number BIGINT, before_ms BIGINT, after_ms BIGINT)");
        String clock = database == Databases.POSTGRESQL
                ? "CAST(FLOOR(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) * 1000) AS BIGINT)"
                : "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
        List<String> zones = List.of(zone(1, 4), zone(2, 4), zone(3, 4));
        List<Integer> logOf = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            logOf.add(logs.size());
            processes.add(start(database, clock, zones));
        }
        long end = System.nanoTime() + STARTUP.plus(LENGTH).plusSeconds(3).toNanos();
        Random random = new Random();
        int kills = 0;
        int failedStarts = 0;
        int emptied = 0;
        while (System.nanoTime() < end) {
            Thread.sleep(500 + random.nextInt(1_500));
            boolean isEnding = end - System.nanoTime() < LENGTH.toNanos() / 5;
            emptied += !isEnding && random.nextInt(3) == 0 && isEmptied(database) ? 1 : 0;
            int killed = random.nextInt(PROCESSES);
            Path log = logs.get(logOf.get(killed));
            boolean isReady = Files.readString(log).contains("ready");
            // On a slow machine, the database may not answer in time at startup.
            if (isReady || !processes.get(killed).isAlive()) {
                processes.get(killed).destroyForcibly().waitFor();
                logOf.set(killed, logs.size());
                processes.set(killed, start(database, clock, zones));
                kills += isReady ? 1 : 0;
                failedStarts += isReady ? 0 : 1;
            }
        }
        // On a slow machine, all processes may still be starting since gapless series were emptied.
        Waiting.await()
                .until(
                        () -> jdbc.queryForObject(
                                "SELECT COUNT(DISTINCT series) FROM document WHERE series LIKE 'snowflake.numbers.gapless%'",
                                Integer.class),
                        Predicate.isEqual(zones.size()));
        end();
        // Connections of killed processes are rolled back.
        Thread.sleep(1_000);
        StringBuilder summary = new StringBuilder(
                "%s: %s kills, %s failed starts, emptied %s times".formatted(database, kills, failedStarts, emptied));
        long conflicts = 0;
        long failures = 0;
        long caught = 0;
        for (Path log : logs) {
            failures += Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("failed"))
                    .count();
            conflicts += Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("conflict"))
                    .count();
            caught += Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("caught"))
                    .count();
        }
        for (String kind : NumberProcess.KINDS) {
            for (int zone = 0; zone < zones.size(); zone++) {
                String series = "snowflake.numbers." + kind + (zone + NumberProcess.FIRST_ZONE);
                ZoneId id = ZoneId.of(zones.get(zone));
                NumberFormat format = NumberFormat.of("{yyyyMMdd}-{00000}");
                List<String> periods = jdbc.queryForList(
                        "SELECT DISTINCT period FROM document WHERE series = ? ORDER BY period", String.class, series);
                // On a slow machine, midnights pass before the processes are ready. Documents of gapless series may
                // have
                // been deleted.
                assertThat(periods)
                        .as("%s of %s: %s", series, summary, Files.readString(logs.get(0)))
                        .hasSizeBetween(1, 2);
                for (String period : periods) {
                    List<Long> numbers = jdbc.queryForList(
                            "SELECT number FROM document WHERE series = ? AND period = ? ORDER BY number",
                            Long.class,
                            series,
                            period);
                    assertThat(numbers).as(series + " " + period).doesNotHaveDuplicates();
                    if (kind.equals("gapless")) {
                        assertThat(numbers)
                                .as(series + " " + period)
                                .containsExactlyElementsOf(Stream.iterate(1L, number -> number + 1)
                                        .limit(numbers.size())
                                        .toList());
                        assertThat(jdbc.queryForObject(
                                        "SELECT last_number FROM snowflake_number WHERE series = ? AND time_period = ?",
                                        Integer.class,
                                        kind + (zone + NumberProcess.FIRST_ZONE),
                                        period))
                                .isEqualTo(numbers.size());
                    }
                    summary.append(", %s%s %s: %s".formatted(kind, zone, period, numbers.size()));
                }
                int wrong = 0;
                for (Map<String, Object> row : jdbc.queryForList(
                        "SELECT period, before_ms, after_ms FROM document WHERE series = ?", series)) {
                    String before = format.at((long) row.get("before_ms"), id).period();
                    String after = format.at((long) row.get("after_ms"), id).period();
                    if (!List.of(before, after).contains(row.get("period"))) {
                        wrong++;
                    }
                }
                assertThat(wrong).as("numbers of %s in a wrong period", series).isZero();
            }
        }
        System.out.println(summary + ", %s conflicts, %s caught, %s failures".formatted(conflicts, caught, failures));
    }
}
