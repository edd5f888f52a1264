package io.github.snowflakeid.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class SnowflakeFileAutoConfigurationTests {

    @Test
    void propertiesAreInANativeImage() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, SnowflakeFileAutoConfiguration.class);

        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructor(FileProperties.class.getDeclaredConstructors()[0]))
                .accepts(hints);
    }
}
