package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;

class SnowflakePropertiesTests {

    @Test
    void withoutPropertiesTheGroupIsAsBindingWouldCreateIt() {
        assertThat(SnowflakeProperties.defaults())
                .isEqualTo(new Binder(List.of()).bindOrCreate("snowflake", SnowflakeProperties.class));
    }
}
