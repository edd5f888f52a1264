package io.github.snowflakeid.jdbc;

import static io.github.snowflakeid.servers.Waiting.await;
import static io.github.snowflakeid.worker.WorkerRegistryContract.atOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** The guarantees of a registry, on real servers. */
@Tag("servers")
class JdbcWorkerRegistryTests {

    /** How long tests wait for what is fast, unless the machine is slow. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final String LAYOUT = "41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z";
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private static JdbcWorkerRegistry emptyTable(Databases database, HikariDataSource pool) {
        return emptyTable(database, pool, "default");
    }

    private static JdbcWorkerRegistry emptyTable(Databases database, DataSource pool, String namespace) {
        try (HikariDataSource admin = database.open()) {
            new JdbcTemplate(admin).execute("DROP TABLE IF EXISTS snowflake_worker");
        }
        JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, JdbcWorkerRegistry.DEFAULT_TABLE, namespace)
                .initializeSchema(InitializeSchema.ALWAYS);
        registry.read();
        return registry;
    }

    private static Claim claim(int workerId, String owner) {
        return Claim.of(0, workerId, owner, "test, pid 1", Instant.EPOCH, SOME_TIME, LAYOUT);
    }

    @ParameterizedTest
    @EnumSource
    void commitsByItselfIfAutoCommitIsOff(Databases database) {
        HikariConfig withoutAutoCommit = database.pool();
        withoutAutoCommit.setAutoCommit(false);
        withoutAutoCommit.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(withoutAutoCommit);
                HikariDataSource another = database.open()) {
            JdbcWorkerRegistry registry = emptyTable(database, pool);

            assertThat(registry.acquire(null, claim(7, "a"), TTL)).isTrue();
            assertThat(registry.acquire(null, claim(7, "b"), TTL)).isFalse();
            assertThat(registry.acquire(null, claim(8, "b"), TTL)).isTrue();
            assertThat(registry.renew(claim(8, "b"), SOME_TIME.plusSeconds(1), TTL))
                    .isTrue();
            assertThat(new JdbcWorkerRegistry(another, JdbcWorkerRegistry.DEFAULT_TABLE, "default")
                            .read()
                            .entries())
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void staysCommittedWhenTheTransactionOfTheCallerRollsBack(Databases database) {
        try (HikariDataSource pool = database.open()) {
            JdbcWorkerRegistry registry = emptyTable(database, pool);
            new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult(transaction -> {
                assertThat(registry.acquire(null, claim(7, "a"), TTL)).isTrue();
                assertThat(registry.acquire(null, claim(7, "b"), TTL)).isFalse();
                transaction.setRollbackOnly();
            });

            assertThat(registry.read().entries()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sixtyFourGeneratorsThatStartAtOnceHaveDifferentWorkerIds(Databases database) throws Exception {
        HikariConfig large = database.pool();
        large.setMaximumPoolSize(32);
        try (HikariDataSource pool = new HikariDataSource(large)) {
            JdbcWorkerRegistry registry = emptyTable(database, pool);
            LeaseTerms terms = LeaseTerms.of(registry).withAcquireTimeout(PATIENCE);
            List<SnowflakeIdGenerator> generators =
                    atOnce(64, i -> SnowflakeIdGenerator.builder().lease(terms).build());

            Set<Long> nodes = new HashSet<>();
            for (SnowflakeIdGenerator generator : generators) {
                nodes.add(IdLayout.DEFAULT.decode(generator.nextId()).datacenterId() * 32L
                        + generator.workerId().workerId());
            }
            // One after the other, since those that wait too long for the connection would give up.
            generators.forEach(SnowflakeIdGenerator::close);
            assertThat(nodes).hasSize(64);
            assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
        }
    }

    @ParameterizedTest
    @EnumSource
    void deletedRowMeansAnotherLease(Databases database) throws Exception {
        try (HikariDataSource pool = database.open()) {
            BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
            LeaseTerms terms = LeaseTerms.of(emptyTable(database, pool))
                    .withTtl(Duration.ofSeconds(1))
                    .withListener(changes::add);
            try (SnowflakeIdGenerator generator = patient(terms)) {
                assertThat(next(changes)).isEqualTo(State.HELD);
                long last = generator.nextId();
                new JdbcTemplate(pool).update("DELETE FROM snowflake_worker");

                assertThat(next(changes)).isEqualTo(State.LOST);
                assertThat(next(changes)).isEqualTo(State.HELD);
                assertThat(generator.nextId()).isGreaterThan(last);
            }
        }
    }

    /** Returns a generator whose callers wait if a renewal of a short lease is late. */
    private static SnowflakeIdGenerator patient(LeaseTerms terms) {
        return SnowflakeIdGenerator.builder().lease(terms).maxWait(PATIENCE).build();
    }

    private static State next(BlockingQueue<WorkerLease> changes) throws InterruptedException {
        WorkerLease change = changes.poll(60, TimeUnit.SECONDS);
        assertThat(change).isNotNull();
        return change.state();
    }

    @ParameterizedTest
    @EnumSource
    void overwrittenRowMeansAnotherWorkerId(Databases database) throws Exception {
        try (HikariDataSource pool = database.open()) {
            BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
            LeaseTerms terms = LeaseTerms.of(emptyTable(database, pool))
                    .withTtl(Duration.ofSeconds(1))
                    .withListener(changes::add);
            try (SnowflakeIdGenerator generator = patient(terms)) {
                assertThat(next(changes)).isEqualTo(State.HELD);
                long last = generator.nextId();
                new JdbcTemplate(pool)
                        .update("UPDATE snowflake_worker SET owner = 'me', owner_info = 'an operator', expires_at = "
                                + Long.MAX_VALUE);

                WorkerLease lost = changes.poll(60, TimeUnit.SECONDS);
                assertThat(lost).isNotNull();
                assertThat(lost.state()).isEqualTo(State.LOST);
                assertThat(lost.reason()).isEqualTo("it was taken over by an operator");
                assertThat(next(changes)).isEqualTo(State.HELD);
                assertThat(generator.workerId().workerId()).isOne();
                assertThat(generator.nextId()).isGreaterThan(last);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewalWhoseAnswerIsLostKeepsTheLease(Databases database) throws Exception {
        try (HikariDataSource pool = database.open()) {
            LosesAnswers registry = new LosesAnswers(emptyTable(database, pool));
            BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
            LeaseTerms terms =
                    LeaseTerms.of(registry).withTtl(Duration.ofSeconds(2)).withListener(changes::add);
            try (SnowflakeIdGenerator generator =
                    SnowflakeIdGenerator.builder().lease(terms).build()) {
                assertThat(next(changes)).isEqualTo(State.HELD);
                Instant fence = generator.lease().orElseThrow().fence();

                assertThat(next(changes)).isEqualTo(State.EXPIRING);
                assertThat(next(changes)).isEqualTo(State.HELD);
                assertThat(registry.lost.get()).isOne();
                assertThat(generator.workerId().workerId()).isZero();
                assertThat(generator.lease().orElseThrow().fence()).isAfter(fence);
            }
        }
    }

    // Slow: waits until a statement is cancelled on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void lockedRowIsGivenUpForAnotherWorkerIdBeforeTheLeaseEnds(Databases database) throws Exception {
        try (HikariDataSource pool = database.open();
                HikariDataSource another = database.open()) {
            emptyTable(database, pool);
            BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
            LeaseTerms terms = LeaseTerms.of(new JdbcWorkerRegistry(
                            new StoredTable(
                                    new Database(StoredKind.LEASES, pool, new Timeouts(1, 2_000)),
                                    JdbcWorkerRegistry.DEFAULT_TABLE,
                                    InitializeSchema.NEVER),
                            "default"))
                    .withTtl(Duration.ofSeconds(6))
                    .withListener(changes::add);
            try (SnowflakeIdGenerator generator =
                    SnowflakeIdGenerator.builder().lease(terms).build()) {
                assertThat(next(changes)).isEqualTo(State.HELD);
                try (Connection locks = another.getConnection()) {
                    locks.setAutoCommit(false);
                    locks.createStatement()
                            .executeQuery(
                                    "SELECT * FROM snowflake_worker WHERE namespace = 'default' AND datacenter_id = 0"
                                            + " AND worker_id = 0 FOR UPDATE")
                            .close();
                    assertThat(next(changes)).isEqualTo(State.EXPIRING);
                    assertThat(next(changes)).isEqualTo(State.HELD);
                    assertThat(generator.workerId().workerId()).isOne();
                    assertThat(generator.nextId()).isPositive();
                    locks.rollback();
                }
            }
            try (Connection usual = pool.getConnection()) {
                assertThat(usual.getNetworkTimeout()).isZero();
            }
        }
    }

    /** The first renewal is committed, but its answer does not arrive. */
    private static final class LosesAnswers implements WorkerRegistry {
        private final WorkerRegistry database;
        private final AtomicInteger lost = new AtomicInteger();

        LosesAnswers(WorkerRegistry database) {
            this.database = database;
        }

        @Override
        public String namespace() {
            return database.namespace();
        }

        @Override
        public Snapshot read() {
            return database.read();
        }

        @Override
        public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
            return database.acquire(seen, claim, ttl);
        }

        @Override
        public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
            boolean renewed = database.renew(held, reservedUntil, ttl);
            if (lost.compareAndSet(0, 1)) {
                throw new IllegalStateException("connection reset");
            }
            return renewed;
        }

        @Override
        public boolean release(Claim held, Instant reservedUntil) {
            return database.release(held, reservedUntil);
        }
    }

    // Slow: waits for a timeout on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void oneProcessTooManyLearnsWhenTheNextLeaseExpires(Databases database) {
        IdLayout ofTwoWorkers =
                IdLayout.builder().datacenterBits(0).workerBits(1).build();
        try (HikariDataSource pool = database.open()) {
            LeaseTerms terms = LeaseTerms.of(emptyTable(database, pool));
            SnowflakeIdGenerator.Builder builder =
                    SnowflakeIdGenerator.builder().layout(ofTwoWorkers).lease(terms);
            try (SnowflakeIdGenerator one = builder.build();
                    SnowflakeIdGenerator other = builder.build()) {
                assertThat(one.workerId()).isNotEqualTo(other.workerId());
                builder.lease(terms.withAcquireTimeout(Duration.ofSeconds(4)));
                assertThatExceptionOfType(WorkerIdUnavailableException.class)
                        .isThrownBy(builder::build)
                        .withMessageMatching(
                                "All 2 worker IDs of namespace 'default' are leased; the next lease expires in (1[01]\\d|120) s");
            }
            try (SnowflakeIdGenerator next = builder.lease(terms).build()) {
                assertThat(next.nextId()).isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingTableIsReportedAtOnce(Databases database) {
        try (HikariDataSource pool = database.open()) {
            LeaseTerms terms = LeaseTerms.of(new JdbcWorkerRegistry(pool, "no_such_table", "default"));

            assertThatExceptionOfType(WorkerIdUnavailableException.class)
                    .isThrownBy(
                            () -> SnowflakeIdGenerator.builder().lease(terms).build())
                    .withMessageStartingWith("Table 'no_such_table' of worker IDs cannot be read: ")
                    .satisfies(rejected -> assertThat(rejected.reason())
                            .isEqualTo(WorkerIdUnavailableException.Reason.REGISTRY_UNUSABLE));
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyCreateTheTableAtOnce(Databases database) throws Exception {
        try (HikariDataSource pool = database.open()) {
            new JdbcTemplate(pool).execute("DROP TABLE IF EXISTS created_at_once");
            List<Boolean> created = atOnce(8, number -> {
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "created_at_once", "default")
                        .initializeSchema(InitializeSchema.ALWAYS);
                registry.read();
                return registry.acquire(null, claim(number, "a"), TTL);
            });
            assertThat(created).hasSize(8).containsOnly(true);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tableThatCannotBeCreatedIsReported(Databases database) {
        try (HikariDataSource pool = database.open()) {
            assertThatExceptionOfType(WorkerIdUnavailableException.class)
                    .isThrownBy(() -> new JdbcWorkerRegistry(pool, "no_such_schema.ids", "default")
                            .initializeSchema(InitializeSchema.ALWAYS)
                            .read())
                    .withMessageStartingWith("Table 'no_such_schema.ids' of worker IDs cannot be created: ");
        }
    }

    // Slow: eight rounds of eight generators on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void differentWorkerIdsAtEveryLevelOfIsolation(Databases database) throws Exception {
        for (String level : new String[] {"READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"}) {
            HikariConfig config = database.pool();
            config.setTransactionIsolation("TRANSACTION_" + level);
            config.setAutoCommit(false);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                JdbcWorkerRegistry registry = emptyTable(database, pool);
                for (int round = 0; round < 2; round++) {
                    List<SnowflakeIdGenerator> generators = atOnce(
                            8,
                            number -> SnowflakeIdGenerator.builder()
                                    .lease(LeaseTerms.of(registry).withAcquireTimeout(PATIENCE))
                                    .build());
                    assertThat(generators)
                            .extracting(SnowflakeIdGenerator::workerId)
                            .doesNotHaveDuplicates();
                    generators.forEach(SnowflakeIdGenerator::close);
                }
            }
        }
    }

    /** As with a row whose commit was lost on the network: the server rolls it back when it detects that. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "MARIADB", "POSTGRESQL"})
    void readsNoLeaseThatIsNotCommittedAndDoesNotWaitForIt(Databases database) throws Exception {
        HikariConfig config = database.pool();
        config.setTransactionIsolation("TRANSACTION_READ_UNCOMMITTED");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection other = DriverManager.getConnection(database.url())) {
            JdbcWorkerRegistry registry = emptyTable(database, pool);
            assertThat(registry.acquire(null, claim(1, "committed"), TTL)).isTrue();
            // The first read checks the table, which waits like the INSERT of a lease.
            assertThat(registry.read().entries()).hasSize(1);
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("INSERT INTO snowflake_worker SELECT namespace, datacenter_id, 0, 'lost', owner_info,"
                        + " reserved_until, expires_at, layout FROM snowflake_worker");
                statement.execute("UPDATE snowflake_worker SET reserved_until = 0 WHERE worker_id = 1");
            }

            assertThat(registry.read().entries())
                    .extracting(Entry::owner, Entry::reservedUntil)
                    .containsExactly(tuple("committed", SOME_TIME));
            other.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void clockOfTheDatabaseIsThatOfTheWorldInAnyTimeZoneOfTheSession(Databases database) {
        for (String zone : new String[] {"-08:00", "+00:00", "+05:45"}) {
            HikariConfig config = database.pool();
            config.setConnectionInitSql(
                    switch (database) {
                        case H2 -> "SET TIME ZONE '%s'".formatted(zone);
                        case HSQLDB -> "SET TIME ZONE INTERVAL '%s' HOUR TO MINUTE".formatted(zone);
                        case POSTGRESQL -> "SET TIME ZONE INTERVAL '%s' HOUR TO MINUTE".formatted(zone);
                        case MARIADB -> "SET time_zone = '%s'".formatted(zone);
                    });
            try (HikariDataSource pool = new HikariDataSource(config)) {
                assertThat(emptyTable(database, pool).read().now())
                        .as(zone)
                        .isBetween(Instant.now().minusSeconds(30), Instant.now().plusSeconds(30));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void textThatIsTooLongIsNotTruncated(Databases database) {
        try (HikariDataSource pool = database.open()) {
            emptyTable(database, pool);
            WorkerRegistry registry = new JdbcWorkerRegistry(pool, JdbcWorkerRegistry.DEFAULT_TABLE, "default");
            Claim claim = Claim.of(0, 0, "owner", "shop", Instant.EPOCH, Instant.EPOCH, "l".repeat(101));

            assertThatThrownBy(() -> registry.acquire(null, claim, TTL)).isInstanceOf(SnowflakeException.class);
            assertThat(registry.read().entries()).isEmpty();
        }
    }

    // Slow: waits for three renewals on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void acquiringNeedsThreeStatementsAtMostAndRenewingOne(Databases database) throws Exception {
        try (HikariDataSource pool = database.open()) {
            emptyTable(database, pool);
            List<String> statements = new CopyOnWriteArrayList<>();
            DataSource counted = new OpaqueDataSource(counting(pool, statements));
            WorkerRegistry registry = new JdbcWorkerRegistry(counted, JdbcWorkerRegistry.DEFAULT_TABLE, "default");
            LeaseTerms terms = LeaseTerms.of(registry).withTtl(TTL);
            registry.read();
            assertThat(statements)
                    .as("to find the table, to read it, and to try it out, once for each process")
                    .filteredOn(sql -> !sql.startsWith("SET TRANSACTION"))
                    .hasSize(
                            switch (database) {
                                case MARIADB -> 13;
                                // It inserts all rows in one statement. Two more find the table of a new connection.
                                case POSTGRESQL -> 6;
                                default -> 8;
                            });
            statements.clear();
            try (SnowflakeIdGenerator first =
                    SnowflakeIdGenerator.builder().lease(terms).build()) {
                assertThat(first.nextId()).isPositive();
                assertThat(statements)
                        .as("without MySQL's isolation level and its check of the insert")
                        .filteredOn(sql -> !sql.startsWith("SET TRANSACTION") && !sql.startsWith("SELECT COUNT(*)"))
                        .hasSizeBetween(2, 3);
                statements.clear();
                try (SnowflakeIdGenerator second =
                        SnowflakeIdGenerator.builder().lease(terms).build()) {
                    assertThat(second.nextId()).isPositive();
                    assertThat(statements)
                            .filteredOn(sql -> !sql.startsWith("UPDATE")
                                    && !sql.startsWith("SET TRANSACTION")
                                    && !sql.startsWith("SELECT COUNT(*)"))
                            .hasSize(2);
                }
            }
            try (SnowflakeIdGenerator renewing = SnowflakeIdGenerator.builder()
                    .lease(terms.withTtl(Duration.ofSeconds(3)))
                    .build()) {
                // Again if this thread was so late that there was another renewal.
                await().untilAsserted(() -> {
                    awaitRenewals(1, renewing);
                    statements.clear();
                    awaitRenewals(2, renewing);
                    assertThat(statements)
                            .filteredOn(sql -> !sql.startsWith("SET TRANSACTION"))
                            .hasSize(2)
                            .allSatisfy(sql -> assertThat(sql).startsWith("UPDATE"));
                });
            }
        }
    }

    private static void awaitRenewals(int more, SnowflakeIdGenerator generator) throws InterruptedException {
        long before = generator.statistics().renewals();
        while (generator.statistics().renewals() < before + more) {
            Thread.sleep(1);
        }
    }

    /** Returns the texts of all executed statements. */
    private static DataSource counting(DataSource dataSource, List<String> statements) {
        return new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                return recording(Connection.class, super.getConnection(), statements);
            }
        };
    }

    /** Records the SQL that is an argument of a method. */
    private static <T> T recording(Class<T> type, T target, List<String> statements) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
                        statements.add(sql);
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return method.getName().equals("createStatement")
                                ? recording(Statement.class, (Statement) result, statements)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void callerThatHoldsTheOnlyConnectionHasIds(Databases database) throws Exception {
        HikariConfig config = database.pool();
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(250);
        BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
        try (HikariDataSource pool = new HikariDataSource(config);
                SnowflakeIdGenerator generator = patient(LeaseTerms.of(emptyTable(database, pool))
                        .withTtl(Duration.ofSeconds(1))
                        .withListener(changes::add))) {
            Instant fence = generator.lease().orElseThrow().fence();
            try (Connection only = pool.getConnection()) {
                assertThat(only.isValid(1)).isTrue();
                while (!generator.lease().orElseThrow().fence().isAfter(fence.plusSeconds(2))) {
                    assertThat(generator.nextId()).isPositive();
                    Thread.sleep(1);
                }
            }
            assertThat(changes)
                    .as("no renewal failed")
                    .extracting(WorkerLease::state)
                    .containsExactly(State.HELD);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void callerThatHoldsTheOnlyConnectionOfAnUnknownPoolHasIdsUntilTheLeaseEnds(Databases database) throws Exception {
        HikariConfig config = database.pool();
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(250);
        try (HikariDataSource pool = new HikariDataSource(config);
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(emptyTable(database, new OpaqueDataSource(pool), "default"))
                                .withTtl(Duration.ofSeconds(3)))
                        .build()) {
            try (Connection only = pool.getConnection()) {
                assertThat(only.isValid(1)).isTrue();
                while (generator.lease().orElseThrow().state() == State.HELD) {
                    assertThat(generator.nextId()).isPositive();
                    Thread.sleep(1);
                }
                assertThat(generator.nextId()).isPositive();
            }
            while (generator.lease().orElseThrow().state() != State.HELD) {
                Thread.sleep(1);
            }
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void connectionIsItsOwnEvenIfTheDataSourceHandsOutThatOfTheTransaction() {
        try (HikariDataSource pool = Databases.H2.open()) {
            emptyTable(Databases.H2, pool);
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    new TransactionAwareDataSourceProxy(new TransactionAwareDataSourceProxy(pool)),
                    JdbcWorkerRegistry.DEFAULT_TABLE,
                    "default");
            new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult(status -> {
                assertThat(registry.acquire(null, claim(7, "a"), TTL)).isTrue();
                status.setRollbackOnly();
            });
            assertThat(registry.read().entries()).hasSize(1);
        }
    }

    /** Instances are replaced one after the other, while requests go to the running ones. */
    // Slow: restarts a hundred generators under load on each server.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void rollingRestartOfTwentyInstancesUnderLoadRepeatsNoIdAndFailsNoRequest(Databases database) throws Exception {
        try (HikariDataSource pool = database.open()) {
            LeaseTerms terms = LeaseTerms.of(emptyTable(database, pool)).withAcquireTimeout(PATIENCE);
            List<Instance> instances = new CopyOnWriteArrayList<>(atOnce(
                    20,
                    number -> new Instance(
                            SnowflakeIdGenerator.builder().lease(terms).build())));
            AtomicBoolean running = new AtomicBoolean(true);
            List<long[]> ids = new CopyOnWriteArrayList<>();
            ExecutorService clients = Executors.newFixedThreadPool(4);
            List<Future<Integer>> requests = new ArrayList<>();
            for (int client = 0; client < 4; client++) {
                requests.add(clients.submit(() -> {
                    int served = 0;
                    for (; running.get() || served == 0; served++) {
                        ids.add(request(instances));
                    }
                    return served;
                }));
            }
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 20; i++) {
                    Instance old = instances.get(i);
                    old.shutDown();
                    instances.set(
                            i,
                            new Instance(
                                    SnowflakeIdGenerator.builder().lease(terms).build()));
                }
            }
            running.set(false);
            int served = 0;
            for (Future<Integer> client : requests) {
                served += client.get();
            }
            clients.shutdown();
            instances.forEach(Instance::shutDown);

            assertThat(ids).hasSize(served).hasSizeGreaterThan(1000);
            long[] all = ids.stream().flatMapToLong(LongStream::of).sorted().toArray();
            assertThat(LongStream.of(all).distinct().count()).isEqualTo(all.length);
            assertThat(terms.registry().read().entries()).hasSizeBetween(20, 40);
        }
    }

    private static long[] request(List<Instance> instances) {
        while (true) {
            Instance instance = instances.get(ThreadLocalRandom.current().nextInt(instances.size()));
            if (instance.inFlight.tryAcquire()) {
                try {
                    return new long[] {instance.generator.nextId(), instance.generator.nextId()};
                } finally {
                    instance.inFlight.release();
                }
            }
        }
    }

    /** Stops like a web server: accepts no more requests, completes the running ones, then releases the worker ID. */
    private record Instance(SnowflakeIdGenerator generator, Semaphore inFlight) {

        private static final int MOST = 100;

        Instance(SnowflakeIdGenerator generator) {
            this(generator, new Semaphore(MOST, true));
        }

        void shutDown() {
            inFlight.acquireUninterruptibly(MOST);
            generator.close();
        }
    }

    @Test
    void namesAreChecked() {
        try (HikariDataSource pool = Databases.H2.open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcWorkerRegistry(pool, "a; DROP TABLE b", "default"))
                    .withMessage(
                            "table must be a name of letters, digits, _, $ and -, optionally with a schema and a dot before it, but was 'a; DROP TABLE b'. Write any other name in double quotes");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcWorkerRegistry(pool, "a.b", " "))
                    .withMessage("namespace must have 1 to 100 characters, but was ' '");
        }
    }

    @Test
    void dialectIsKnownByTheNameOfTheDatabase() {
        assertThat(Dialect.of("MariaDB")).isEqualTo(Dialect.MYSQL);
        assertThat(Dialect.of("MySQL")).isEqualTo(Dialect.MYSQL);
        assertThat(Dialect.of("Microsoft SQL Server")).isEqualTo(Dialect.SQLSERVER);
        assertThat(Dialect.of("PostgreSQL")).isEqualTo(Dialect.POSTGRESQL);
        assertThat(Dialect.of("Oracle")).isEqualTo(Dialect.ORACLE);
        assertThat(Dialect.of("H2")).isEqualTo(Dialect.H2);
        assertThat(Dialect.of("HSQL Database Engine")).isEqualTo(Dialect.HSQLDB);
        assertThat(Dialect.of("Apache Derby")).isNull();
    }
}
