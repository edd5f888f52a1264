package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** How often a start waits for an answer of PostgreSQL, in addition to the answers that opening a connection takes. */
@Tag("servers")
class StartupRoundTripsTests {

    /**
     * The queries that find and read the table, the check of the table (two statements and the rollback), the
     * acquisition (a statement and the commit), and the second read of an empty table.
     */
    private static final int OF_EMPTY_TABLE = 8;

    private static int ofStart(CountingProxy proxy, JdbcWorkerRegistry registry) {
        int before = proxy.roundTrips();
        SnowflakeIdGenerator generator =
                SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build();
        int after = proxy.roundTrips();
        generator.close();
        return after - before;
    }

    private static int ofConnection(CountingProxy proxy, String url) throws SQLException {
        int before = proxy.roundTrips();
        try (Connection connection = DriverManager.getConnection(url)) {
            assertThat(connection.isClosed()).isFalse();
            return proxy.roundTrips() - before;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void startTakesFewRoundTrips(boolean autoCommit) throws IOException, SQLException {
        String url = Databases.POSTGRESQL.url();
        int port = URI.create(url.substring("jdbc:".length())).getPort();
        try (HikariDataSource admin = Databases.POSTGRESQL.open();
                CountingProxy proxy = new CountingProxy(port)) {
            HikariConfig settings = new HikariConfig();
            settings.setJdbcUrl(url.replace(":" + port, ":" + proxy.port()));
            settings.setMaximumPoolSize(1);
            settings.setAutoCommit(autoCommit);
            try (HikariDataSource pool = new HikariDataSource(settings)) {
                pool.getConnection().close();
                int connecting = ofConnection(proxy, settings.getJdbcUrl());
                JdbcTemplate sql = new JdbcTemplate(admin);

                // Loads the classes: a connection that is not used for half a second is validated.
                ofStart(proxy, registry(pool, InitializeSchema.ALWAYS));
                sql.execute("DROP TABLE IF EXISTS counted");
                assertThat(ofStart(proxy, registry(pool, InitializeSchema.ALWAYS)) - connecting)
                        .as("with the creation of the table, which needs no check")
                        .isEqualTo(OF_EMPTY_TABLE - 1);
                for (InitializeSchema when : InitializeSchema.values()) {
                    assertThat(ofStart(proxy, registry(pool, when)) - connecting)
                            .as("with a released worker ID")
                            .isEqualTo(OF_EMPTY_TABLE - 1);
                    sql.execute("DELETE FROM counted");
                    assertThat(ofStart(proxy, registry(pool, when)) - connecting)
                            .as("with an empty table")
                            .isEqualTo(OF_EMPTY_TABLE);
                }
            }
        }
    }

    private static JdbcWorkerRegistry registry(DataSource dataSource, InitializeSchema when) {
        return new JdbcWorkerRegistry(dataSource, "counted", "default").initializeSchema(when);
    }
}
