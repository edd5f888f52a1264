package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.jdbc.Databases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Measures how many documents a second get a number of one gapless series, and compares it with a hand-written
 * {@code SELECT … FOR UPDATE} in the same transaction, in turns. Longer with
 * {@code -Drate.rounds=10 -Drate.seconds=10 -Drate.threads=16}.
 */
// Slow: measures.
@Tag("full")
@Tag("servers")
class NumberRateTests {

    private static final int ROUNDS = Integer.getInteger("rate.rounds", 2);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("rate.seconds", 1));
    private static final int THREADS = Integer.getInteger("rate.threads", 8);

    private HikariDataSource pool;
    private JdbcTemplate jdbc;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void comparesWithHandWrittenNumbers(Databases database) {
        HikariConfig config = database.pool();
        config.setMaximumPoolSize(THREADS);
        pool = new HikariDataSource(config);
        jdbc = new JdbcTemplate(pool);
        for (String table : List.of("snowflake_number", "invoice", "hand_written")) {
            jdbc.execute("DROP TABLE IF EXISTS " + table);
        }
        jdbc.execute("CREATE TABLE invoice (number BIGINT PRIMARY KEY, origin VARCHAR(10), amount BIGINT)");
        jdbc.execute("CREATE TABLE hand_written (period VARCHAR(10) PRIMARY KEY, last_number BIGINT)");
        jdbc.execute("INSERT INTO hand_written VALUES ('2026', 1000000000)");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakeNumbersAutoConfiguration.class))
                .withBean(DataSource.class, () -> pool)
                .withPropertyValues(
                        "snowflake.numbers.invoice.format=INV-{yyyy}-{00000}",
                        "snowflake.numbers.invoice.zone=Europe/Berlin",
                        "snowflake.numbers.invoice.gapless=true",
                        "snowflake.numbers.invoice.initialize-schema=always")
                .run(context -> {
                    DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
                    measure(() -> numbers.take("", null).number());
                    measure(this::handWritten);
                    for (int round = 0; round < ROUNDS; round++) {
                        long ours = measure(() -> numbers.take("", null).number());
                        long byHand = measure(this::handWritten);
                        System.out.printf(
                                "%s, %s threads: %s documents/s, by hand %s, ratio %.2f%n",
                                database, THREADS, ours, byHand, (double) ours / byHand);
                        assertThat(ours).isPositive();
                    }
                });
        pool.close();
    }

    private long handWritten() {
        Long last = jdbc.queryForObject(
                "SELECT last_number FROM hand_written WHERE period = ? FOR UPDATE", Long.class, "2026");
        jdbc.update("UPDATE hand_written SET last_number = ? WHERE period = ?", last + 1, "2026");
        return last + 1;
    }

    private interface Numbers {
        long next();
    }

    private long measure(Numbers numbers) throws Exception {
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        AtomicLong documents = new AtomicLong();
        long end = System.nanoTime() + LENGTH.toNanos();
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            running.add(threads.submit(() -> {
                while (System.nanoTime() < end) {
                    transaction.executeWithoutResult(
                            status -> jdbc.update("INSERT INTO invoice VALUES (?, 'x', 1)", numbers.next()));
                    documents.incrementAndGet();
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        threads.shutdown();
        return documents.get() / LENGTH.toSeconds();
    }
}
