package io.github.snowflakeid.jdbc;

import static io.github.snowflakeid.jdbc.Databases.statements;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.SegmentStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hsqldb.jdbc.JDBCDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Calls that databases reject or do not answer. Failures that waiting cannot solve are reported at once. */
@Tag("servers")
class JdbcRegistryFailureTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private static Claim claim(int workerId) {
        return Claim.of(0, workerId, "owner " + workerId, "test, pid 1", Instant.EPOCH, SOME_TIME, "some layout");
    }

    private static JdbcWorkerRegistry emptyTable(DataSource dataSource, String table) {
        new JdbcTemplate(dataSource).execute("DROP TABLE IF EXISTS " + table);
        JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(dataSource, table, "default").initializeSchema(InitializeSchema.ALWAYS);
        registry.read();
        return registry;
    }

    /** Returns the failure of a startup that is not retried. */
    private static WorkerIdUnavailableException rejectedAtOnce(JdbcWorkerRegistry registry) {
        LeaseTerms terms = LeaseTerms.of(registry).withAcquireTimeout(Duration.ofSeconds(60));
        WorkerIdUnavailableException rejected = catchThrowableOfType(
                WorkerIdUnavailableException.class,
                () -> SnowflakeIdGenerator.builder().lease(terms).build().close());
        assertThat(rejected).isNotNull();
        assertThat(rejected.reason()).as(rejected.getMessage()).isEqualTo(Reason.REGISTRY_UNUSABLE);
        assertThat(rejected.getMessage().lines()).hasSize(1);
        assertThat(rejected.getMessage()).doesNotContain("SELECT clock", "INSERT INTO", "SET owner");
        return rejected;
    }

    private static ConfigurationException detail(Throwable rejected) {
        assertThat(rejected.getCause()).isInstanceOf(ConfigurationException.class);
        return (ConfigurationException) rejected.getCause();
    }

    /** Executes the statements of the action as an administrator, and asserts that startup then succeeds. */
    @ParameterizedTest
    @EnumSource
    void missingPermissionIsReportedWithTheGrantsThatSolveIt(Databases database) {
        try (HikariDataSource admin = database.open()) {
            emptyTable(admin, "granted");
            JdbcTemplate sql = new JdbcTemplate(admin);
            String user = database == Databases.MARIADB ? "'clerk'@'localhost'" : "clerk";
            if (database == Databases.POSTGRESQL) {
                sql.execute("DROP ROLE IF EXISTS clerk");
                sql.execute("CREATE ROLE clerk LOGIN PASSWORD 'secret'");
            } else if (database == Databases.HSQLDB) {
                if (sql.queryForList("SELECT * FROM INFORMATION_SCHEMA.SYSTEM_USERS WHERE USER_NAME = 'CLERK'")
                        .isEmpty()) {
                    sql.execute("CREATE USER clerk PASSWORD 'secret'");
                }
            } else {
                sql.execute("DROP USER IF EXISTS " + user);
                sql.execute("CREATE USER " + user
                        + (database == Databases.H2 ? " PASSWORD 'secret'" : " IDENTIFIED BY 'secret'"));
            }
            if (database == Databases.MARIADB) {
                sql.execute("GRANT SELECT ON leases.granted TO " + user);
            }
            String name = database == Databases.H2 || database == Databases.HSQLDB ? "CLERK" : "clerk";
            try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    Databases.dedicated(urlWithoutUser(database), name, "secret"), "granted", "default")) {
                WorkerIdUnavailableException rejected = rejectedAtOnce(registry);

                String statements = statements(detail(rejected));
                if (database == Databases.HSQLDB) {
                    // HSQLDB does not distinguish a missing table from a missing privilege.
                    assertThat(detail(rejected).anchor()).isEqualTo(Problem.MISSING_TABLE.anchor());
                    assertThat(rejected)
                            .hasMessage(
                                    "Table 'granted' of worker IDs cannot be read: user lacks privilege or object not found: GRANTED");
                    statements = Dialect.HSQLDB.grants("granted", "CLERK");
                } else {
                    assertThat(detail(rejected).anchor()).isEqualTo(Problem.MISSING_PERMISSION.anchor());
                    assertThat(rejected.getMessage())
                            .matches(
                                    "Table 'granted' of worker IDs cannot be (read|written): user '%s' needs SELECT, INSERT and UPDATE on it \\(.*\\)"
                                            .formatted(database == Databases.MARIADB ? "clerk@localhost" : name));
                    String grantee = database == Databases.MARIADB ? user : "\"" + name + "\"";
                    assertThat(statements)
                            .isEqualTo("GRANT SELECT, INSERT, UPDATE ON granted TO %s;".formatted(grantee));
                }
                sql.execute(statements.replace(";", ""));
                try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(registry))
                        .build()) {
                    assertThat(generator.nextId()).isPositive();
                }
            }
            sql.execute("DROP TABLE granted");
        }
    }

    static String urlWithoutUser(Databases database) {
        return database.url()
                .replace("?user=root&createDatabaseIfNotExist=true", "")
                .replace(";DB_CLOSE_DELAY=-1", "")
                .replaceFirst("[?&]user=postgres", "");
    }

    @Test
    void tableThatTheUserMayNotCreateIsReportedWithTheStatementsForAnotherUser() {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP SCHEMA IF EXISTS ids CASCADE");
            sql.execute("CREATE SCHEMA ids");
            sql.execute("DROP ROLE IF EXISTS \"Shop-1\"");
            sql.execute("CREATE ROLE \"Shop-1\" LOGIN PASSWORD 'secret'");
            sql.execute("GRANT USAGE ON SCHEMA ids TO \"Shop-1\"");
            try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                            Databases.dedicated(urlWithoutUser(Databases.POSTGRESQL), "Shop-1", "secret"),
                            "ids.worker",
                            "default")
                    .initializeSchema(InitializeSchema.ALWAYS)) {
                WorkerIdUnavailableException rejected = rejectedAtOnce(registry);

                assertThat(rejected)
                        .hasMessage(
                                "Table 'ids.worker' of worker IDs cannot be created: ERROR: permission denied for schema ids");
                assertThat(detail(rejected).anchor()).isEqualTo(Problem.TABLE_NOT_CREATED.anchor());
                String statements = statements(detail(rejected));
                assertThat(statements)
                        .startsWith("CREATE TABLE IF NOT EXISTS ids.worker (")
                        .endsWith("""
                                );

                                GRANT USAGE ON SCHEMA ids TO "Shop-1";
                                GRANT SELECT, INSERT, UPDATE ON ids.worker TO "Shop-1";""");
                sql.execute(statements);
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void wrongPasswordIsReportedAtOnceAndNotPrinted(Databases database) {
        String user = database == Databases.MARIADB ? "nobody" : "SA";
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(urlWithoutUser(database));
        config.setUsername(user);
        config.setPassword("not-that-one");
        try (HikariDataSource pool = new HikariDataSource(lazily(config));
                JdbcWorkerRegistry own = new JdbcWorkerRegistry(
                        Databases.dedicated(urlWithoutUser(database), user, "not-that-one"), "ids", "default")) {
            if (database == Databases.POSTGRESQL) {
                withPasswords(() -> rejectLogin(pool, own));
            } else {
                rejectLogin(pool, own);
            }
        }
    }

    /** PostgreSQL's driver itself reports this, with the SQL state of an unreachable server. */
    @Test
    void missingPasswordIsReportedAtOnceAsARejectedLogin() throws Exception {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP ROLE IF EXISTS asked");
            sql.execute("CREATE ROLE asked LOGIN PASSWORD 'secret'");
            Path rules = Path.of(sql.queryForObject("SHOW hba_file", String.class));
            String before = Files.readString(rules);
            try {
                Files.writeString(rules, "host all asked all scram-sha-256\n" + before);
                sql.execute("SELECT pg_reload_conf()");
                while (sql.queryForList("SELECT 1 FROM pg_hba_file_rules WHERE 'asked' = ANY (user_name)")
                        .isEmpty()) {
                    Thread.onSpinWait();
                }
                HikariConfig config = lazily(new HikariConfig());
                config.setJdbcUrl(urlWithoutUser(Databases.POSTGRESQL));
                config.setUsername("asked");
                try (HikariDataSource pool = new HikariDataSource(config);
                        JdbcWorkerRegistry own = new JdbcWorkerRegistry(
                                Databases.dedicated(config.getJdbcUrl(), "asked", null), "ids", "default")) {
                    rejectLogin(pool, own);
                }
            } finally {
                Files.writeString(rules, before);
                sql.execute("SELECT pg_reload_conf()");
            }
        }
    }

    private static void rejectLogin(DataSource pool, JdbcWorkerRegistry own) {
        WorkerIdUnavailableException ofPool = rejectedAtOnce(new JdbcWorkerRegistry(pool, "ids", "default"));
        assertThat(ofPool).hasMessageStartingWith("The database rejects the login: ");
        assertThat(detail(ofPool).anchor()).isEqualTo(Problem.LOGIN_REJECTED.anchor());

        WorkerIdUnavailableException ofOwn = rejectedAtOnce(own);
        assertThat(ofOwn)
                .hasMessageStartingWith("The database at jdbc:")
                .hasMessageContaining(" (snowflake.worker.jdbc.url) rejects the login: ")
                .hasStackTraceContaining("rejects the login");
        assertThat(stackTrace(ofOwn)).doesNotContain("not-that-one");
        assertThat(detail(ofOwn).anchor()).isEqualTo(Problem.LOGIN_REJECTED.anchor());
    }

    private static String stackTrace(Throwable failure) {
        java.io.StringWriter trace = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(trace));
        return trace.toString();
    }

    /** The server trusts all other users; a role without the right to log in is rejected in any case. */
    private static void withPasswords(Runnable test) {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP ROLE IF EXISTS \"SA\"");
            sql.execute("CREATE ROLE \"SA\" NOLOGIN");
            test.run();
        }
    }

    /** Does not open a connection when the pool is created. */
    private static HikariConfig lazily(HikariConfig config) {
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(1_000);
        return config;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void missingDatabaseIsReportedAtOnce(Databases database) {
        String url = switch (database) {
            case POSTGRESQL -> database.url().replaceFirst("/postgres", "/no_such_database");
            case MARIADB ->
                database.url().replace("/leases", "/no_such_database").replace("&createDatabaseIfNotExist=true", "");
            default -> "jdbc:h2:file:./target/no_such_database;IFEXISTS=TRUE";
        };
        try (JdbcWorkerRegistry own = new JdbcWorkerRegistry(Databases.dedicated(url, null, null), "ids", "default")) {
            WorkerIdUnavailableException rejected = rejectedAtOnce(own);

            assertThat(rejected)
                    .hasMessageStartingWith("The database at jdbc:")
                    .hasMessageContaining(" (snowflake.worker.jdbc.url) does not exist: ");
            assertThat(detail(rejected).anchor()).isEqualTo(Problem.MISSING_DATABASE.anchor());
        }
    }

    @Test
    void readOnlyDatabaseIsReportedAtOnce(@TempDir Path directory) {
        HikariConfig standby = Databases.POSTGRESQL.pool();
        standby.setConnectionInitSql("SET default_transaction_read_only = on");
        try (HikariDataSource admin = Databases.POSTGRESQL.open();
                HikariDataSource pool = new HikariDataSource(standby)) {
            emptyTable(admin, "read_only");
            WorkerIdUnavailableException rejected =
                    rejectedAtOnce(new JdbcWorkerRegistry(pool, "read_only", "default"));

            assertThat(rejected)
                    .hasMessage(
                            "Table 'read_only' of worker IDs cannot be written because the database or the connection is read-only: ERROR: cannot execute INSERT in a read-only transaction");
            assertThat(detail(rejected).anchor()).isEqualTo(Problem.READ_ONLY_STORE.anchor());
        }
        try (HikariDataSource admin = Databases.MARIADB.open()) {
            emptyTable(admin, "read_only");
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP USER IF EXISTS 'reader'@'localhost'");
            sql.execute("CREATE USER 'reader'@'localhost' IDENTIFIED BY 'secret'");
            sql.execute("GRANT SELECT, INSERT, UPDATE ON leases.read_only TO 'reader'@'localhost'");
            sql.execute("SET GLOBAL read_only = 1");
            try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    Databases.dedicated(urlWithoutUser(Databases.MARIADB), "reader", "secret"),
                    "read_only",
                    "default")) {
                assertThat(rejectedAtOnce(registry))
                        .hasMessageContaining("because the database or the connection is read-only: ")
                        .hasMessageContaining("--read-only");
            } finally {
                sql.execute("SET GLOBAL read_only = 0");
            }
        }
        String file = "jdbc:h2:file:%s/read_only".formatted(directory);
        emptyTable(new DriverManagerDataSource(file), "read_only").close();
        assertThat(rejectedAtOnce(new JdbcWorkerRegistry(
                                new DriverManagerDataSource(file + ";ACCESS_MODE_DATA=r"), "read_only", "default"))
                        .getMessage())
                .startsWith(
                        "Table 'read_only' of worker IDs cannot be written because the database or the connection is read-only");
    }

    private static String createStatement(DataSource pool, String table) {
        Database database = new Database(StoredKind.LEASES, pool, Timeouts.DEFAULT);
        return StoredKind.LEASES.createStatement(database.dialect(), table);
    }

    @ParameterizedTest
    @EnumSource
    void missingColumnIsReportedAtOnceWithTheStatementThatCreatesTheTable(Databases database) {
        try (HikariDataSource pool = database.open()) {
            emptyTable(pool, "incomplete");
            new JdbcTemplate(pool).execute("ALTER TABLE incomplete DROP COLUMN layout");
            JdbcWorkerRegistry registry =
                    new JdbcWorkerRegistry(pool, "incomplete", "default").initializeSchema(InitializeSchema.ALWAYS);

            ConfigurationException rejected = detail(rejectedAtOnce(registry));

            assertThat(rejected).hasMessageStartingWith("Table 'incomplete' of worker IDs cannot be read: ");
            assertThat(rejected.getMessage()).containsIgnoringCase("layout");
            assertThat(rejected.anchor()).isEqualTo(Problem.WRONG_TABLE.anchor());
            assertThat(statements(rejected)).isEqualTo(createStatement(pool, "incomplete") + ";");
        }
    }

    @ParameterizedTest
    @EnumSource
    void columnThatIsTooShortIsReportedAtOnce(Databases database) {
        try (HikariDataSource pool = database.open()) {
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "narrow", "default");
            JdbcTemplate sql = new JdbcTemplate(pool);
            sql.execute("DROP TABLE IF EXISTS narrow");
            sql.execute(createStatement(pool, "narrow").replaceAll("layout( +)VARCHAR\\(100\\)", "layout VARCHAR(20)"));

            ConfigurationException rejected = detail(rejectedAtOnce(registry));

            assertThat(rejected)
                    .hasMessageStartingWith("Table 'narrow' of worker IDs cannot be written: ")
                    .hasMessageMatching("(?i).*(too long|value too|right truncation).*");
            assertThat(rejected.anchor()).isEqualTo(Problem.WRONG_TABLE.anchor());
            assertThat(statements(rejected)).isEqualTo(createStatement(pool, "narrow") + ";");
        }
    }

    @Test
    void databaseThatLeasesCannotBeKeptInIsReportedAtOnceByItsName() {
        System.setProperty("derby.stream.error.file", "target/derby.log");
        HikariConfig derby = new HikariConfig();
        derby.setJdbcUrl("jdbc:derby:memory:leases;create=true");
        try (HikariDataSource pool = new HikariDataSource(derby)) {
            WorkerIdUnavailableException rejected = rejectedAtOnce(new JdbcWorkerRegistry(pool, "ids", "default"));

            assertThat(rejected)
                    .hasMessage(
                            "Database 'Apache Derby' is not supported: store leases in one of PostgreSQL, MySQL, MariaDB,"
                                    + " H2, HSQLDB, Oracle, SQL Server, or set snowflake.worker.jdbc.platform to the one whose SQL"
                                    + " it understands");
            assertThat(detail(rejected).anchor()).isEqualTo(Problem.UNSUPPORTED_DATABASE.anchor());
        }
    }

    @Test
    void generalSqlStateOfSqlServerIsNotReportedAsAWrongTable() {
        DataSource h2 = inMemory("general_state;DB_CLOSE_DELAY=-1");
        emptyTable(h2, "ids");
        for (var expected : Map.of(1222, Problem.STORE_REJECTED_CALL, 207, Problem.WRONG_TABLE)
                .entrySet()) {
            Database database = new Database(StoredKind.LEASES, h2, Timeouts.DEFAULT);
            SQLException failed = new SQLException("an error of SQL Server", "S0001", expected.getKey());

            RuntimeException translated = new JdbcExceptionTranslator(database, new TableName("ids"), () -> "ids")
                    .translate(
                            JdbcExceptionTranslator.Call.READ,
                            new UncategorizedSQLException("query", "SELECT 1", failed));

            ConfigurationException failure =
                    translated instanceof ConfigurationException configuration ? configuration : detail(translated);
            assertThat(failure.anchor()).isEqualTo(expected.getValue().anchor());
        }
    }

    /**
     * Behind PgBouncer in transaction mode, a session has the prepared statements of other clients, with the same
     * names. The driver prepares the begin of a transaction first.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void preparedStatementOfAnotherClientIsReportedWithTheSettingOfTheDriver(int first) {
        HikariConfig settings = Databases.POSTGRESQL.pool();
        settings.setJdbcUrl(Databases.POSTGRESQL.url("prepareThreshold=2"));
        settings.setConnectionInitSql(IntStream.rangeClosed(first, 9)
                .mapToObj("PREPARE \"S_%s\" AS SELECT 1"::formatted)
                .collect(Collectors.joining(";")));
        try (HikariDataSource admin = Databases.POSTGRESQL.open();
                HikariDataSource pool = new HikariDataSource(settings)) {
            emptyTable(admin, "pooled");
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "pooled", "default");

            ConfigurationException failure = catchThrowableOfType(ConfigurationException.class, () -> {
                for (int read = 0; read < 9; read++) {
                    registry.read();
                }
            });

            assertThat(failure)
                    .hasMessageStartingWith("Table 'pooled' of worker IDs was not read")
                    .hasMessageMatching(".* prepared statement \"S_\\d\" already exists");
            assertThat(failure.anchor()).isEqualTo(Problem.STORE_REJECTED_CALL.anchor());
            assertThat(failure.action().orElseThrow())
                    .endsWith("spring.datasource.url: jdbc:postgresql://localhost/shop?prepareThreshold=0");
        }
    }

    @Test
    void grantNamesAPlaceholderIfTheUserCannotBeAsked() {
        AtomicBoolean down = new AtomicBoolean();
        DataSource breaking = new DelegatingDataSource(new OpaqueDataSource(inMemory("unknown_user"))) {
            @Override
            public Connection getConnection() throws SQLException {
                if (down.get()) {
                    throw new SQLException("down", "08006");
                }
                return super.getConnection();
            }
        };
        Database database = new Database(StoredKind.LEASES, breaking, Timeouts.DEFAULT);
        assertThat(database.dialect()).isEqualTo(Dialect.H2);
        down.set(true);

        RuntimeException translated = new JdbcExceptionTranslator(database, new TableName("ids"), () -> "ids")
                .translate(
                        JdbcExceptionTranslator.Call.READ,
                        new UncategorizedSQLException(
                                "query", "SELECT 1", new SQLException("Not enough rights", "90096", 90096)));

        assertThat(statements(detail(translated))).isEqualTo("GRANT SELECT, INSERT, UPDATE ON ids TO \"<user>\";");
    }

    @Test
    void hsqldbInAPoolHasLeases() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:hsqldb:mem:in_a_pool");
        try (HikariDataSource pool = new HikariDataSource(config);
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(new JdbcWorkerRegistry(pool, "ids", "default")
                                .initializeSchema(InitializeSchema.EMBEDDED)))
                        .build()) {
            assertThat(generator.nextId()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failureOfTheStatementIsTheCauseWhateverFailsAfterIt(boolean autoCommit) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:fails_often;DB_CLOSE_DELAY=-1");
        new JdbcWorkerRegistry(h2, "ids", "default")
                .initializeSchema(InitializeSchema.ALWAYS)
                .read();
        AtomicBoolean failed = new AtomicBoolean();
        DataSource broken = changed(
                h2,
                Map.of(
                        "getAutoCommit",
                        original -> autoCommit,
                        "prepareStatement",
                        original -> {
                            failed.set(true);
                            return new SQLException("the statement", "08006");
                        },
                        "rollback",
                        original -> failed.get() ? new SQLException("the rollback", "08003") : true,
                        "close",
                        original -> new SQLException("the end", "08003")));
        ConfigurationException failure = catchThrowableOfType(
                ConfigurationException.class,
                () -> new JdbcWorkerRegistry(broken, "ids", "default").acquire(null, claim(1), TTL));

        assertThat(failure)
                .hasMessage("Table 'ids' of worker IDs was not written: the statement")
                .hasNoSuppressedExceptions();
        assertThat(failure.anchor()).isEqualTo(Problem.STORE_UNREACHABLE.anchor());
        assertThat(failure.getCause()).hasMessage("the statement").hasNoCause().hasNoSuppressedExceptions();
    }

    /** As with drivers and pools that store an exception and throw it again. */
    @ParameterizedTest
    @CsvSource({"getMetaData, true", "getMetaData, false", "prepareStatement, true", "prepareStatement, false"})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void failureWhoseCausesGoInACircleIsReportedWithoutThem(String method, boolean autoCommit) {
        SQLException circle = new SQLException("the answer", "08006", new SQLException("the socket", "08006"));
        circle.getCause().initCause(circle);
        DataSource broken = changed(
                inMemory("causes_in_a_circle"),
                Map.of("getAutoCommit", original -> autoCommit, method, original -> circle));

        ConfigurationException failure = catchThrowableOfType(
                ConfigurationException.class, () -> new JdbcWorkerRegistry(broken, "ids", "default").read());

        assertThat(failure).hasMessageContaining("the answer");
        assertThat(failure.anchor()).isEqualTo(Problem.STORE_UNREACHABLE.anchor());
        assertThat(failure.getCause()).hasMessageContaining("the answer").hasNoCause();
    }

    /** As a driver does that stores the reason for a broken connection. */
    @ParameterizedTest
    @CsvSource({"setQueryTimeout, true", "setQueryTimeout, false", "executeUpdate, true", "executeUpdate, false"})
    void failureThatIsThrownAgainByALaterCallIsTheCause(String method, boolean autoCommit) {
        AtomicBoolean failed = new AtomicBoolean();
        SQLException same = new SQLException("the statement", "08006");
        PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method) || called.getName().equals("close")) {
                        failed.set(true);
                        throw same;
                    }
                    return null;
                });
        JDBCDataSource hsqldb = new JDBCDataSource();
        hsqldb.setUrl("jdbc:hsqldb:mem:thrown_again");
        DataSource broken = changed(
                hsqldb,
                Map.of(
                        "getAutoCommit", original -> autoCommit,
                        "prepareStatement", original -> statement,
                        "rollback", original -> failed.get() ? same : true));

        ConfigurationException failure = catchThrowableOfType(
                ConfigurationException.class,
                () -> new JdbcWorkerRegistry(broken, "ids", "default").acquire(null, claim(1), TTL));

        assertThat(failure).hasMessage("Table 'ids' of worker IDs was not written: the statement");
        assertThat(failure.getCause()).isSameAs(same).hasNoCause().hasNoSuppressedExceptions();
    }

    private static DataSource inMemory(String name) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:" + name);
        return h2;
    }

    @Test
    void answerCountsWhateverFailsAfterIt() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:fails_at_the_end;DB_CLOSE_DELAY=-1");
        new JdbcWorkerRegistry(h2, "ids", "default")
                .initializeSchema(InitializeSchema.ALWAYS)
                .read();
        DataSource broken = changed(h2, Map.of("close", original -> new SQLException("the end", "08003")));

        assertThat(new JdbcWorkerRegistry(broken, "ids", "default").acquire(null, claim(1), TTL))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void driverWithoutTimeoutsOfTheNetworkHasLeases(boolean old) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:without_timeouts;DB_CLOSE_DELAY=-1");
        HikariConfig config = new HikariConfig();
        config.setMaximumPoolSize(1);
        config.setDataSource(changed(h2, Map.of("setNetworkTimeout", original -> {
            if (old) {
                throw new AbstractMethodError("setNetworkTimeout");
            }
            return new SQLFeatureNotSupportedException("setNetworkTimeout", "0A000");
        })));
        try (HikariDataSource pool = new HikariDataSource(config);
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(new JdbcWorkerRegistry(pool, "ids", "default")
                                .initializeSchema(InitializeSchema.ALWAYS)))
                        .build()) {
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void networkTimeoutHoldsUntilTheConnectionIsReturned() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:restores_last;DB_CLOSE_DELAY=-1");
        new JdbcWorkerRegistry(h2, "ids", "default")
                .initializeSchema(InitializeSchema.ALWAYS)
                .read();
        List<String> calls = new ArrayList<>();
        JdbcWorkerRegistry registry = new JdbcWorkerRegistry(recording(h2, calls), "ids", "default");
        registry.read();
        calls.clear();

        registry.read();

        assertThat(calls)
                .startsWith("getAutoCommit", "getNetworkTimeout", "setNetworkTimeout")
                .endsWith("setNetworkTimeout", "close");
        assertThat(calls.subList(3, calls.size() - 2)).doesNotContain("setNetworkTimeout");
    }

    private static DataSource recording(DataSource dataSource, List<String> calls) {
        return new DelegatingDataSource(new OpaqueDataSource(dataSource)) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            calls.add(method.getName());
                            return method.invoke(connection, arguments);
                        });
            }
        };
    }

    /**
     * Returns connections with replaced methods. If the operator returns an exception, the method throws it; null
     * stands for false.
     */
    private static DataSource changed(DataSource dataSource, Map<String, UnaryOperator<Object>> changes) {
        return new DelegatingDataSource(new OpaqueDataSource(dataSource)) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            if (changes.containsKey(method.getName())) {
                                Object result = changes.get(method.getName()).apply(method);
                                if (result instanceof SQLException failure) {
                                    if (method.getName().equals("close")) {
                                        connection.close();
                                    }
                                    throw failure;
                                }
                                if (result instanceof RuntimeException failure) {
                                    throw failure;
                                }
                                return result == null ? Boolean.FALSE : result;
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
            }
        };
    }

    /** A server whose disk is full does answer, and so does a firewall that rejects a statement. */
    @ParameterizedTest
    @MethodSource
    void failureOfAStatementThatTheServerAnswersIsNotReportedAsUnreachable(Exception failure) {
        DataSource failing = changed(inMemory("answers_with_failure"), Map.of("prepareStatement", original -> failure));

        for (Throwable reported : List.of(
                catchThrowable(() -> new JdbcWorkerRegistry(failing, "ids", "default").acquire(null, claim(1), TTL)),
                catchThrowable(() -> new JdbcSegmentStore(failing, "ids")
                        .write("orders", null, new SegmentStore.Counter(1, 1, 1, "token"))))) {
            assertThat(reported).isInstanceOf(ConfigurationException.class);
            assertThat(((ConfigurationException) reported).anchor()).isEqualTo(Problem.STORE_REJECTED_CALL.anchor());
        }
    }

    static Stream<Exception> failureOfAStatementThatTheServerAnswersIsNotReportedAsUnreachable() {
        return Stream.of(
                new SQLException("No space left on device", "53100"),
                new SQLException("out of memory", "53200"),
                new SQLException("too complex", "54001"),
                new SQLException("I/O error", "58030"),
                new IllegalStateException("statement firewall: rule 7"));
    }

    static Stream<Arguments> dataSourceThatHasNoDatabaseForLeasesIsReportedAtOnce() {
        JdbcDataSource shard = new JdbcDataSource();
        shard.setUrl("jdbc:h2:mem:shard");
        DataSource withoutKey = routing(shard, () -> null);
        DataSource withOwnException = routing(shard, () -> {
            throw new UnsupportedOperationException("no tenant in this thread");
        });
        String missing = "Cannot determine target DataSource for lookup key [null]";
        return Stream.of(
                Arguments.of(withoutKey, missing),
                Arguments.of(new DelegatingDataSource(withoutKey), missing),
                Arguments.of(new LazyConnectionDataSourceProxy(withoutKey), missing),
                Arguments.of(withOwnException, "no tenant in this thread"),
                Arguments.of(new DelegatingDataSource(withOwnException), "no tenant in this thread"),
                Arguments.of(new LazyConnectionDataSourceProxy(withOwnException), "no tenant in this thread"));
    }

    private static DataSource routing(DataSource shard, Supplier<Object> key) {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return key.get();
            }
        };
        routing.setTargetDataSources(Map.of("one", shard));
        routing.afterPropertiesSet();
        return routing;
    }

    @ParameterizedTest
    @MethodSource
    void dataSourceThatHasNoDatabaseForLeasesIsReportedAtOnce(DataSource routing, String reason) {
        WorkerIdUnavailableException rejected = rejectedAtOnce(new JdbcWorkerRegistry(routing, "ids", "default"));

        assertThat(rejected)
                .hasMessage("The DataSource chooses among several databases and finds none for leases: " + reason);
        assertThat(detail(rejected).anchor()).isEqualTo(Problem.ROUTING_DATA_SOURCE.anchor());
    }

    /** The first connection of ShardingSphere would open connections to all of its databases. */
    @Test
    void shardingUrlIsRejectedBeforeAnyConnectionIsMade() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:shardingsphere:classpath:shards.yaml");
        for (DataSource source : List.of(pool, Databases.dedicated(pool.getJdbcUrl(), null, null))) {
            WorkerIdUnavailableException rejected = rejectedAtOnce(new JdbcWorkerRegistry(source, "ids", "default"));

            assertThat(rejected)
                    .hasMessage(
                            "The DataSource is ShardingSphere's, which chooses among databases, but leases need one database that all processes share");
            assertThat(detail(rejected).anchor()).isEqualTo(Problem.ROUTING_DATA_SOURCE.anchor());
        }
        assertThat(pool.isRunning()).isFalse();
    }

    /** Flyway alone does not suffice since Spring Boot 4. */
    @Test
    void flywayThatSpringBootDoesNotRunIsRecognized() {
        String flyway = "org.flywaydb.core.Flyway";
        assertThat(DatabaseAdvice.isFlywayUnused(Set.of(flyway)::contains)).isTrue();
        assertThat(DatabaseAdvice.isFlywayUnused(name -> false)).isFalse();
        for (String part : List.of("flyway.autoconfigure", "autoconfigure.flyway")) {
            String configuration = "org.springframework.boot.%s.FlywayAutoConfiguration".formatted(part);
            assertThat(DatabaseAdvice.isFlywayUnused(Set.of(flyway, configuration)::contains))
                    .isFalse();
        }
    }

    @Test
    void databaseThatTheLookupKeySelectsWithoutATenantHasTheLeases() {
        JdbcDataSource shard = new JdbcDataSource();
        shard.setUrl("jdbc:h2:mem:constant_key;DB_CLOSE_DELAY=-1");
        JdbcWorkerRegistry registry = emptyTable(routing(shard, () -> "one"), "ids");

        assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
        assertThat(new JdbcWorkerRegistry(shard, "ids", "default").read().entries())
                .hasSize(1);
    }

    /** As a firewall of statements, a vault or a driver may throw: the database may well be there. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void exceptionThatNobodyKnowsIsNotReportedAsAnUnreachableDatabase(boolean connecting) {
        DataSource failing = new DelegatingDataSource(new OpaqueDataSource(inMemory("unknown_exception"))) {
            @Override
            public Connection getConnection() throws SQLException {
                if (connecting) {
                    throw new SQLException("sql injection violation");
                }
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            if (method.getName().endsWith("Statement")) {
                                throw new SQLException("sql injection violation");
                            }
                            return method.invoke(connection, arguments);
                        });
            }
        };

        ConfigurationException failure = catchThrowableOfType(
                ConfigurationException.class, () -> new JdbcWorkerRegistry(failing, "ids", "default").read());

        assertThat(failure)
                .hasMessage(
                        connecting
                                ? "The database gives no connection: sql injection violation"
                                : "Table 'ids' of worker IDs was not read: sql injection violation");
        assertThat(failure.anchor()).isEqualTo(Problem.STORE_REJECTED_CALL.anchor());
        assertThat(failure.action()).hasValue("""
                Remove the cause that the message names. If this DataSource cannot be used for leases, give them a dedicated connection to the same \
                database:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
    }

    @ParameterizedTest
    @EnumSource
    void exhaustedPoolIsReportedWithTheWayOut(Databases database) throws Exception {
        HikariConfig one = database.pool();
        one.setMaximumPoolSize(1);
        one.setConnectionTimeout(300);
        try (HikariDataSource pool = new HikariDataSource(one);
                Connection only = pool.getConnection()) {
            assertThat(only.isValid(1)).isTrue();
            Throwable busy =
                    catchThrowable(() -> new JdbcWorkerRegistry(new OpaqueDataSource(pool), "ids", "default").read());

            assertThat(busy).isInstanceOf(ConfigurationException.class);
            assertThat(((ConfigurationException) busy).anchor()).isEqualTo(Problem.CONNECTION_POOL_EXHAUSTED.anchor());
            assertThat(busy.getMessage())
                    .startsWith("The connection pool is exhausted (HikariPool-")
                    .contains("request timed out after ", "total=1, active=1")
                    .endsWith("). Set snowflake.worker.jdbc.url to give leases a dedicated connection");
        }
    }

    @Test
    void poolOfADatabaseThatIsDownIsNotExhausted() {
        HikariConfig away = lazily(new HikariConfig());
        away.setJdbcUrl("jdbc:postgresql://localhost:1/none");
        try (HikariDataSource pool = new HikariDataSource(away)) {
            ConfigurationException unreachable = catchThrowableOfType(
                    ConfigurationException.class, () -> new JdbcWorkerRegistry(pool, "ids", "default").read());

            assertThat(unreachable.anchor()).isEqualTo(Problem.STORE_UNREACHABLE.anchor());
            assertThat(unreachable).hasMessageContaining("Connection to localhost:1 refused");
        }
    }

    /** As HikariCP's exception is in an outage, after the driver's failure was reported once. */
    @Test
    void poolWithoutAConnectionIsNotBusy() {
        String message =
                "HikariPool-1 - Connection is not available, request timed out after 250ms (total=0, active=0, idle=0, waiting=0)";
        DataSource empty = new AbstractDataSource() {

            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLTransientConnectionException(message);
            }

            @Override
            public Connection getConnection(String username, String password) throws SQLException {
                return getConnection();
            }
        };

        ConfigurationException away = catchThrowableOfType(
                ConfigurationException.class, () -> new JdbcWorkerRegistry(empty, "ids", "default").read());

        assertThat(away).hasMessage("The database cannot be reached: " + message);
        assertThat(away.anchor()).isEqualTo(Problem.STORE_UNREACHABLE.anchor());
    }

    // Slow: waits until statements are cancelled on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void lockOnTheTableLeavesNothingWaitingOnTheServer(Databases database) throws Exception {
        HikariConfig two = database.pool();
        // The creation of the database would wait for the lock, too.
        two.setJdbcUrl(database.url().replace("&createDatabaseIfNotExist=true", ""));
        two.setMaximumPoolSize(2);
        two.setMinimumIdle(0);
        database.open().close();
        try (HikariDataSource admin = new HikariDataSource(two);
                HikariDataSource pool = new HikariDataSource(two)) {
            JdbcWorkerRegistry usual = emptyTable(admin, "locked");
            assertThat(usual.acquire(null, claim(1), TTL)).isTrue();
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    new StoredTable(
                            new Database(StoredKind.LEASES, pool, new Timeouts(1, 3_000)),
                            "locked",
                            InitializeSchema.NEVER),
                    "default");
            int before = waiting(admin, database);
            try (Connection locks = admin.getConnection()) {
                locks.setAutoCommit(false);
                locks.createStatement()
                        .execute(database == Databases.MARIADB ? "LOCK TABLES locked WRITE" : "LOCK TABLE locked");
                for (int attempt = 0; attempt < 2; attempt++) {
                    assertThat(catchThrowable(registry::read)).isInstanceOf(ConfigurationException.class);
                    assertThat(catchThrowable(() -> registry.acquire(null, claim(2), TTL)))
                            .isInstanceOf(ConfigurationException.class)
                            .hasMessageStartingWith(
                                    "Table 'locked' of worker IDs was not written in time because it is locked or the server is too slow: ");
                    assertThat(catchThrowable(() -> registry.renew(claim(1), SOME_TIME.plusSeconds(1), TTL)))
                            .isInstanceOf(ConfigurationException.class);
                }
                assertThat(waiting(admin, database)).isEqualTo(before);
                if (database == Databases.MARIADB) {
                    locks.createStatement().execute("UNLOCK TABLES");
                }
                locks.rollback();
            }
            assertThat(registry.acquire(null, claim(2), TTL)).isTrue();
            assertThat(registry.renew(claim(1), SOME_TIME.plusSeconds(1), TTL)).isTrue();
            try (Connection afterwards = pool.getConnection()) {
                assertThat(afterwards.getAutoCommit()).isTrue();
                assertThat(afterwards.getNetworkTimeout()).isZero();
            }
        }
    }

    /** Applications with R2DBC need this, because Spring Boot creates no DataSource for them. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void dedicatedConnectionLeasesWithoutADataSource(Databases database) {
        try (HikariDataSource admin = database.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP TABLE IF EXISTS without_pool");
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                    .withPropertyValues(
                            "snowflake.worker.jdbc.url=" + database.url(),
                            "snowflake.worker.jdbc.table-name=without_pool",
                            "snowflake.worker.jdbc.initialize-schema=always")
                    .run(context -> {
                        assertThat(context).hasNotFailed().doesNotHaveBean(DataSource.class);
                        assertThat(context.getBean(SnowflakeIdGenerator.class).nextId())
                                .isPositive();
                        assertThat(sql.queryForList("SELECT owner FROM without_pool", String.class))
                                .hasSize(1)
                                .doesNotContainNull();
                    });
            assertThat(sql.queryForList("SELECT owner FROM without_pool", String.class))
                    .containsExactly((String) null);
        }
    }

    /** As auto-configured: the shorter the lease, the sooner a statement is cancelled. */
    // Slow: waits until statements are cancelled on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void lockedRowStopsNoIdsEvenWithAShortLease(Databases database) {
        try (HikariDataSource admin = database.open();
                HikariDataSource pool = database.open()) {
            emptyTable(admin, "locked_row");
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                    .withBean(DataSource.class, () -> pool)
                    .withPropertyValues("snowflake.worker.lease.ttl=9s", "snowflake.worker.jdbc.table-name=locked_row")
                    .run(context -> {
                        SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
                        assertThat(generator.workerId().workerId()).isZero();
                        try (Connection locks = admin.getConnection()) {
                            locks.setAutoCommit(false);
                            // By the whole key, because MariaDB locks every row that it reads, and gaps as well.
                            locks.createStatement()
                                    .execute("SELECT * FROM locked_row WHERE namespace = 'default'"
                                            + " AND datacenter_id = 0 AND worker_id = 0 FOR UPDATE");
                            while (generator.workerId().workerId() == 0) {
                                assertThat(generator.nextId()).isPositive();
                                Thread.sleep(10);
                            }
                            locks.rollback();
                        }
                        assertThat(generator.nextId()).isPositive();
                    });
        }
    }

    /** Returns how many statements on the table are waiting on the server. */
    private static int waiting(DataSource admin, Databases database) {
        Integer count = new JdbcTemplate(admin)
                .queryForObject(
                        database == Databases.MARIADB
                                ? "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%locked%'"
                                        + " AND state LIKE 'Waiting%'"
                                : "SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE '%locked%'"
                                        + " AND wait_event_type = 'Lock'",
                        Integer.class);
        assertThat(count).isNotNull();
        return count;
    }

    /** Cancelling a commit that waits for a standby would make it visible, although a failover loses it. */
    @Test
    void commitThatNoStandbyHasDoesNotCountAsDone() {
        try (HikariDataSource admin = Databases.POSTGRESQL.open();
                HikariDataSource pool = Databases.POSTGRESQL.open()) {
            emptyTable(admin, "replicated");
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
            sql.execute("SELECT pg_reload_conf()");
            try {
                await(sql, "nobody");
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                        new StoredTable(
                                new Database(StoredKind.LEASES, pool, new Timeouts(1, 2_000)),
                                "replicated",
                                InitializeSchema.NEVER),
                        "default");

                // Commits wait only after another process of the server has read the setting, which cannot be observed.
                int workerId = 0;
                Throwable failed = null;
                while (failed == null && workerId < 1_000) {
                    Claim next = claim(++workerId);
                    failed = catchThrowable(() -> registry.acquire(null, next, TTL));
                }
                assertThat(failed).isInstanceOf(ConfigurationException.class);
                assertThat(registry.read().entries())
                        .extracting(Entry::workerId)
                        .doesNotContain(workerId);
            } finally {
                sql.execute("ALTER SYSTEM RESET synchronous_standby_names");
                sql.execute("SELECT pg_reload_conf()");
                await(sql, "");
            }
        }
    }

    private static void await(JdbcTemplate sql, String standby) {
        while (!standby.equals(sql.queryForObject("SHOW synchronous_standby_names", String.class))) {
            Thread.onSpinWait();
        }
    }
}
