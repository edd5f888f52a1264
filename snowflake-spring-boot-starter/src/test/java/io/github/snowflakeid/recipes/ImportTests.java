package io.github.snowflakeid.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.LeaseTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** A worker ID is reserved for rows that are imported: no generator leases it. */
@Tag("servers")
class ImportTests {

    private static final String RESERVE = """
            INSERT INTO snowflake_worker (namespace, datacenter_id, worker_id, owner, owner_info, reserved_until, expires_at, layout)
            VALUES ('default', 31, 31, 'reserved', 'imported rows', 0, 253402300799000, '%s')""";

    private final HikariDataSource pool = Databases.POSTGRESQL.open();
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final List<SnowflakeIdGenerator> generators = new ArrayList<>();
    private final JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    pool, JdbcWorkerRegistry.DEFAULT_TABLE, "default")
            .initializeSchema(InitializeSchema.ALWAYS);

    @BeforeEach
    void reserveAWorkerId() {
        jdbc.execute("DROP TABLE IF EXISTS snowflake_worker");
        registry.createTable();
        leased(LeaseTerms.of(registry));
        String layout = jdbc.queryForObject("SELECT layout FROM snowflake_worker", String.class);
        jdbc.execute(RESERVE.formatted(layout));
    }

    @AfterEach
    void close() {
        generators.forEach(SnowflakeIdGenerator::close);
        jdbc.execute("DROP TABLE IF EXISTS snowflake_worker");
        pool.close();
    }

    @Test
    void reservedWorkerIdIsNeverLeased() {
        LeaseTerms terms = LeaseTerms.of(registry).datacenterId(31);
        IntStream.range(0, 31).forEach(i -> leased(terms));

        WorkerIdUnavailableException refused =
                catchThrowableOfType(WorkerIdUnavailableException.class, () -> leased(terms));
        assertThat(refused).hasMessageContaining("All 32 worker ids of datacenter id 31");
        assertThat(generators.subList(1, 32))
                .extracting(generator -> generator.workerId().workerId())
                .doesNotHaveDuplicates()
                .doesNotContain(31);
    }

    private void leased(LeaseTerms terms) {
        generators.add(SnowflakeIdGenerator.builder().lease(terms).build());
    }
}
