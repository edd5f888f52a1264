package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.jdbc.Databases;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Series of document numbers in each database. */
@Tag("servers")
class DocumentNumbersTests {

    private static final int THREADS = 8;

    /** A time zone in which no year ends during the tests. */
    private static final ZoneOffset NOON =
            ZoneOffset.ofTotalSeconds((int) Math.floorMod(-Instant.now().getEpochSecond(), 86_400L) - 43_200);

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private HikariDataSource pool;
    private TransactionTemplate transaction;

    @AfterEach
    void end() {
        threads.shutdownNow();
        if (pool != null) {
            pool.close();
        }
    }

    private ApplicationContextRunner on(Databases database, String... properties) {
        HikariConfig config = database.pool();
        config.setMaximumPoolSize(THREADS);
        if (database == Databases.POSTGRESQL) {
            config.setConnectionInitSql("SET lock_timeout = '2s'");
        } else if (database == Databases.MARIADB) {
            // The default of MariaDB 11.6 and later. MySQL ignores the comment.
            config.setConnectionInitSql("SET innodb_lock_wait_timeout = 2 /*M!, innodb_snapshot_isolation = ON */");
        }
        pool = new HikariDataSource(config);
        try {
            new JdbcTemplate(pool).execute("DROP TABLE snowflake_number");
        } catch (RuntimeException e) {
            // There is no table.
        }
        new JdbcTemplate(pool).execute("CREATE TABLE IF NOT EXISTS document (number BIGINT)");
        transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakeNumbersAutoConfiguration.class))
                .withBean(DataSource.class, () -> pool)
                .withPropertyValues(
                        "snowflake.numbers.invoice.format=INV-{yyyy}-{000}",
                        "snowflake.numbers.invoice.zone=" + NOON,
                        "snowflake.numbers.invoice.initialize-schema=always")
                .withPropertyValues(properties);
    }

    private void run(Databases database, Consumer<DocumentNumbers> test, String... properties) {
        on(database, properties).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(DocumentNumbers.class));
        });
    }

    private static String year() {
        return Integer.toString(OffsetDateTime.now(NOON).getYear());
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void numbersWithGapsAreTakenOutsideOfTheCallersTransaction(Databases database) {
        run(database, numbers -> {
            assertThat(numbers.next()).isEqualTo("INV-" + year() + "-001");
            assertThat(numbers.last("", null))
                    .hasValueSatisfying(last -> assertThat(last.number()).isEqualTo(1));
            transaction.executeWithoutResult(status -> {
                assertThat(numbers.next()).endsWith("-002");
                status.setRollbackOnly();
            });
            assertThat(numbers.next()).endsWith("-003");
            assertThat(numbers.next("acme")).endsWith("-001");
            assertThat(numbers.take("acme", LocalDate.of(2020, 2, 3)))
                    .isEqualTo(new DocumentNumber("INV-2020-001", "acme", "2020", 1));
            assertThat(numbers.last("unused", null)).isEmpty();
            assertThat(numbers.last("acme", LocalDate.of(2020, 12, 31)).map(DocumentNumber::text))
                    .contains("INV-2020-001");
            assertThatIllegalArgumentException().isThrownBy(() -> numbers.next("x".repeat(101)));
        });
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void gaplessNumbersAreRolledBackWithTheCaller(Databases database) {
        run(
                database,
                numbers -> {
                    assertThat(transaction.<String>execute(status -> numbers.next()))
                            .endsWith("-001");
                    transaction.executeWithoutResult(status -> {
                        assertThat(numbers.next()).endsWith("-002");
                        assertThat(numbers.next()).endsWith("-003");
                        assertThat(numbers.next("acme")).endsWith("-001");
                        status.setRollbackOnly();
                    });
                    assertThat(numbers.last("", null).orElseThrow().number()).isEqualTo(1);
                    assertThat(numbers.last("acme", null)).isEmpty();
                    assertThat(transaction.<String>execute(status -> numbers.next()))
                            .endsWith("-002");
                },
                "snowflake.numbers.invoice.gapless=true");
    }

    private <T> List<T> inParallel(int calls, Callable<T> call) throws Exception {
        List<Future<T>> futures = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < calls; i++) {
            futures.add(threads.submit(() -> {
                start.await();
                return call.call();
            }));
        }
        start.countDown();
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    /** At higher levels, transactions that fail because of others are repeated as a whole, as an application has to. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void gaplessNumbersHaveNoGapAtAnyIsolationLevel(Databases database) {
        on(database, "snowflake.numbers.invoice.gapless=true").run(context -> {
            DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
            int year = 2000;
            for (int level : new int[] {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            }) {
                TransactionTemplate at = new TransactionTemplate(new JdbcTransactionManager(pool));
                at.setIsolationLevel(level);
                LocalDate date = LocalDate.of(year++, 1, 1);
                JdbcTemplate jdbc = new JdbcTemplate(pool);
                List<Optional<Long>> taken = inParallel(100, () -> {
                    while (true) {
                        try {
                            return at.execute(status -> {
                                // Begins the snapshot.
                                jdbc.queryForObject("SELECT COUNT(*) FROM document", Integer.class);
                                long number = numbers.take("", date).number();
                                if (ThreadLocalRandom.current().nextInt(4) == 0) {
                                    status.setRollbackOnly();
                                    return Optional.<Long>empty();
                                }
                                return Optional.of(number);
                            });
                        } catch (ConcurrencyFailureException e) {
                            // Another transaction came first.
                        }
                    }
                });
                assertThat(taken.stream().flatMap(Optional::stream).sorted())
                        .as("level %s", level)
                        .hasSizeBetween(30, 100)
                        .containsExactlyElementsOf(LongStream.rangeClosed(
                                        1,
                                        taken.stream().flatMap(Optional::stream).count())
                                .boxed()
                                .toList());
            }
        });
    }

    /** One waits for the other, which then waits for the first. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void oppositeOrderIsAConflict(Databases database) {
        on(database, "snowflake.numbers.invoice.gapless=true").run(context -> {
            DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
            CyclicBarrier both = new CyclicBarrier(2);
            AtomicInteger order = new AtomicInteger();
            Iterable<Boolean> succeeded = inParallel(2, () -> {
                int first = order.getAndIncrement();
                try {
                    return transaction.execute(status -> {
                        numbers.next("tenant" + first);
                        await(both);
                        return !numbers.next("tenant" + (1 - first)).isEmpty();
                    });
                } catch (ConcurrencyFailureException e) {
                    return false;
                }
            });
            assertThat(succeeded).contains(false);
        });
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void waitingTooLongIsAConflict(Databases database) {
        run(
                database,
                numbers -> transaction.executeWithoutResult(status -> {
                    numbers.next();
                    Future<?> waiting = threads.submit(() -> transaction.execute(other -> numbers.next()));
                    assertThatExceptionOfType(ExecutionException.class)
                            .isThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                            .withCauseInstanceOf(ConcurrencyFailureException.class);
                }),
                "snowflake.numbers.invoice.gapless=true");
    }

    @Test
    void collationThatIgnoresUpperCaseIsRejected() {
        ApplicationContextRunner runner = on(Databases.MARIADB);
        JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(Databases.MARIADB.url()));
        jdbc.execute("""
                CREATE TABLE snowflake_number (series VARCHAR(50), tenant VARCHAR(100), time_period VARCHAR(10), \
                number_format VARCHAR(100), last_number BIGINT, PRIMARY KEY (series, tenant, time_period)) \
                DEFAULT CHARACTER SET latin1 COLLATE latin1_swedish_ci""");
        runner.run(context -> {
            Throwable problem = NestedExceptionUtils.getRootCause(context.getStartupFailure());
            String action = String.valueOf(problem);
            assertThat(action).contains("for its collation, tenants 'a' and 'A' are the same");
            jdbc.execute(action.substring(action.indexOf("ALTER TABLE"), action.indexOf(';')));
        });
        assertThat(jdbc.update("INSERT INTO snowflake_number VALUES ('s', 'a', '', '', 0), ('s', 'A', '', '', 0)"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void prefetchedNumbersAreUniqueAndEndWithThePeriod(Databases database) {
        int seconds = 2;
        // On a slow machine, the day may end before the first number is taken.
        while (!isDayThatEndsIn(seconds, database)) {
            pool.close();
            seconds *= 4;
        }
    }

    /** Returns false if no number was taken on a day that ends soon, so that nothing could be tested. */
    private boolean isDayThatEndsIn(int seconds, Databases database) {
        Instant midnight = Instant.now().plusSeconds(seconds);
        String zone = ZoneOffset.ofTotalSeconds(
                        (int) Math.floorMod(43_200 - midnight.getEpochSecond(), 86_400L) - 43_200)
                .getId();
        Map<String, List<Long>> numbersOfDays = new TreeMap<>();
        on(
                        database,
                        "snowflake.numbers.invoice.format={yyyyMMdd}-{00000}",
                        "snowflake.numbers.invoice.zone=" + zone,
                        "snowflake.numbers.invoice.prefetch=7")
                .run(context -> {
                    DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
                    for (boolean isOver = false; !isOver; Thread.sleep(50)) {
                        isOver = Instant.now().isAfter(midnight.plusMillis(100));
                        inParallel(50, () -> numbers.take("", null))
                                .forEach(taken -> numbersOfDays
                                        .computeIfAbsent(taken.period(), day -> new ArrayList<>())
                                        .add(taken.number()));
                    }
                });
        assertThat(numbersOfDays).hasSizeBetween(1, 2);
        numbersOfDays.forEach((day, taken) ->
                assertThat(taken).as(day).doesNotHaveDuplicates().contains(1L));
        return numbersOfDays.size() == 2;
    }
}
