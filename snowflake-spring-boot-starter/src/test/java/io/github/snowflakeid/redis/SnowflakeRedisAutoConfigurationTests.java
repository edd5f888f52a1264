package io.github.snowflakeid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class SnowflakeRedisAutoConfigurationTests {

    @Test
    void scriptsAndConnectionsAreInANativeImage() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new SnowflakeRedisAutoConfiguration.Hints().registerHints(hints, null);
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, SnowflakeRedisAutoConfiguration.class);

        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(LettuceConnectionFactory.class, "doCreateConnectionProvider"))
                .as("connections for one call")
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/github/snowflakeid/redis/read-leases.lua"))
                .accepts(hints);
    }
}
