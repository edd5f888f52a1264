package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;

@JdbcSlice
@AutoConfigureTestIds
@TestPropertySource(properties = "snowflake.worker.id=")
class JdbcTestIdsTests {

    @Autowired
    private IdGenerator ids;

    @Autowired
    private JdbcTemplate jdbc;

    @RepeatedTest(2)
    void idsAreTheSameInEachTestAndNoTableOfWorkerIdsIsCreated() {
        assertThat(ids.nextId()).isEqualTo(1);
        assertThat(
                        jdbc.queryForList(
                                "select table_name from information_schema.tables where lower(table_name) = 'snowflake_worker'"))
                .isEmpty();
    }
}
