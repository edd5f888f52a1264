package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Tables in encodings that lack characters. */
@Tag("servers")
class EncodingTests {

    private static final String TABLE = "encoded_leases";
    private static final String CHINESE = "\u8ba2\u5355";

    /** Creates an empty table whose texts have an encoding. */
    private static DataSource tableIn(String encoding, Databases database) {
        DataSource data =
                database == Databases.POSTGRESQL ? databaseIn(encoding) : new DriverManagerDataSource(database.url());
        JdbcTemplate sql = new JdbcTemplate(data);
        sql.execute("DROP TABLE IF EXISTS " + TABLE);
        sql.execute(StoredKind.LEASES
                .createStatement(new Database(StoredKind.LEASES, data, Timeouts.DEFAULT).dialect(), TABLE)
                .replaceFirst("CHARACTER SET .*", "CHARACTER SET " + encoding));
        return data;
    }

    /** PostgreSQL has an encoding for each database. */
    private static DataSource databaseIn(String encoding) {
        String url = Databases.POSTGRESQL.url();
        JdbcTemplate admin = new JdbcTemplate(new DriverManagerDataSource(url));
        String name = "in_" + encoding.toLowerCase(Locale.ROOT);
        admin.execute("DROP DATABASE IF EXISTS " + name);
        admin.execute("CREATE DATABASE %s ENCODING '%s' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
                .formatted(name, encoding));
        return new DriverManagerDataSource(url.replace("/postgres?", "/" + name + "?"));
    }

    private static @Nullable Throwable failureToLease(DataSource data, String namespace, String ownerInfo) {
        LeaseTerms terms = LeaseTerms.of(new JdbcWorkerRegistry(data, TABLE, namespace))
                .withAcquireTimeout(Duration.ofSeconds(3))
                .withOwnerInfo(ownerInfo);
        return catchThrowable(
                () -> SnowflakeIdGenerator.builder().lease(terms).build().close());
    }

    @ParameterizedTest
    @CsvSource({
        "LATIN1, POSTGRESQL",
        "SQL_ASCII, POSTGRESQL",
        "EUC_JP, POSTGRESQL",
        "UTF8, POSTGRESQL",
        "latin1, MARIADB",
        "ascii, MARIADB",
        "gbk, MARIADB",
        "utf8mb3, MARIADB",
        "utf8mb4, MARIADB"
    })
    void anyDescriptionOfTheOwnerIsStored(String encoding, Databases database) {
        DataSource data = tableIn(encoding, database);

        assertThat(failureToLease(data, "default", CHINESE + " \ud83d\ude80 Z\u00fcrich\0, orders-3, pid 42"))
                .isNull();
        assertThat(new JdbcTemplate(data).queryForList("SELECT owner_info FROM " + TABLE, String.class))
                .containsExactly("\\u8ba2\\u5355 \\ud83d\\ude80 Z\\u00fcrich\\u0000, orders-3, pid 42");
    }

    /** Two namespaces must not become one because their characters are replaced. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            LATIN1 | POSTGRESQL | has no equivalent in encoding "LATIN1"
            latin1 | MARIADB    | Illegal mix of collations (latin1_swedish_ci
            """)
    void namespaceThatTheEncodingLacksIsRejected(String encoding, Databases database, String reason) {
        DataSource data = tableIn(encoding, database);

        assertThat(failureToLease(data, CHINESE, "shop"))
                .isInstanceOf(WorkerIdUnavailableException.class)
                .hasMessageContaining(reason);
        assertThat(new JdbcTemplate(data).queryForList("SELECT namespace FROM " + TABLE))
                .isEmpty();
        assertThat(failureToLease(data, "z\u00fcrich", "shop")).isNull();
    }
}
