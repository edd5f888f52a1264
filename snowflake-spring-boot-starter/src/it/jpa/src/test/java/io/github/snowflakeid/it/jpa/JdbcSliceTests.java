package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;

@JdbcSlice
@TestPropertySource(properties = "snowflake.worker.id=")
class JdbcSliceTests {

    @Autowired
    private IdGenerator ids;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private SnowflakeIdGenerator generator;

    @Test
    void leasesAWorkerIdInTheDatabaseOfTheTest() {
        assertThat(generator.lease()).isPresent();
    }

    @Test
    void hasAGenerator() {
        long id = ids.nextId();

        assertThat(jdbc.queryForObject("select cast(? as bigint)", Long.class, id))
                .isEqualTo(id)
                .isPositive();
    }
}
