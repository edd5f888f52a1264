package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest(properties = "snowflake.worker.strategy=jdbc")
class ApplicationTests {

    @Autowired
    IdGenerator ids;

    @Autowired
    JdbcTemplate jdbc;

    @SpringBootApplication
    static class Application {}

    @Test
    void generatesIdsUnderALease() {
        assertThat(ids.nextId()).isPositive().isLessThan(ids.nextId());
        assertThat(jdbc.queryForObject("select count(*) from snowflake_worker", Long.class))
                .isPositive();
    }

    @Test
    void knowsItsVersion() {
        assertThat(SnowflakeIdGenerator.class.getPackage().getImplementationVersion())
                .isEqualTo(System.getProperty("snowflake.version"));
    }
}
