package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.test.SettableClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A poller that asks for greater IDs misses rows that are committed late. The poller of docs/time.md does not. */
@Tag("servers")
class PollerTests {

    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final HikariDataSource pool = Databases.POSTGRESQL.open();
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private Connection early;
    private Connection late;

    @BeforeEach
    void connect() throws SQLException {
        jdbc.execute("DROP TABLE IF EXISTS purchase");
        jdbc.execute("CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY)");
        early = pool.getConnection();
        late = pool.getConnection();
        early.setAutoCommit(false);
        late.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        early.rollback();
        early.close();
        late.rollback();
        late.close();
        jdbc.execute("DROP TABLE purchase");
        pool.close();
    }

    @Test
    void pollerThatAsksForGreaterIdsMissesARowThatIsCommittedLate() throws SQLException {
        GreaterIdPoller poller = new GreaterIdPoller(jdbc);
        long first = IdLayout.DEFAULT.firstId(Instant.now());
        insert(early, first);
        insert(late, first + 1);
        late.commit();

        assertThat(poller.poll()).containsExactly(first + 1);
        early.commit();
        assertThat(poller.poll()).isEmpty();
    }

    @Test
    void pollerBehindTheLongestTransactionMissesNone() throws SQLException {
        Instant generated = Instant.parse("2026-03-01T12:00:00Z");
        long first = IdLayout.DEFAULT.firstId(generated);
        SettableClock now = SettableClock.at(generated.plusMillis(1));
        PurchasePoller poller = new PurchasePoller(jdbc, PurchasePoller.byTime(now, Duration.ZERO, LONGEST));
        insert(early, first);
        insert(late, first + 1);
        late.commit();

        assertThat(poller.poll()).isEmpty();
        now.set(generated.plus(LONGEST));
        early.commit();
        assertThat(poller.poll()).isEmpty();
        now.advance(Duration.ofMillis(1));
        assertThat(poller.poll()).containsExactly(first, first + 1);
    }

    @Test
    void idsOfAClockThatIsSlowAreReadIfTheSkewIsAllowedFor() throws SQLException {
        Instant generated = Instant.parse("2026-03-01T12:00:00Z");
        Duration skew = Duration.ofSeconds(1);
        long slow = IdLayout.DEFAULT.firstId(generated.minus(skew));
        SettableClock now = SettableClock.at(generated.plus(LONGEST));
        PurchasePoller unaware = new PurchasePoller(jdbc, PurchasePoller.byTime(now, Duration.ZERO, LONGEST));
        PurchasePoller aware = new PurchasePoller(jdbc, PurchasePoller.byTime(now, skew, LONGEST));
        insert(early, slow);

        assertThat(unaware.poll()).isEmpty();
        assertThat(aware.poll()).isEmpty();
        early.commit();
        now.advance(Duration.ofMillis(1));
        assertThat(unaware.poll()).isEmpty();
        assertThat(aware.poll()).containsExactly(slow);
    }

    @Test
    void pollerBehindTheOldestTransactionMissesNone() throws SQLException {
        PurchasePoller poller = new PurchasePoller(
                jdbc, PurchasePoller.byTransactions(new JdbcTemplate(pool), Duration.ZERO, Duration.ZERO));
        startOf(early);
        long first = IdLayout.DEFAULT.firstId(Instant.now());
        insert(early, first);
        insert(late, first + 1);
        late.commit();

        assertThat(poller.poll()).isEmpty();
        early.commit();
        assertThat(readUntil(first + 1, poller)).containsExactly(first, first + 1);
    }

    @Test
    void idsFromBeforeTheTransactionAreReadIfThatTimeIsAllowedFor() throws SQLException {
        Duration before = Duration.ofSeconds(10);
        PurchasePoller unaware = new PurchasePoller(
                jdbc, PurchasePoller.byTransactions(new JdbcTemplate(pool), Duration.ZERO, Duration.ZERO));
        PurchasePoller aware =
                new PurchasePoller(jdbc, PurchasePoller.byTransactions(new JdbcTemplate(pool), Duration.ZERO, before));
        long first = IdLayout.DEFAULT.firstId(startOf(early).minus(before));
        insert(early, first);
        insert(late, first + 1);
        late.commit();

        assertThat(unaware.poll()).containsExactly(first + 1);
        assertThat(aware.poll()).isEmpty();
        early.commit();
        assertThat(unaware.poll()).isEmpty();
        assertThat(readUntil(first + 1, aware)).containsExactly(first, first + 1);
    }

    @Test
    void pollerFailsIfItMustNotSeeTheTransactionsOfOthers() {
        jdbc.execute("DROP ROLE IF EXISTS poller");
        jdbc.execute("CREATE ROLE poller LOGIN");
        JdbcTemplate unprivileged = new JdbcTemplate(
                new DriverManagerDataSource(Databases.POSTGRESQL.url().replace("user=postgres", "user=poller")));
        PurchasePoller poller = new PurchasePoller(
                unprivileged, PurchasePoller.byTransactions(unprivileged, Duration.ZERO, Duration.ZERO));
        try {
            assertThatThrownBy(poller::poll).isInstanceOf(IllegalArgumentException.class);

            jdbc.execute("GRANT pg_read_all_stats TO poller");
            jdbc.execute("GRANT SELECT ON purchase TO poller");
            assertThat(poller.poll()).isEmpty();
        } finally {
            jdbc.execute("DROP OWNED BY poller");
            jdbc.execute("DROP ROLE poller");
        }
    }

    /**
     * On demand: {@code -Dpoller.seconds=120}. Writers and pollers, as in an application, run in real time, with
     * transactions of up to 5 s.
     */
    @Test
    @EnabledIfSystemProperty(named = "poller.seconds", matches = "\\d+")
    void writersAndPollersSideBySide() throws Exception {
        int writers = 16;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("poller.seconds"));
        pool.setMaximumPoolSize(writers + 10);
        Duration margin = Duration.ofSeconds(1);
        List<Supplier<List<Long>>> pollers = List.of(
                new GreaterIdPoller(jdbc)::poll,
                new PurchasePoller(jdbc, PurchasePoller.byTime(Clock.systemUTC(), margin, LONGEST.plus(margin)))::poll,
                new PurchasePoller(jdbc, PurchasePoller.byTransactions(jdbc, margin, Duration.ZERO))::poll);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> writing = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            SnowflakeIdGenerator ids = SnowflakeIdGenerator.builder()
                    .worker(WorkerIdAssigner.fixed(0, writer))
                    .build();
            writing.add(threads.submit(() -> write(ids, end)));
        }
        List<Set<Long>> read = new ArrayList<>();
        List<Future<?>> reading = new ArrayList<>();
        for (Supplier<List<Long>> poller : pollers) {
            Set<Long> ids = new TreeSet<>();
            read.add(ids);
            reading.add(threads.submit(() -> {
                while (System.nanoTime() < end + TimeUnit.SECONDS.toNanos(20)) {
                    ids.addAll(poller.get());
                    Thread.sleep(100);
                }
                return null;
            }));
        }
        for (Future<?> each : writing) {
            each.get();
        }
        for (Future<?> each : reading) {
            each.get();
        }
        threads.shutdown();
        Set<Long> all = new TreeSet<>(jdbc.queryForList("SELECT id FROM purchase", Long.class));
        System.out.printf(
                "Of %s rows: %s missed by greater IDs, %s by time, %s by transactions%n",
                all.size(),
                all.size() - read.get(0).size(),
                all.size() - read.get(1).size(),
                all.size() - read.get(2).size());

        assertThat(read.get(0)).hasSizeLessThan(all.size());
        assertThat(read.get(1)).isEqualTo(all);
        assertThat(read.get(2)).isEqualTo(all);
    }

    /** Transactions of up to 5 s that insert rows with IDs generated in them. */
    private Object write(SnowflakeIdGenerator ids, long end) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (ids;
                Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            while (System.nanoTime() < end) {
                long transaction = System.nanoTime() + random.nextLong(LONGEST.toNanos() - 500_000_000);
                startOf(connection);
                do {
                    insert(connection, ids.nextId());
                    Thread.sleep(random.nextInt(1, 200));
                } while (System.nanoTime() < transaction);
                connection.commit();
            }
        }
        return ids;
    }

    /** All clocks are the same on one machine, so the last row is below the watermark after a tick or so. */
    private static List<Long> readUntil(long last, PurchasePoller poller) {
        List<Long> read = new ArrayList<>();
        while (!read.contains(last)) {
            read.addAll(poller.poll());
        }
        return read;
    }

    /** Begins the transaction of a connection, and returns when it has begun. */
    private static Instant startOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT now()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    private static void insert(Connection connection, long id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO purchase (id) VALUES (?)")) {
            statement.setLong(1, id);
            statement.executeUpdate();
        }
    }

    /** Asks for IDs that are greater than the last one. */
    private static final class GreaterIdPoller {

        private final JdbcTemplate jdbc;
        private long last = -1;

        GreaterIdPoller(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        List<Long> poll() {
            List<Long> ids = jdbc.queryForList("SELECT id FROM purchase WHERE id > ? ORDER BY id", Long.class, last);
            last = ids.isEmpty() ? last : ids.get(ids.size() - 1);
            return ids;
        }
    }
}
