package io.github.snowflakeid.jdbc;

import static io.github.snowflakeid.jdbc.Databases.statements;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Calls of a segment store that databases reject. Failures are recognized by the same code as for leases. */
class JdbcSegmentStoreFailureTests {

    private static final Counter COUNTER = new Counter(1, 1, 100, "token");

    private static ConfigurationException rejected(Runnable call) {
        NumbersUnavailableException rejected = catchThrowableOfType(NumbersUnavailableException.class, call::run);
        assertThat(rejected).isNotNull();
        assertThat(rejected.reason()).isEqualTo(Reason.STORE_UNUSABLE);
        assertThat(rejected.getCause())
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(rejected.getMessage());
        return (ConfigurationException) rejected.getCause();
    }

    @ParameterizedTest
    @EnumSource
    void missingTableIsReportedWithTheStatementThatCreatesIt(Databases database) {
        try (HikariDataSource pool = database.open()) {
            JdbcTemplate sql = new JdbcTemplate(pool);
            sql.execute("DROP TABLE IF EXISTS my_counters");
            SegmentStore store = new JdbcSegmentStore(pool, "my_counters");

            ConfigurationException missing = rejected(() -> store.read("orders"));

            assertThat(missing).hasMessageStartingWith("Table 'my_counters' of counters cannot be read: ");
            assertThat(missing.anchor()).isEqualTo(Problem.MISSING_TABLE.anchor());
            String statements = statements(missing);
            assertThat(missing.action()).hasValue("""
                    Create the table with Flyway, Liquibase or by hand:

                    %s""".formatted(statements));
            sql.execute(statements.replace(";", ""));
            assertThat(store.write("orders", null, COUNTER)).isTrue();
        }
    }

    @Test
    void missingPermissionIsReportedWithTheGrantsThatSolveIt() {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP TABLE IF EXISTS granted_counters");
            new JdbcSegmentStore(admin, "granted_counters")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read("any");
            sql.execute("DROP ROLE IF EXISTS teller");
            sql.execute("CREATE ROLE teller LOGIN PASSWORD 'secret'");
            try (JdbcSegmentStore store = new JdbcSegmentStore(
                    Databases.dedicated(
                            JdbcRegistryFailureTests.urlWithoutUser(Databases.POSTGRESQL), "teller", "secret"),
                    "granted_counters")) {
                ConfigurationException rejected = rejected(() -> store.read("orders"));

                assertThat(rejected)
                        .hasMessage("Table 'granted_counters' of counters cannot be read: user 'teller' needs SELECT,"
                                + " INSERT and UPDATE on it (ERROR: permission denied for table granted_counters)");
                assertThat(rejected.anchor()).isEqualTo(Problem.MISSING_PERMISSION.anchor());
                assertThat(rejected.action()).hasValue("""
                        As the owner of the table, execute:

                        GRANT SELECT, INSERT, UPDATE ON granted_counters TO "teller";""");
                sql.execute(statements(rejected));
                assertThat(store.write("orders", null, COUNTER)).isTrue();
            }
            sql.execute("DROP TABLE granted_counters");
        }
    }

    @Test
    void wrongPasswordIsReportedButNotPrinted() {
        try (JdbcSegmentStore store = new JdbcSegmentStore(
                Databases.dedicated(
                        JdbcRegistryFailureTests.urlWithoutUser(Databases.MARIADB), "nobody", "not-that-one"),
                "counters")) {
            ConfigurationException rejected = rejected(() -> store.read("orders"));

            assertThat(rejected.getMessage())
                    .startsWith("The database at jdbc:")
                    .contains(
                            " (snowflake.segment.jdbc.urls) rejects the login: ",
                            "Access denied for user 'nobody'@'localhost'")
                    .doesNotContain("not-that-one");
            assertThat(rejected.anchor()).isEqualTo(Problem.LOGIN_REJECTED.anchor());
            assertThat(rejected.action())
                    .hasValue("Correct 'snowflake.segment.jdbc.username' and 'snowflake.segment.jdbc.password'.");
        }
    }

    @Test
    void readOnlyDatabaseIsReported() {
        HikariConfig standby = Databases.POSTGRESQL.pool();
        standby.setConnectionInitSql("SET default_transaction_read_only = on");
        try (HikariDataSource admin = Databases.POSTGRESQL.open();
                HikariDataSource pool = new HikariDataSource(standby)) {
            new JdbcTemplate(admin).execute("DROP TABLE IF EXISTS standby_counters");
            new JdbcSegmentStore(admin, "standby_counters")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read("any");

            ConfigurationException rejected =
                    rejected(() -> new JdbcSegmentStore(pool, "standby_counters").write("orders", null, COUNTER));

            assertThat(rejected)
                    .hasMessage(
                            "Table 'standby_counters' of counters cannot be written because the database or the connection is read-only: ERROR: cannot execute INSERT in a read-only transaction");
            assertThat(rejected.anchor()).isEqualTo(Problem.READ_ONLY_STORE.anchor());
            assertThat(rejected.action())
                    .hasValue(
                            "Use writable connections to the primary server. A dedicated connection for counters is best:\n\n"
                                    + "snowflake.segment.jdbc.urls: jdbc:postgresql://primary.example.org/shop");
        }
    }

    @Test
    void otherColumnsAreReported() {
        try (HikariDataSource pool = Databases.POSTGRESQL.open()) {
            JdbcTemplate sql = new JdbcTemplate(pool);
            sql.execute("DROP TABLE IF EXISTS somebodys_counters");
            sql.execute("CREATE TABLE somebodys_counters (name VARCHAR(100), value BIGINT)");

            ConfigurationException rejected =
                    rejected(() -> new JdbcSegmentStore(pool, "somebodys_counters").read("orders"));

            assertThat(rejected)
                    .hasMessage(
                            "Table 'somebodys_counters' of counters cannot be read: ERROR: column \"start_number\" does"
                                    + " not exist");
            assertThat(rejected.anchor()).isEqualTo(Problem.WRONG_TABLE.anchor());
            assertThat(rejected.action()).hasValue("""
                    Change the table so that it has the columns of this statement:

                    %s""".formatted(statements(rejected)));
        }
    }

    @Test
    void databaseThatIsDownMayComeBack() {
        try (JdbcSegmentStore store = new JdbcSegmentStore(
                Databases.dedicated("jdbc:postgresql://localhost:1/none", null, null), "counters")) {
            Throwable away = catchThrowable(() -> store.read("orders"));

            assertThat(away)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("The database at jdbc:postgresql://localhost:1/none"
                            + " (snowflake.segment.jdbc.urls) cannot be reached: ");
            assertThat(((ConfigurationException) away).anchor()).isEqualTo(Problem.STORE_UNREACHABLE.anchor());
            assertThat(((ConfigurationException) away).action())
                    .hasValue(
                            "Start the database, and check 'snowflake.segment.jdbc.urls' and that this process can reach it.");
        }
    }
}
