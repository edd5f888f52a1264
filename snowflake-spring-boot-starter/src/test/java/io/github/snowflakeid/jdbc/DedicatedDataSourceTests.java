package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.entry;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

class DedicatedDataSourceTests {

    private static final String URL = Databases.POSTGRESQL.url() + "&ApplicationName=leases";

    private static DataSource dedicated(String url) {
        return Databases.dedicated(url, null, null);
    }

    private static List<Integer> backends(JdbcTemplate admin) {
        return admin.queryForList("SELECT pid FROM pg_stat_activity WHERE application_name = 'leases'", Integer.class);
    }

    // Slow: waits for longer than a lease of two seconds.
    @Tag("full")
    @Test
    void idsContinueIfTheOnlyConnectionOfThePoolIsBusyForLongerThanTheLease() throws Exception {
        HikariConfig one = Databases.POSTGRESQL.pool();
        one.setMaximumPoolSize(1);
        List<WorkerLease> changes = new CopyOnWriteArrayList<>();
        try (HikariDataSource pool = new HikariDataSource(one);
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(dedicated(URL), "own_busy", "default")
                        .initializeSchema(InitializeSchema.ALWAYS);
                Connection only = pool.getConnection();
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(registry)
                                .withTtl(Duration.ofSeconds(1))
                                .withListener(changes::add))
                        // A renewal may be late.
                        .maxWait(Duration.ofMinutes(1))
                        .build()) {
            Instant end = Instant.now().plusSeconds(3);
            while (Instant.now().isBefore(end)) {
                assertThat(generator.nextId()).isPositive();
                Thread.sleep(10);
            }
            assertThat(changes)
                    .as("no renewal failed")
                    .extracting(WorkerLease::state)
                    .containsExactly(State.HELD);
            assertThat(only.isValid(1)).isTrue();
        }
    }

    @Test
    void isOneConnectionThatStaysUntilTheStoreIsClosed() {
        try (HikariDataSource pool = Databases.POSTGRESQL.open()) {
            JdbcTemplate admin = new JdbcTemplate(pool);
            try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(dedicated(URL), "dedicated", "default")
                            .initializeSchema(InitializeSchema.ALWAYS);
                    JdbcSegmentStore store = new JdbcSegmentStore(dedicated(URL), "dedicated_counters")
                            .initializeSchema(InitializeSchema.ALWAYS)) {
                registry.read();
                store.read("invoices");
                List<Integer> opened = backends(admin);
                assertThat(opened).hasSize(2);

                assertThat(registry.read().entries()).isEmpty();
                store.read("invoices");

                assertThat(backends(admin)).isEqualTo(opened);
            }
            // The server ends a session shortly after the client has closed it.
            while (!backends(admin).isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:kept", "jdbc:hsqldb:mem:kept"})
    void databaseInMemoryIsKeptUntilTheRegistryIsClosed(String url) {
        DataSource settings = Databases.dedicated(url, "SA", "");
        Claim claim = Claim.of(0, 1, "owner", "test", Instant.EPOCH, Instant.EPOCH.plusSeconds(1), "some layout");
        try (JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(settings, "ids", "default").initializeSchema(InitializeSchema.EMBEDDED)) {
            registry.read();
            assertThat(registry.acquire(null, claim, Duration.ofSeconds(60))).isTrue();
            assertThat(registry.read().entries()).hasSize(1);
        }
    }

    @Test
    void urlOfNoUseIsReportedWithoutSecrets() {
        DataSource unknown =
                Databases.dedicated("jdbc:postgrs://shop:hidden@localhost/shop?password=hidden", null, null);
        WorkerIdUnavailableException noDriver = rejected(unknown);
        assertThat(noDriver)
                .hasMessage(
                        "The database at jdbc:postgrs://localhost/shop (snowflake.worker.jdbc.url) cannot be reached: No suitable"
                                + " driver found for jdbc:postgrs://localhost/shop");
        assertThat(((ConfigurationException) noDriver.getCause()).anchor()).isEqualTo(Problem.MISSING_DRIVER.anchor());

        WorkerIdUnavailableException unknownSetting =
                rejected(Databases.dedicated("jdbc:h2:mem:own;NONE=1;PASSWORD=hidden", "sa", "hidden"));
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
                entry("jdbc:oracle:thin:u/secret@secret@db:1521:shop", "jdbc:oracle:db:1521:shop"),
                entry("jdbc:mysql://address=(host=db)(user=u)(password=secret)/shop", "jdbc:mysql://address="),
                entry("jdbc:mysql://address=(PassWord1 = secret@secret;secret)(host=db)/shop", "jdbc:mysql://"),
                entry("jdbc:mysql://u:se?c=ret@db/shop", "jdbc:mysql://"),
                entry(
                        "jdbc:mysql://(host=a,password1=secret,password2=secret),(host=b,PASSWORD=secret)/shop",
                        "jdbc:mysql://"),
                entry("jdbc:mysql://u:secret@(host=db,password=secret", "jdbc:mysql://"));

        assertThat(addresses)
                .allSatisfy((url, address) -> assertThat(Secrets.address(url)).isEqualTo(address));
    }

    private static WorkerIdUnavailableException rejected(DataSource settings) {
        try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(settings, "ids", "default")) {
            Throwable rejected = catchThrowable(registry::read);
            assertThat(rejected).isInstanceOf(WorkerIdUnavailableException.class);
            return (WorkerIdUnavailableException) rejected;
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void passwordInTheUrlIsNotLogged(CapturedOutput output) {
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        logging.setLogLevel("org.springframework.jdbc", LogLevel.DEBUG);
        try (JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(dedicated("jdbc:h2:mem:logged;USER=sa;PASSWORD=hidden"), "ids", "default")) {
            registry.initializeSchema(InitializeSchema.EMBEDDED).read();
        } finally {
            logging.setLogLevel("org.springframework.jdbc", null);
        }

        assertThat(output).contains(" DEBUG ").doesNotContain("hidden");
    }

    @Test
    void settingsDoNotShowThePassword() {
        ConnectionSettings settings = new ConnectionSettings(
                "jdbc:postgresql://shop:hidden@localhost:5432/shop?password=hidden", "shop", "hidden");

        assertThat(settings).hasToString("user shop");
        assertThat(Secrets.address("jdbc:oracle:thin:scott/tiger@//localhost:1521/shop"))
                .isEqualTo("jdbc:oracle://localhost:1521/shop");
    }
}
