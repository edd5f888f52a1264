package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;

class JdbcPropertiesTests {

    @Test
    void withoutPropertiesTheGroupIsAsBindingWouldCreateIt() {
        assertThat(JdbcProperties.defaults())
                .isEqualTo(new Binder(List.of()).bindOrCreate("snowflake.worker.jdbc", JdbcProperties.class));
    }
}
