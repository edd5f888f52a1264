package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.entry;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.jdbc.JdbcRegistryException.Problem;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class OwnConnectionTests {

    private static final String URL = Databases.POSTGRESQL.url() + "&ApplicationName=leases";

    private static ConnectionSettings settings(String url) {
        return new ConnectionSettings(url, null, null, null);
    }

    private static List<Integer> backends(JdbcTemplate admin) {
        return admin.queryForList("SELECT pid FROM pg_stat_activity WHERE application_name = 'leases'", Integer.class);
    }

    // Slow: waits for renewals.
    @Tag("full")
    @Test
    void isOneConnectionThatIsKeptAndOpenedAgainWhereItBrokeAndEndsWithTheLease() throws Exception {
        try (HikariDataSource pool = Databases.POSTGRESQL.open()) {
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(settings(URL), "own", "default").creatingItsTable();
            JdbcTemplate admin = new JdbcTemplate(pool);
            admin.execute("DROP TABLE IF EXISTS own");
            assertThat(backends(admin)).isEmpty();
            SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                    .lease(LeaseTerms.of(registry).ttl(Duration.ofSeconds(3)))
                    .build();
            List<Integer> first = backends(admin);
            assertThat(first).hasSize(1);
            awaitRenewal(generator);
            assertThat(backends(admin)).isEqualTo(first);

            admin.queryForList("SELECT pg_terminate_backend(?)", first.get(0));
            awaitRenewal(generator);
            awaitRenewal(generator);
            assertThat(backends(admin)).hasSize(1).isNotEqualTo(first);

            generator.close();
            awaitNone(admin);
            registry.read();
            assertThat(backends(admin)).hasSize(1);
            registry.close();
            awaitNone(admin);
            assertThat(catchThrowable(registry::read)).hasMessageEndingWith("the connection was closed for good");
        }
    }

    @Test
    void endsWithAGeneratorOfSegmentsAndIsOpenedAgain() throws Exception {
        try (HikariDataSource pool = Databases.POSTGRESQL.open();
                JdbcSegmentStore store = new JdbcSegmentStore(settings(URL), "own_counters").creatingItsTable()) {
            JdbcTemplate admin = new JdbcTemplate(pool);
            assertThat(backends(admin)).isEmpty();
            SegmentIdGenerator generator =
                    SegmentIdGenerator.builder().name("invoices").store(store).build();
            assertThat(backends(admin)).hasSize(1);

            generator.close();
            awaitNone(admin);
            generator.reopen();
            assertThat(backends(admin)).hasSize(1);
            generator.close();
            awaitNone(admin);
        }
    }

    private static void awaitRenewal(SnowflakeIdGenerator generator) throws InterruptedException {
        Instant before = generator.lease().orElseThrow().renewedAt();
        while (!generator.lease().orElseThrow().renewedAt().isAfter(before)) {
            Thread.sleep(10);
        }
    }

    private static void awaitNone(JdbcTemplate admin) throws InterruptedException {
        while (!backends(admin).isEmpty()) {
            Thread.sleep(10);
        }
    }

    // Slow: waits for longer than a lease of two seconds.
    @Tag("full")
    @Test
    void idsGoOnWhereTheOnlyConnectionOfThePoolIsBusyForLongerThanTheLease() throws Exception {
        HikariConfig one = Databases.POSTGRESQL.pool();
        one.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(one);
                JdbcWorkerRegistry registry =
                        new JdbcWorkerRegistry(settings(URL), "own_busy", "default").creatingItsTable();
                Connection only = pool.getConnection();
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(registry).ttl(Duration.ofSeconds(1)))
                        .build()) {
            Instant end = Instant.now().plusSeconds(3);
            while (Instant.now().isBefore(end)) {
                assertThat(generator.nextId()).isPositive();
                assertThat(generator.lease().orElseThrow().state()).isEqualTo(State.HELD);
                Thread.sleep(10);
            }
            assertThat(only.isValid(1)).isTrue();
        }
    }

    @Test
    void urlOrDriverOfNoUseIsSaidWithoutSecrets() {
        ConnectionSettings unknown =
                new ConnectionSettings("jdbc:postgrs://shop:hidden@localhost/shop?password=hidden", null, null, null);
        WorkerIdUnavailableException noDriver = refused(unknown);
        assertThat(noDriver)
                .hasMessage(
                        "The url jdbc:postgrs://localhost/shop (snowflake.worker.jdbc.url) cannot be used: no driver"
                                + " takes such a url");
        assertThat(((JdbcRegistryException) noDriver.getCause()).problem()).isEqualTo(Problem.NO_DRIVER);

        assertThat(refused(new ConnectionSettings("jdbc:h2:mem:own", null, null, "org.example.Driver")))
                .hasMessage(
                        "The driver org.example.Driver (snowflake.worker.jdbc.driver-class-name) cannot be used for the"
                                + " url jdbc:h2:mem:own: there is no such driver");
        assertThat(refused(new ConnectionSettings("jdbc:h2:mem:own", null, null, "org.postgresql.Driver")))
                .hasMessage(
                        "The driver org.postgresql.Driver (snowflake.worker.jdbc.driver-class-name) cannot be used for"
                                + " the url jdbc:h2:mem:own: it takes no such url");
        WorkerIdUnavailableException unknownSetting =
                refused(new ConnectionSettings("jdbc:h2:mem:own;NONE=1;PASSWORD=hidden", "sa", "hidden", null));
        java.io.StringWriter trace = new java.io.StringWriter();
        unknownSetting.printStackTrace(new java.io.PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("hidden");
    }

    @Test
    void addressHasNoSecretsWhereverTheUrlHasThem() {
        Map<String, String> addresses = Map.ofEntries(
                entry("jdbc:mysql://u:secret@secret@db/shop", "jdbc:mysql://db/shop"),
                entry("jdbc:mysql://u:secret/secret@db/shop", "jdbc:mysql://db/shop"),
                entry("jdbc:mysql://u:secret;secret@db/shop", "jdbc:mysql://"),
                entry("jdbc:mysql://u:secret@secret?secret@db/shop", "jdbc:mysql://"),
                entry("jdbc:mysql://db/shop?user=u@secret", "jdbc:mysql://db/shop"),
                entry("jdbc:oracle:thin:u/secret@secret@db:1521:shop", "jdbc:oracle:@db:1521:shop"),
                entry(
                        "jdbc:mysql://address=(host=db)(user=u)(password=secret)/shop",
                        "jdbc:mysql://address=(host=db)(user=u)(password=***)/shop"),
                entry(
                        "jdbc:mysql://address=(PassWord1 = secret@secret;secret)(host=db)/shop",
                        "jdbc:mysql://address=(PassWord1 =***)(host=db)/shop"),
                entry(
                        "jdbc:mysql://(host=a,password1=secret,password2=secret),(host=b,PASSWORD=secret)/shop",
                        "jdbc:mysql://(host=a,password1=***),(host=b,PASSWORD=***)/shop"),
                entry("jdbc:mysql://u:secret@(host=db,password=secret", "jdbc:mysql://(host=db,password=***"));

        assertThat(addresses)
                .allSatisfy((url, address) -> assertThat(new ConnectionSettings(url, null, null, null))
                        .hasToString(address));
    }

    private static WorkerIdUnavailableException refused(ConnectionSettings settings) {
        try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(settings, "ids", "default")) {
            Throwable refused = catchThrowable(registry::read);
            assertThat(refused).isInstanceOf(WorkerIdUnavailableException.class);
            return (WorkerIdUnavailableException) refused;
        }
    }

    @Test
    void namedDriverIsUsed() {
        try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                        new ConnectionSettings("jdbc:hsqldb:mem:named_driver", "SA", "", "org.hsqldb.jdbc.JDBCDriver"),
                        "ids",
                        "default")
                .creatingItsTableInMemory()) {
            assertThat(registry.read().entries()).isEmpty();
        }
    }

    /** Opens nothing; counts what is not closed. */
    static final class CountingDriver implements Driver {

        static final AtomicInteger OPEN = new AtomicInteger();

        @Override
        public Connection connect(String url, Properties info) {
            OPEN.incrementAndGet();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            OPEN.decrementAndGet();
                        }
                        return method.getReturnType() == boolean.class ? true : null;
                    });
        }

        @Override
        public boolean acceptsURL(String url) {
            return true;
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    @Test
    void nothingIsLeftOpenWhereItIsClosedWhileSomebodyGivesTheConnectionBack() throws Exception {
        int rounds = 1_000;
        OwnConnection[] all = new OwnConnection[rounds];
        AtomicInteger begun = new AtomicInteger(-1);
        AtomicInteger closed = new AtomicInteger(-1);
        Thread closing = new Thread(() -> {
            for (int round = 0; round < rounds; round++) {
                await(begun, round);
                all[round].close();
                closed.set(round);
            }
        });
        closing.start();
        for (int round = 0; round < rounds; round++) {
            OwnConnection own = new OwnConnection(
                    new ConnectionSettings("jdbc:none", null, null, CountingDriver.class.getName()), Limits.USUAL);
            all[round] = own;
            Connection taken = own.take();
            begun.set(round);
            for (int spins = round % 64; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            own.giveBack(taken, true);
            await(closed, round);
            assertThat(CountingDriver.OPEN).hasValue(0);
        }
        closing.join();
    }

    private static void await(AtomicInteger number, int value) {
        for (int spins = 0; number.get() < value; spins++) {
            if (spins < 1_000) {
                Thread.onSpinWait();
            } else {
                // The other thread may have no processor.
                Thread.yield();
            }
        }
    }

    @Test
    void settingsDoNotShowThePassword() {
        ConnectionSettings settings = new ConnectionSettings(
                "jdbc:postgresql://shop:hidden@localhost:5432/shop?password=hidden", "shop", "hidden", null);

        assertThat(settings).hasToString("jdbc:postgresql://localhost:5432/shop, user shop");
        assertThat(new ConnectionSettings("jdbc:oracle:thin:scott/tiger@//localhost:1521/shop", null, null, null))
                .hasToString("jdbc:oracle:@//localhost:1521/shop");
    }
}
