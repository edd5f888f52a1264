package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

@JdbcSlice
class JdbcSliceTests {

    @Autowired
    private IdGenerator ids;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void hasAGenerator() {
        long id = ids.nextId();

        assertThat(jdbc.queryForObject("select cast(? as bigint)", Long.class, id))
                .isEqualTo(id)
                .isPositive();
    }
}
