package io.github.snowflakeid.jdbc;

import static io.github.snowflakeid.jdbc.Databases.statements;
import static io.github.snowflakeid.worker.WorkerRegistryContract.atOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

/** The checks of a table before it is used for leases or counters. */
@Tag("servers")
class TableChecksTests {

    private static final String KEY = "namespace, datacenter_id, worker_id";

    private static Dialect dialect(Databases database) {
        return database == Databases.MARIADB ? Dialect.MYSQL : Dialect.valueOf(database.name());
    }

    /** Returns the name of a table with the schema that it has in the tests of each database. */
    private static String qualified(Databases database, String table) {
        return switch (database) {
            case MARIADB -> "leases." + table;
            default -> "public." + table;
        };
    }

    /** Creates the table with the library's script, with other constraints in place of its primary key. */
    private static void create(DataSource admin, String script, String table, String constraints) {
        JdbcTemplate sql = new JdbcTemplate(admin);
        sql.execute("DROP TABLE IF EXISTS " + table);
        String created =
                script.replaceFirst(",\\s+PRIMARY KEY \\([^)]*\\)", constraints.isEmpty() ? "" : ", " + constraints);
        assertThat(created).isNotEqualTo(script);
        sql.execute(created);
    }

    private static void execute(DataSource admin, String statements) {
        for (String statement : statements.split(";")) {
            new JdbcTemplate(admin).execute(statement);
        }
    }

    private static void assertThatStatementsAddTheKey(
            DataSource admin, ConfigurationException failure, String table, String key) {
        assertThat(failure.anchor()).isEqualTo(Problem.MISSING_PRIMARY_KEY.anchor());
        String statements = statements(failure);
        assertThat(statements).isEqualTo("ALTER TABLE %s ADD PRIMARY KEY (%s);".formatted(table, key));
        execute(admin, statements);
    }

    private static String createStatement(StoredKind kind, DataSource admin, String table) {
        return kind.createStatement(new Database(kind, admin, Timeouts.DEFAULT).dialect(), table);
    }

    private static void createLeases(DataSource admin, String table, String constraints) {
        create(admin, createStatement(StoredKind.LEASES, admin, table), table, constraints);
    }

    private static void createCounters(DataSource admin, String table, String constraints) {
        create(admin, createStatement(StoredKind.COUNTERS, admin, table), table, constraints);
    }

    private static int rows(DataSource admin, String table) {
        Integer count = new JdbcTemplate(admin).queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
        return count == null ? -1 : count;
    }

    private static @Nullable Throwable failureToLease(JdbcWorkerRegistry registry) {
        return catchThrowable(() -> SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry))
                .build()
                .close());
    }

    private static @Nullable Throwable failureToCount(JdbcSegmentStore store) {
        return catchThrowable(() ->
                SegmentIdGenerator.builder().name("orders").store(store).build().close());
    }

    private static ConfigurationException detail(@Nullable Throwable failure) {
        assertThat(failure).as("startup failure").isNotNull();
        return Causes.of(failure).stream()
                .filter(ConfigurationException.class::isInstance)
                .map(ConfigurationException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError(failure));
    }

    @ParameterizedTest
    @EnumSource
    void tableWithAKeyOfFewerColumnsIsRejected(Databases database) {
        String table = qualified(database, "narrow");
        try (HikariDataSource admin = database.open()) {
            for (String key : new String[] {
                "PRIMARY KEY (worker_id)",
                "PRIMARY KEY (namespace, worker_id)",
                "PRIMARY KEY (namespace, datacenter_id, worker_id), UNIQUE (datacenter_id, worker_id)"
            }) {
                createLeases(admin, table, key);
                try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(admin, table, "default")) {
                    ConfigurationException failure = detail(failureToLease(registry));
                    assertThat(failure)
                            .hasMessage(
                                    "Table '%s' of worker IDs cannot be used: its primary key or a unique index has fewer columns than (namespace, datacenter_id, worker_id), so it rejects rows that differ",
                                    table);
                    assertThat(failure.anchor()).isEqualTo(Problem.MISSING_PRIMARY_KEY.anchor());
                }
                assertThat(rows(admin, table)).isZero();
            }
        }
    }

    @Test
    void numberTableWithAKeyOfFewerColumnsIsRejected() {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            StoredKind kind = StoredKind.numbers("inv");
            create(admin, createStatement(kind, admin, "narrow"), "narrow", "PRIMARY KEY (series, time_period)");
            try (JdbcNumberStore store = new JdbcNumberStore("inv", admin, "narrow", InitializeSchema.NEVER, null)) {
                assertThat(detail(catchThrowable(() -> store.record("{0}"))))
                        .hasMessageContaining("has fewer columns than (series, tenant, time_period)");
            }
        }
    }

    @Test
    void tableThatExistsInAnotherSchemaOnlyIsNamed() {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("CREATE SCHEMA IF NOT EXISTS elsewhere");
            sql.execute("DROP TABLE IF EXISTS elsewhere.moved");
            sql.execute(createStatement(StoredKind.LEASES, admin, "elsewhere.moved"));
            try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(admin, "moved", "default")) {
                ConfigurationException failure = detail(failureToLease(registry));
                assertThat(failure)
                        .hasMessage(
                                "Table 'moved' of worker IDs does not exist in the schema of new connections, but in schema 'elsewhere'");
                assertThat(failure.action().orElseThrow())
                        .endsWith("snowflake.worker.jdbc.table-name: elsewhere.moved");
            }
            sql.execute("DROP SCHEMA elsewhere CASCADE");
        }
    }

    @ParameterizedTest
    @EnumSource
    @ExtendWith(OutputCaptureExtension.class)
    void tableThatIsCreatedLaterIsAwaited(Databases database, CapturedOutput output) throws Exception {
        try (HikariDataSource admin = database.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP TABLE IF EXISTS late");
            String script = createStatement(StoredKind.LEASES, admin, "late");
            Database late = new Database(StoredKind.LEASES, admin, Timeouts.DEFAULT);
            try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    new StoredTable(late, "late", InitializeSchema.NEVER, Duration.ofMinutes(5)), "default")) {
                CompletableFuture<?> read = CompletableFuture.supplyAsync(registry::read);
                String line =
                        "Table 'late' of worker IDs does not exist yet. Startup fails unless it is created within 300 s";
                while (!output.getOut().contains(line)) {
                    Thread.sleep(10);
                }
                sql.execute(script);
                read.join();
                assertThat(output).containsOnlyOnce(line);
            }
            sql.execute("DROP TABLE late");
        }
    }

    /** Others may create it again, without the rows that say which IDs exist. */
    @ParameterizedTest
    @EnumSource
    void renewalWithoutATableIsALoss(Databases database) {
        try (HikariDataSource admin = database.open()) {
            Claim claim = Claim.of(0, 0, "owner", "me", Instant.EPOCH, Instant.ofEpochMilli(1), "layout");
            try (JdbcWorkerRegistry registry =
                    new JdbcWorkerRegistry(admin, "dropped", "default").initializeSchema(InitializeSchema.ALWAYS)) {
                registry.read();
                registry.acquire(null, claim, Duration.ofSeconds(60));
                new JdbcTemplate(admin).execute("DROP TABLE dropped");

                assertThat(catchThrowableOfType(
                                        WorkerIdUnavailableException.class,
                                        () -> registry.renew(claim, Instant.ofEpochMilli(2), Duration.ofSeconds(60)))
                                .reason())
                        .isEqualTo(WorkerIdUnavailableException.Reason.REGISTRY_LOST);
                catchThrowable(registry::read);
                assertThat(registry.read().entries()).isEmpty();
            }
        }
    }

    private static Stream<Arguments> insufficientKeysOfLeases() {
        return Stream.of(Databases.values())
                .flatMap(database -> Stream.of(
                                "",
                                "UNIQUE (owner)",
                                "UNIQUE (layout)",
                                "UNIQUE (namespace, datacenter_id, worker_id, owner)",
                                "PRIMARY KEY (namespace, datacenter_id, worker_id, reserved_until)")
                        .map(constraints -> Arguments.of(database, constraints)));
    }

    @ParameterizedTest
    @MethodSource("insufficientKeysOfLeases")
    void leaseTableThatAcceptsTheSameWorkerIdTwiceIsRejected(Databases database, String constraints) {
        String table = qualified(database, "keyless");
        try (HikariDataSource admin = database.open()) {
            createLeases(admin, table, constraints);
            JdbcWorkerRegistry registry =
                    new JdbcWorkerRegistry(admin, table, "default").initializeSchema(InitializeSchema.ALWAYS);

            Throwable failure = failureToLease(registry);

            assertThat(failure)
                    .isInstanceOf(WorkerIdUnavailableException.class)
                    .hasMessage(
                            "Table '%s' of worker IDs cannot be used: it has neither a primary key nor a unique index on (%s), so two processes could issue the same IDs"
                                    .formatted(table, KEY));
            assertThat(rows(admin, table)).isZero();
            if (!constraints.startsWith("PRIMARY")) {
                assertThatStatementsAddTheKey(admin, detail(failure), table, KEY);
                assertThat(failureToLease(registry)).isNull();
            }
        }
    }

    private static Stream<Arguments> sufficientKeysOfLeases() {
        return Stream.of(Databases.values())
                .flatMap(database -> Stream.of(
                                "PRIMARY KEY (worker_id, namespace, datacenter_id)",
                                "UNIQUE (namespace, datacenter_id, worker_id)",
                                "PRIMARY KEY (owner_info), UNIQUE (namespace, datacenter_id, worker_id)")
                        .map(constraints -> Arguments.of(database, constraints)));
    }

    @ParameterizedTest
    @MethodSource("sufficientKeysOfLeases")
    void leaseTableThatRejectsTheSameWorkerIdIsAccepted(Databases database, String constraints) {
        try (HikariDataSource admin = database.open()) {
            createLeases(admin, "keyed", constraints);
            for (int start = 0; start < 2; start++) {
                assertThat(failureToLease(new JdbcWorkerRegistry(admin, "keyed", "default")))
                        .isNull();
            }
            assertThat(rows(admin, "keyed")).isOne();
        }
    }

    private static Stream<Arguments> insufficientKeysOfCounters() {
        return Stream.of(Databases.values())
                .flatMap(database -> Stream.of("", "UNIQUE (token)", "PRIMARY KEY (name, start_number, last_number)")
                        .map(constraints -> Arguments.of(database, constraints)));
    }

    @ParameterizedTest
    @MethodSource("insufficientKeysOfCounters")
    void counterTableThatAcceptsTheSameNameTwiceIsRejected(Databases database, String constraints) {
        String table = qualified(database, "keyless_counters");
        try (HikariDataSource admin = database.open()) {
            createCounters(admin, table, constraints);
            JdbcSegmentStore store = new JdbcSegmentStore(admin, table).initializeSchema(InitializeSchema.ALWAYS);

            Throwable failure = failureToCount(store);

            assertThat(failure).isInstanceOf(NumbersUnavailableException.class);
            assertThat(detail(failure))
                    .hasMessage(
                            "Table '%s' of counters cannot be used: it has neither a primary key nor a unique index on (name), so two processes could issue the same IDs"
                                    .formatted(table));
            assertThat(rows(admin, table)).isZero();
            if (!constraints.startsWith("PRIMARY")) {
                assertThatStatementsAddTheKey(admin, detail(failure), table, "name");
                assertThat(failureToCount(store)).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void counterTableThatRejectsTheSameNameIsAccepted(Databases database) {
        try (HikariDataSource admin = database.open()) {
            createCounters(admin, "keyed_counters", "UNIQUE (name)");
            for (int start = 0; start < 2; start++) {
                assertThat(failureToCount(new JdbcSegmentStore(admin, "keyed_counters")))
                        .isNull();
            }
            assertThat(new JdbcTemplate(admin).queryForList("SELECT name FROM keyed_counters", String.class))
                    .containsExactly("orders");
        }
    }

    /** Without the check, all of them would lease worker ID 0. */
    @ParameterizedTest
    @EnumSource
    void noneOfSeveralThatStartTogetherLeasesInATableWithoutKey(Databases database) throws Exception {
        int processes = 3;
        HikariConfig pool = database.pool();
        pool.setMaximumPoolSize(processes);
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        try (HikariDataSource admin = new HikariDataSource(pool)) {
            createLeases(admin, "rush", "");
            CyclicBarrier together = new CyclicBarrier(processes);
            List<Future<@Nullable Throwable>> starts = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                starts.add(threads.submit(() -> {
                    together.await();
                    return failureToLease(new JdbcWorkerRegistry(admin, "rush", "default"));
                }));
            }
            for (Future<@Nullable Throwable> start : starts) {
                assertThat(detail(start.get(2, TimeUnit.MINUTES)).anchor())
                        .isEqualTo(Problem.MISSING_PRIMARY_KEY.anchor());
            }
            assertThat(rows(admin, "rush")).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Several processes, which try to acquire the same worker ID, and then create the same counter. */
    @ParameterizedTest
    @EnumSource
    @ExtendWith(OutputCaptureExtension.class)
    void healthyStartLogsNoWarning(Databases database, CapturedOutput output) throws Exception {
        HikariConfig pool = database.pool();
        pool.setMaximumPoolSize(8);
        try (HikariDataSource admin = new HikariDataSource(pool)) {
            createLeases(admin, "quiet", "PRIMARY KEY (" + KEY + ")");
            createCounters(admin, "quiet_counters", "PRIMARY KEY (name)");
            int before = output.toString().length();

            assertThat(atOnce(8, i -> failureToLease(new JdbcWorkerRegistry(admin, "quiet", "default"))))
                    .containsOnlyNulls();
            assertThat(atOnce(8, i -> failureToCount(new JdbcSegmentStore(admin, "quiet_counters"))))
                    .containsOnlyNulls();

            // Pools of other tests may have lost their server.
            assertThat(output.toString().substring(before).lines().filter(line -> !line.contains("com.zaxxer.hikari")))
                    .noneMatch(line -> line.contains("WARN") || line.contains("ERROR") || line.contains("Duplicate"));
        }
    }

    /** Processes that check the table at the same time must not disturb each other. */
    @ParameterizedTest
    @EnumSource
    void severalThatStartTogetherLeaseInATableWithItsKey(Databases database) throws Exception {
        int processes = 8;
        HikariConfig pool = database.pool();
        pool.setMaximumPoolSize(processes);
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        List<SnowflakeIdGenerator> generators = new ArrayList<>();
        try (HikariDataSource admin = new HikariDataSource(pool)) {
            createLeases(admin, "rush", "PRIMARY KEY (" + KEY + ")");
            CyclicBarrier together = new CyclicBarrier(processes);
            List<Future<SnowflakeIdGenerator>> starts = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                starts.add(threads.submit(() -> {
                    together.await();
                    return SnowflakeIdGenerator.builder()
                            .lease(LeaseTerms.of(new JdbcWorkerRegistry(admin, "rush", "default"))
                                    .withAcquireTimeout(Duration.ofMinutes(1)))
                            .build();
                }));
            }
            for (Future<SnowflakeIdGenerator> start : starts) {
                generators.add(start.get(2, TimeUnit.MINUTES));
            }
            assertThat(generators)
                    .extracting(
                            generator -> generator.workerId().datacenterId(),
                            generator -> generator.workerId().workerId())
                    .doesNotHaveDuplicates();
            generators.forEach(SnowflakeIdGenerator::close);
            assertThat(rows(admin, "rush")).isEqualTo(processes);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * With connections like those in pools of JPA applications. The table is checked once, outside the application's
     * transaction.
     */
    @ParameterizedTest
    @EnumSource
    void tableIsTriedOutOnConnectionsThatDoNotCommitByThemselves(Databases database) {
        HikariConfig manual = database.pool();
        manual.setAutoCommit(false);
        try (HikariDataSource admin = database.open();
                HikariDataSource pool = new HikariDataSource(manual)) {
            createLeases(admin, "manual", "");
            assertThat(detail(failureToLease(new JdbcWorkerRegistry(pool, "manual", "default")))
                            .anchor())
                    .isEqualTo(Problem.MISSING_PRIMARY_KEY.anchor());
            assertThat(rows(admin, "manual")).isZero();

            createLeases(admin, "manual", "PRIMARY KEY (" + KEY + ")");
            assertThat(failureToLease(new JdbcWorkerRegistry(pool, "manual", "default")))
                    .isNull();
            assertThat(rows(admin, "manual")).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void leasesOfAUserWhoLacksAPrivilegeAreRejectedWithTheGrant(Databases database) {
        try (HikariDataSource admin = database.open()) {
            for (String lacking : new String[] {"UPDATE", "INSERT"}) {
                createLeases(admin, "half_granted", "PRIMARY KEY (" + KEY + ")");
                ConnectionSettings user = userWithout(lacking, database, admin, "half_granted");
                try (JdbcWorkerRegistry registry =
                        new JdbcWorkerRegistry(new DedicatedDataSource(user, null), "half_granted", "default")) {
                    Throwable failure = failureToLease(registry);

                    assertThat(failure)
                            .isInstanceOf(WorkerIdUnavailableException.class)
                            .hasMessageMatching(
                                    "Table 'half_granted' of worker IDs cannot be written: user '%s' needs SELECT, INSERT and UPDATE on it \\(.*\\)"
                                            .formatted(shown(database, user)));
                    assertThatGrantHelps(database, admin, failure, "half_granted", user);
                    assertThat(rows(admin, "half_granted")).isZero();
                    assertThat(failureToLease(registry)).isNull();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void countersOfAUserWhoLacksAPrivilegeAreRejectedWithTheGrant(Databases database) {
        try (HikariDataSource admin = database.open()) {
            for (String lacking : new String[] {"UPDATE", "INSERT"}) {
                createCounters(admin, "half_granted_counters", "PRIMARY KEY (name)");
                // Created by another process, so no INSERT is needed.
                new JdbcSegmentStore(admin, "half_granted_counters")
                        .write("orders", null, new Counter(1, 1, 100, "token"));
                ConnectionSettings user = userWithout(lacking, database, admin, "half_granted_counters");
                try (JdbcSegmentStore store =
                        new JdbcSegmentStore(new DedicatedDataSource(user, null), "half_granted_counters")) {
                    Throwable failure = failureToCount(store);

                    assertThat(failure).isInstanceOf(NumbersUnavailableException.class);
                    assertThat(detail(failure))
                            .hasMessageMatching(
                                    "Table 'half_granted_counters' of counters cannot be written: user '%s' needs SELECT, INSERT and UPDATE on it \\(.*\\)"
                                            .formatted(shown(database, user)));
                    assertThatGrantHelps(database, admin, failure, "half_granted_counters", user);
                    assertThat(rows(admin, "half_granted_counters")).isOne();
                    assertThat(failureToCount(store)).isNull();
                }
            }
        }
    }

    /** Creates a user with two of the three privileges. */
    private static ConnectionSettings userWithout(
            String privilege, Databases database, DataSource admin, String table) {
        ConnectionSettings user = database.newUser(admin, "halfway");
        String grant = grant(database, table, user).replace(", " + privilege, "");
        execute(admin, grant);
        return user;
    }

    private static String grant(Databases database, String table, ConnectionSettings user) {
        return dialect(database).grants(table, shown(database, user));
    }

    /** Returns the user as the database names it. */
    private static String shown(Databases database, ConnectionSettings user) {
        return database == Databases.MARIADB ? user.username() + "@localhost" : String.valueOf(user.username());
    }

    private static void assertThatGrantHelps(
            Databases database, DataSource admin, @Nullable Throwable failure, String table, ConnectionSettings user) {
        assertThat(detail(failure).anchor()).isEqualTo(Problem.MISSING_PERMISSION.anchor());
        assertThat(statements(detail(failure))).isEqualTo(grant(database, table, user));
        assertThat(detail(failure).action()).hasValue("""
                As the owner of the table, execute:

                %s""".formatted(grant(database, table, user)));
        execute(admin, statements(detail(failure)));
    }
}
