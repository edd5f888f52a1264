package io.github.snowflakeid.jdbc;

import static io.github.snowflakeid.worker.WorkerRegistryContract.atOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.redis.CuttingProxy;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** The guarantees of a segment store, for any state of pooled connections. */
@Tag("servers")
class JdbcSegmentStoreTests {

    private static JdbcSegmentStore emptyTable(Databases database, DataSource pool) {
        try (HikariDataSource admin = database.open()) {
            new JdbcTemplate(admin).execute("DROP TABLE IF EXISTS snowflake_counter");
            new JdbcSegmentStore(admin, JdbcSegmentStore.DEFAULT_TABLE)
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read("any");
        }
        return new JdbcSegmentStore(pool, JdbcSegmentStore.DEFAULT_TABLE);
    }

    private static Counter counter(long last) {
        return new Counter(1, 1, last, UUID.randomUUID().toString());
    }

    private static void write(SegmentStore store, Counter seen, Counter next) {
        assertThat(store.write("orders", seen, next)).isTrue();
    }

    private static void add(SegmentStore store, int writes) {
        for (int written = 0; written < writes; ) {
            Counter seen = store.read("orders");
            written += store.write("orders", seen, counter(seen == null ? 1 : seen.last() + 1)) ? 1 : 0;
        }
    }

    // Slow: many writers at each level of isolation on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void noWriteIsLostAtAnyLevelOfIsolation(Databases database) throws Exception {
        for (String level : new String[] {"READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"}) {
            HikariConfig config = database.pool();
            config.setTransactionIsolation("TRANSACTION_" + level);
            config.setAutoCommit(level.startsWith("READ"));
            config.setMaximumPoolSize(4);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                JdbcSegmentStore store = emptyTable(database, pool);

                atOnce(4, thread -> {
                    add(store, 5);
                    return thread;
                });

                assertThat(store.read("orders").last()).as(level).isEqualTo(20);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionIsReturnedUnchanged(Databases database) throws Exception {
        try (Connection connection = DriverManager.getConnection(database.url())) {
            for (boolean autoCommit : new boolean[] {true, false}) {
                for (int level : new int[] {
                    Connection.TRANSACTION_READ_UNCOMMITTED,
                    Connection.TRANSACTION_READ_COMMITTED,
                    Connection.TRANSACTION_REPEATABLE_READ,
                    Connection.TRANSACTION_SERIALIZABLE
                }) {
                    connection.setAutoCommit(autoCommit);
                    connection.setTransactionIsolation(level);
                    int isolation = connection.getTransactionIsolation();
                    int timeout = connection.getNetworkTimeout();

                    add(emptyTable(database, new SingleConnectionDataSource(connection, true)), 2);

                    assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
                    assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
                    assertThat(connection.getNetworkTimeout()).isEqualTo(timeout);
                    if (!autoCommit) {
                        connection.rollback();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HSQLDB")
    void readsNewlyCommittedRowsOnAConnectionThatHasReadBefore(Databases database) throws Exception {
        try (HikariDataSource pool = database.open();
                Connection old = DriverManager.getConnection(database.url())) {
            JdbcSegmentStore store = emptyTable(database, pool);
            Counter first = counter(100);
            write(store, null, first);
            old.setAutoCommit(false);
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            new JdbcTemplate(new SingleConnectionDataSource(old, true)).queryForList("SELECT * FROM snowflake_counter");
            Counter second = counter(200);
            write(store, first, second);

            SegmentStore onOld =
                    new JdbcSegmentStore(new SingleConnectionDataSource(old, true), JdbcSegmentStore.DEFAULT_TABLE);

            assertThat(onOld.read("orders")).isEqualTo(second);
            write(onOld, second, counter(300));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "MARIADB", "POSTGRESQL"})
    void readsNothingThatIsNotCommitted(Databases database) throws Exception {
        HikariConfig config = database.pool();
        config.setTransactionIsolation("TRANSACTION_READ_UNCOMMITTED");
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection other = DriverManager.getConnection(database.url())) {
            JdbcSegmentStore store = emptyTable(database, pool);
            Counter committed = counter(100);
            write(store, null, committed);
            // The first read checks the table, which waits like the INSERT of a counter.
            assertThat(store.read("orders")).isEqualTo(committed);
            other.setAutoCommit(false);
            new JdbcTemplate(new SingleConnectionDataSource(other, true))
                    .update("UPDATE snowflake_counter SET last_number = 200, token = 'another'");

            assertThat(store.read("orders")).isEqualTo(committed);
            other.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void staysWrittenWhenTheTransactionOfTheCallerRollsBack(Databases database) {
        try (HikariDataSource pool = database.open()) {
            JdbcSegmentStore store = emptyTable(database, pool);
            Counter first = counter(100);
            new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult(transaction -> {
                write(store, null, first);
                transaction.setRollbackOnly();
            });

            assertThat(store.read("orders")).isEqualTo(first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyCreateTheTableAtOnce(Databases database) throws Exception {
        try (HikariDataSource pool = database.open()) {
            new JdbcTemplate(pool).execute("DROP TABLE IF EXISTS counters_at_once");
            assertThat(atOnce(8, number -> {
                        JdbcSegmentStore store = new JdbcSegmentStore(pool, "counters_at_once")
                                .initializeSchema(InitializeSchema.ALWAYS);
                        return store.read("orders") == null && store.write("orders-" + number, null, counter(1));
                    }))
                    .containsOnly(true);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void lostAnswerIsNotTakenForARejection(Databases database) throws Exception {
        Matcher port = Pattern.compile("//localhost:(\\d+)").matcher(database.url());
        assertThat(port.find()).isTrue();
        try (CuttingProxy proxy = new CuttingProxy(Integer.parseInt(port.group(1)));
                HikariDataSource pool = database.open();
                JdbcSegmentStore through = new JdbcSegmentStore(
                        Databases.dedicated(
                                database.url().replace(port.group(), "//localhost:" + proxy.port()), null, null),
                        JdbcSegmentStore.DEFAULT_TABLE)) {
            JdbcSegmentStore store = emptyTable(database, pool);
            Counter first = counter(100);
            write(through, null, first);
            Counter second = counter(200);
            proxy.cutAnswerWith("COMMIT");

            assertThatThrownBy(() -> through.write("orders", first, second))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("Table 'snowflake_counter' of counters was not written: ");

            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(store.read("orders")).as("it was").isEqualTo(second);
            assertThat(through.read("orders")).isEqualTo(second);
        }
    }

    // Slow: waits until a statement is cancelled on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void lockedRowIsGivenUpInTimeAndNothingIsLeftWaitingOnTheServer(Databases database) throws Exception {
        try (HikariDataSource pool = database.open();
                Connection locks = DriverManager.getConnection(database.url())) {
            JdbcSegmentStore store = emptyTable(database, pool);
            Counter first = counter(100);
            write(store, null, first);
            locks.setAutoCommit(false);
            new JdbcTemplate(new SingleConnectionDataSource(locks, true))
                    .update("UPDATE snowflake_counter SET last_number = 200");
            long begin = System.nanoTime();

            assertThatThrownBy(() -> store.write("orders", first, counter(300)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith(
                            "Table 'snowflake_counter' of counters was not written in time because it is locked");

            // The server itself would wait for 50 s or longer.
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
            locks.rollback();
            assertThat(store.read("orders")).isEqualTo(first);
            write(store, first, counter(300));
        }
    }

    @Test
    void databaseThatIsDownIsNotReportedAsAnExhaustedPool() {
        HikariConfig down = new HikariConfig();
        down.setJdbcUrl("jdbc:postgresql://localhost:1/none");
        down.setInitializationFailTimeout(-1);
        try (HikariDataSource pool = new HikariDataSource(down)) {
            ConfigurationException failure = catchThrowableOfType(
                    ConfigurationException.class, () -> new JdbcSegmentStore(pool, "counters").read("orders"));

            assertThat(failure.anchor()).isEqualTo(Problem.STORE_UNREACHABLE.anchor());
            assertThat(failure.action())
                    .hasValue(
                            "Start the database, and check 'spring.datasource.url' and that this process can reach it.");
        }
    }

    @Test
    void isDescribedByItsTableAndAddress() {
        try (HikariDataSource pool = Databases.POSTGRESQL.open();
                JdbcSegmentStore own = new JdbcSegmentStore(
                        Databases.dedicated("jdbc:postgresql://me:secret@db1/shop?ssl=true", "me", "secret"),
                        "shop.counters")) {
            JdbcSegmentStore store = emptyTable(Databases.POSTGRESQL, pool);
            assertThat(store.description()).isEqualTo("table snowflake_counter of the DataSource");
            assertThat(store.read("orders")).isNull();
            assertThat(store.description())
                    .matches("table snowflake_counter at jdbc:postgresql://localhost:\\d+/postgres");
            assertThat(own.description()).isEqualTo("table shop.counters at jdbc:postgresql://db1/shop");
            assertThat(own.kind()).isEqualTo("jdbc");
        }
    }

    @Test
    void nameOfTheTableIsChecked() {
        try (HikariDataSource pool = Databases.H2.open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcSegmentStore(pool, "a; DROP TABLE b"))
                    .withMessage(
                            "table must be a name of letters, digits, _, $ and -, optionally with a schema and a dot before it, but was 'a; DROP TABLE b'. Write any other name in double quotes");
        }
    }
}
