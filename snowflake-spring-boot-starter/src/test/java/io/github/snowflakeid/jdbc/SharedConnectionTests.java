package io.github.snowflakeid.jdbc;

import static io.github.snowflakeid.servers.Waiting.await;
import static io.github.snowflakeid.worker.WorkerRegistryContract.atOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.xa.PGXADataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The connection of leases and counters, which does not come from the application's pool. */
@Tag("servers")
@Timeout(300)
class SharedConnectionTests {

    private static final Duration TTL = Duration.ofSeconds(60);

    private static Claim claim(int workerId) {
        return Claim.of(
                0, workerId, "owner " + workerId, "test", Instant.EPOCH, Instant.ofEpochMilli(1), "some layout");
    }

    private static void createTables(Databases database) {
        try (HikariDataSource admin = database.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP TABLE IF EXISTS shared_leases");
            sql.execute("DROP TABLE IF EXISTS shared_counters");
            new JdbcWorkerRegistry(admin, "shared_leases", "default")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read();
            new JdbcSegmentStore(admin, "shared_counters")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read("any");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void transactionsThatHoldAllConnectionsGetSequentialNumbers(Databases database) throws Exception {
        createTables(database);
        for (int connections : new int[] {1, 10}) {
            HikariConfig settings = database.pool();
            settings.setMaximumPoolSize(connections);
            try (HikariDataSource pool = new HikariDataSource(settings)) {
                for (DataSource source : List.of(pool, new LazyConnectionDataSourceProxy(pool))) {
                    TransactionTemplate transactions =
                            new TransactionTemplate(new DataSourceTransactionManager(source));
                    try (JdbcSegmentStore store = new JdbcSegmentStore(source, "shared_counters");
                            SegmentIdGenerator numbers = SegmentIdGenerator.builder()
                                    .name("numbers")
                                    .stores(List.of(store))
                                    .minStep(7)
                                    .maxStep(7)
                                    .build()) {
                        Set<Long> issued = new HashSet<>();
                        atOnce(
                                        60,
                                        user -> transactions.execute(transaction -> {
                                            Integer one =
                                                    new JdbcTemplate(source).queryForObject("SELECT 1", Integer.class);
                                            assertThat(one).isOne();
                                            return numbers.nextId();
                                        }))
                                .forEach(issued::add);
                        assertThat(issued).hasSize(60);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsWorkInsideATransactionThatHoldsTheOnlyConnection(Databases database) {
        createTables(database);
        HikariConfig one = database.pool();
        one.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(one)) {
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "shared_leases", "default");
            new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult(transaction -> {
                new JdbcTemplate(pool).queryForList("SELECT owner FROM shared_leases");
                assertThat(registry.read().entries()).isEmpty();
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
                transaction.setRollbackOnly();
            });
            assertThat(registry.read().entries()).hasSize(1);
        }
    }

    @Test
    void loginThatWasChangedInThePoolApplies() throws Exception {
        createTables(Databases.MARIADB);
        try (HikariDataSource admin = Databases.MARIADB.open()) {
            ConnectionSettings user = Databases.MARIADB.newUser(admin, "rotated");
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("GRANT SELECT, INSERT, UPDATE ON leases.shared_leases TO 'rotated'@'localhost'");
            AtomicReference<String> token = new AtomicReference<>("secret");
            HikariDataSource changed = new HikariDataSource();
            HikariDataSource withTokens = new HikariDataSource() {
                @Override
                public Credentials getCredentials() {
                    return Credentials.of("rotated", token.get());
                }
            };
            try (changed;
                    withTokens) {
                for (HikariDataSource pool : List.of(changed, withTokens)) {
                    pool.setJdbcUrl(user.url());
                    pool.setUsername("rotated");
                    pool.setPassword("secret");
                    pool.setMaximumPoolSize(1);
                }
                JdbcWorkerRegistry first = new JdbcWorkerRegistry(changed, "shared_leases", "default");
                JdbcWorkerRegistry second = new JdbcWorkerRegistry(withTokens, "shared_leases", "default");
                assertThat(first.acquire(null, claim(1), TTL)).isTrue();
                assertThat(second.acquire(null, claim(2), TTL)).isTrue();
                first.close();
                second.close();

                sql.execute("ALTER USER 'rotated'@'localhost' IDENTIFIED BY 'another'");
                changed.getHikariConfigMXBean().setPassword("another");
                token.set("another");

                try (Connection only = changed.getConnection();
                        Connection other = withTokens.getConnection()) {
                    assertThat(only.isValid(1)).isTrue();
                    assertThat(other.isValid(1)).isTrue();
                    assertThat(first.renew(claim(1), Instant.ofEpochMilli(2), TTL))
                            .isTrue();
                    assertThat(second.renew(claim(2), Instant.ofEpochMilli(2), TTL))
                            .isTrue();
                }
            }
        }
    }

    static Stream<DataSource> poolsOfOneConnection() {
        String url = JdbcRegistryFailureTests.urlWithoutUser(Databases.MARIADB);
        org.apache.tomcat.jdbc.pool.DataSource tomcat = new org.apache.tomcat.jdbc.pool.DataSource();
        tomcat.setUrl(url);
        tomcat.setUsername("pooled");
        tomcat.setPassword("secret");
        tomcat.setMaxActive(1);
        tomcat.setInitialSize(1);
        BasicDataSource dbcp = new BasicDataSource();
        dbcp.setUrl(url);
        dbcp.setUsername("pooled");
        dbcp.setPassword("secret");
        dbcp.setMaxTotal(1);
        return Stream.of(tomcat, dbcp);
    }

    @ParameterizedTest
    @MethodSource("poolsOfOneConnection")
    void connectionIsDerivedFromOtherPools(DataSource pool) throws Exception {
        createTables(Databases.MARIADB);
        try (HikariDataSource admin = Databases.MARIADB.open();
                AutoCloseable closed = pool instanceof BasicDataSource dbcp
                        ? dbcp
                        : ((org.apache.tomcat.jdbc.pool.DataSource) pool)::close) {
            assertThat(closed).isNotNull();
            Databases.MARIADB.newUser(admin, "pooled");
            new JdbcTemplate(admin)
                    .execute("GRANT SELECT, INSERT, UPDATE ON leases.shared_leases TO 'pooled'@'localhost'");
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "shared_leases", "default");
            assertThat(registry.read().entries()).isEmpty();

            try (Connection only = pool.getConnection()) {
                assertThat(only.isValid(1)).isTrue();
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
            }
        }
    }

    /** Tomcat's pool does not end transactions of connections that it gets back. */
    @Test
    void comparisonLeavesNoTransactionOpenInThePool() {
        createTables(Databases.POSTGRESQL);
        org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
        pool.setUrl(Databases.POSTGRESQL.url("ApplicationName=compared"));
        pool.setDriverClassName("org.postgresql.Driver");
        pool.setDefaultAutoCommit(false);
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            new JdbcWorkerRegistry(pool, "shared_leases", "default").read();

            assertThat(new JdbcTemplate(admin)
                            .queryForList(
                                    "SELECT DISTINCT state FROM pg_stat_activity WHERE application_name = 'compared'",
                                    String.class))
                    .containsExactly("idle");
        } finally {
            pool.close();
        }
    }

    @Test
    void loginWithoutAnAnswerDoesNotBlockTheCallsThatFollow() {
        createTables(Databases.H2);
        CountDownLatch silent = new CountDownLatch(1);
        AtomicInteger logins = new AtomicInteger();
        DataSource source = new ImpatientDataSource() {
            @Override
            protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                if (logins.incrementAndGet() == 1) {
                    try {
                        silent.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return super.getConnectionFromDriver(properties);
            }
        };
        try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                new StoredTable(
                        new Database(StoredKind.LEASES, source, new Timeouts(1, 500)),
                        "shared_leases",
                        InitializeSchema.NEVER),
                "default")) {
            assertThatThrownBy(registry::read)
                    .hasMessage("The database cannot be reached: The database opened no connection within 500 ms");

            assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
        } finally {
            silent.countDown();
        }
    }

    /** A {@code DataSource} with a connection timeout, like a pool. */
    private static class ImpatientDataSource extends DriverManagerDataSource {

        ImpatientDataSource() {
            super(Databases.H2.url());
        }

        public long getConnectionTimeout() {
            return 500;
        }
    }

    @Test
    void databaseInMemoryOutlivesTheConnectionIfThereIsNoPool() {
        DataSource source = new DriverManagerDataSource("jdbc:h2:mem:without_pool");
        try (JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(source, "leases", "default").initializeSchema(InitializeSchema.ALWAYS)) {
            registry.read();
            assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
            registry.release(claim(1), Instant.ofEpochMilli(1));

            assertThat(registry.read().entries()).hasSize(1);
        }
    }

    private static int connections(HikariDataSource admin, String application) {
        Integer count = new JdbcTemplate(admin)
                .queryForObject(
                        "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = ?", Integer.class, application);
        return count == null ? -1 : count;
    }

    @Test
    void leasesCountersAndDocumentNumbersHaveOneConnectionThatStays() throws Exception {
        createTables(Databases.POSTGRESQL);
        HikariConfig settings = Databases.POSTGRESQL.pool();
        settings.setJdbcUrl(Databases.POSTGRESQL.url() + "&ApplicationName=shared");
        settings.setMinimumIdle(0);
        settings.setInitializationFailTimeout(-1);
        Set<Thread> others = Thread.getAllStackTraces().keySet();
        try (HikariDataSource admin = Databases.POSTGRESQL.open();
                HikariDataSource pool = new HikariDataSource(settings)) {
            JdbcSegmentStore counters = new JdbcSegmentStore(pool, "shared_counters");
            JdbcNumberStore numbers =
                    new JdbcNumberStore("shared", pool, "shared_numbers", InitializeSchema.ALWAYS, null);
            List<JdbcWorkerRegistry> registries = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 4; i++) {
                registries.add(new JdbcWorkerRegistry(pool, "shared_leases", "default"));
            }
            AtomicInteger most = new AtomicInteger();
            atOnce(32, number -> {
                registries.get(number % 4).acquire(null, claim(number), TTL);
                counters.read("any");
                numbers.record("{0}");
                most.accumulateAndGet(connections(admin, "shared"), Math::max);
                return number;
            });

            assertThat(most).hasValue(1);
            List<Integer> before = backends(admin);
            Thread.sleep(1_500);
            assertThat(registries.get(0).read().entries()).hasSize(32);
            assertThat(backends(admin)).isEqualTo(before);
            registries.forEach(JdbcWorkerRegistry::close);
            counters.close();
            assertThat(backends(admin)).isEqualTo(before);
            numbers.close();
            while (connections(admin, "shared") > 0) {
                Thread.onSpinWait();
            }
            await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> !others.contains(thread))
                    .extracting(Thread::getName)
                    .doesNotContain("snowflake-connection"));
        }
    }

    private static List<Integer> backends(HikariDataSource admin) {
        return new JdbcTemplate(admin)
                .queryForList("SELECT pid FROM pg_stat_activity WHERE application_name = 'shared'", Integer.class);
    }

    /** As on a server with few connections, all of which are in the pool. */
    @Test
    void poolIsUsedIfTheServerPermitsNoFurtherConnection() {
        createTables(Databases.POSTGRESQL);
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP ROLE IF EXISTS limited");
            sql.execute("CREATE ROLE limited LOGIN CONNECTION LIMIT 1");
            sql.execute("GRANT SELECT, INSERT, UPDATE ON shared_leases TO limited");
            HikariConfig one = Databases.POSTGRESQL.pool();
            one.setJdbcUrl(JdbcRegistryFailureTests.urlWithoutUser(Databases.POSTGRESQL));
            one.setUsername("limited");
            one.setMaximumPoolSize(1);
            try (HikariDataSource pool = new HikariDataSource(one)) {
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "shared_leases", "default");
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
                assertThat(registry.read().entries()).hasSize(1);
            }
            sql.execute("DROP OWNED BY limited");
            sql.execute("DROP ROLE limited");
        }
    }

    /** Accounts are locked after several rejected logins. */
    @Test
    void loginThatTheServerRejectsIsTriedOnce() {
        createTables(Databases.H2);
        AtomicInteger logins = new AtomicInteger();
        HikariDataSource pool = new HikariDataSource();
        pool.setMaximumPoolSize(1);
        pool.setDataSource(new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                if (logins.incrementAndGet() > 1) {
                    throw new SQLException("wrong password", "28000");
                }
                return DriverManager.getConnection(Databases.H2.url());
            }

            @Override
            public @Nullable Connection getConnection(String username, String password) {
                return null;
            }
        });
        try (pool) {
            assertThat(new JdbcTemplate(pool).queryForObject("SELECT 1", Integer.class))
                    .isOne();
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "shared_leases", "default");
            for (int i = 0; i < 3; i++) {
                assertThat(registry.acquire(null, claim(i), TTL)).isTrue();
            }
            assertThat(logins).hasValue(2);
        }
    }

    /** The application's own attempt to start its pool would wait for ours, and its log would show both. */
    @Test
    void poolIsNotStartedIfTheDatabaseIsDown() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(new DelegatingDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    logins.incrementAndGet();
                    throw new SQLException("connection refused", "08001");
                }
            });
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "shared_leases", "default");
            assertThat(catchThrowable(registry::read)).hasMessageContaining("connection refused");
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("snowflake-pool")) {
                    thread.join();
                }
            }
            assertThat(logins).hasValue(1);
        }
    }

    /** A wrapper may choose the schema or the account of each connection, so it is not bypassed. */
    @Test
    void wrapperThatChangesConnectionsIsNotBypassed() {
        try (HikariDataSource pool = Databases.H2.open()) {
            JdbcTemplate sql = new JdbcTemplate(pool);
            sql.execute("CREATE SCHEMA IF NOT EXISTS wrapped");
            sql.execute("DROP TABLE IF EXISTS wrapped.shared_leases");
            new JdbcWorkerRegistry(pool, "wrapped.shared_leases", "default")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read();
            DataSource wrapper = new DelegatingDataSource(pool) {
                @Override
                public Connection getConnection() throws SQLException {
                    Connection connection = super.getConnection();
                    connection.setSchema("WRAPPED");
                    return connection;
                }
            };

            assertThat(new JdbcWorkerRegistry(wrapper, "shared_leases", "default").acquire(null, claim(1), TTL))
                    .isTrue();

            assertThat(sql.queryForList("SELECT owner FROM wrapped.shared_leases", String.class))
                    .containsExactly("owner 1");
        }
    }

    private static String state(Databases database, Connection connection) throws SQLException {
        StringBuilder state = new StringBuilder();
        for (String value : database == Databases.POSTGRESQL
                ? new String[] {
                    "CURRENT_SETTING('default_transaction_isolation')",
                    "CURRENT_SETTING('default_transaction_read_only')",
                    "CURRENT_SETTING('search_path')",
                    "CURRENT_SETTING('statement_timeout')",
                    "CURRENT_SETTING('lock_timeout')",
                    "CURRENT_USER"
                }
                : new String[] {
                    "@@transaction_isolation",
                    "@@tx_read_only",
                    "DATABASE()",
                    "@@autocommit",
                    "@@max_statement_time",
                    "@@innodb_lock_wait_timeout",
                    "@@sql_mode"
                }) {
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("SELECT " + value)) {
                row.next();
                state.append(value).append('=').append(row.getString(1)).append('\n');
            }
        }
        return state.append(connection.getTransactionIsolation())
                .append(connection.getAutoCommit())
                .append(connection.isReadOnly())
                .append(connection.getNetworkTimeout())
                .append(connection.getCatalog())
                .append(connection.getSchema())
                .toString();
    }

    /** Without a pool that resets connections, as behind a pooler that gives them to other clients. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void connectionIsLeftAsItWas(Databases database) throws Exception {
        createTables(database);
        for (String level : new String[] {"read committed", "repeatable read", "serializable"}) {
            try (Connection connection = DriverManager.getConnection(database.url());
                    var statement = connection.createStatement()) {
                statement.execute("SET SESSION " + (database == Databases.POSTGRESQL ? "CHARACTERISTICS AS " : "")
                        + "TRANSACTION ISOLATION LEVEL " + level);
                String before = state(database, connection);
                DataSource one = new OpaqueDataSource(new SingleConnectionDataSource(connection, true));
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(one, "shared_leases", level);
                JdbcSegmentStore store = new JdbcSegmentStore(one, "shared_counters");

                registry.read();
                registry.acquire(null, claim(1), TTL);
                registry.renew(claim(1), Instant.ofEpochMilli(2), TTL);
                registry.release(claim(1).until(Instant.ofEpochMilli(2)), Instant.ofEpochMilli(1));
                store.read(level);
                store.write(level, null, new Counter(1, 1, 100, "token"));

                assertThat(registry.read().entries()).hasSize(1);
                assertThat(state(database, connection)).isEqualTo(before);
            }
        }
    }

    /** A transaction that is left open holds locks, and keeps a server from removing old rows. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void noTransactionIsLeftOpenWithoutAutoCommit(Databases database) throws Exception {
        createTables(database);
        String self = database == Databases.POSTGRESQL ? "PG_BACKEND_PID()" : "CONNECTION_ID()";
        String open = database == Databases.POSTGRESQL
                ? "SELECT COUNT(*) FROM pg_stat_activity WHERE state <> 'idle' AND pid = ?"
                : "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = ?";
        try (Connection connection = DriverManager.getConnection(database.url());
                HikariDataSource admin = database.open()) {
            connection.setAutoCommit(false);
            SingleConnectionDataSource single = new SingleConnectionDataSource(connection, true);
            Long id = new JdbcTemplate(single).queryForObject("SELECT " + self, Long.class);
            DataSource one = new OpaqueDataSource(single);
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(one, "shared_leases", "open");
            JdbcWorkerRegistry missing = new JdbcWorkerRegistry(one, "no_such_table", "open");
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    registry::read,
                    () -> registry.acquire(null, claim(1), TTL),
                    () -> registry.acquire(null, claim(1), TTL),
                    missing::read,
                    () -> missing.acquire(null, claim(1), TTL))) {
                Throwable thrown = catchThrowable(call);
                assertThat(new JdbcTemplate(admin).queryForObject(open, Integer.class, id))
                        .as("transactions after %s", thrown)
                        .isZero();
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
            }
        }
    }

    /** Without an open connection, H2 drops the database. */
    @Test
    void databaseInMemoryOutlivesTheConnectionIfThePoolWasNotUsedYet() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:h2:mem:outlives");
            JdbcWorkerRegistry registry =
                    new JdbcWorkerRegistry(pool, "leases", "default").initializeSchema(InitializeSchema.EMBEDDED);
            registry.read();
            registry.acquire(null, claim(1), TTL);

            registry.close();

            assertThat(new JdbcTemplate(pool).queryForList("SELECT owner FROM leases", String.class))
                    .containsExactly("owner 1");
        }
    }

    /** Each connection to such a database has its own. */
    @Test
    void poolIsUsedForADatabaseInMemoryWithoutAName() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:h2:mem:");
            pool.setMaximumPoolSize(1);
            JdbcWorkerRegistry registry =
                    new JdbcWorkerRegistry(pool, "leases", "default").initializeSchema(InitializeSchema.EMBEDDED);
            registry.read();

            assertThat(new JdbcTemplate(pool).queryForList("SELECT owner FROM leases", String.class))
                    .isEmpty();
        }
    }

    /** As the pool of a JTA transaction manager may be, outside of its transactions. */
    public static final class XaPool extends AbstractDataSource {

        private final XADataSource resource;

        XaPool(XADataSource resource) {
            this.resource = resource;
        }

        public XADataSource getXaDataSource() {
            return resource;
        }

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("A JTA transaction is required but none was found");
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }
    }

    @Test
    void resourceOfAnXaPoolIsUsedOutsideOfItsTransactions() throws Exception {
        createTables(Databases.POSTGRESQL);
        PGXADataSource postgresql = new PGXADataSource();
        postgresql.setUrl(Databases.POSTGRESQL.url());
        postgresql.setApplicationName("xa");
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(new XaPool(postgresql), "shared_leases", "default");

            assertThat(registry.acquire(null, claim(1), TTL)).isTrue();

            assertThat(connections(admin, "xa")).isOne();
            try (JdbcWorkerRegistry wrapped = new JdbcWorkerRegistry(
                    new DelegatingDataSource(new XaPool(postgresql)), "shared_leases", "default")) {
                assertThat(wrapped.acquire(null, claim(2), TTL)).isTrue();
            }
            assertThat(registry.renew(claim(1), Instant.ofEpochMilli(2), TTL)).isTrue();
            registry.close();
            while (connections(admin, "xa") > 0) {
                Thread.sleep(10);
            }
        }
    }

    @Test
    void wrapperThatChangesNothingDoesNotExhaustThePool() {
        createTables(Databases.POSTGRESQL);
        HikariConfig one = Databases.POSTGRESQL.pool();
        one.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(one)) {
            DataSource wrapper = new DelegatingDataSource(pool);
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(wrapper, "shared_leases", "default");
            assertThat(registry.read().entries()).isEmpty();
            new TransactionTemplate(new DataSourceTransactionManager(wrapper)).executeWithoutResult(transaction -> {
                new JdbcTemplate(wrapper).queryForList("SELECT owner FROM shared_leases");
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
            });
        }
    }
}
