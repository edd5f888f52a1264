package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class SnowflakeJdbcAutoConfigurationTests {

    @Test
    void scriptsAreInANativeImage() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new SnowflakeJdbcAutoConfiguration.Hints()
                .registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.resource().forResource("io/github/snowflakeid/jdbc/schema-postgresql.sql"))
                .accepts(hints);
    }
}
