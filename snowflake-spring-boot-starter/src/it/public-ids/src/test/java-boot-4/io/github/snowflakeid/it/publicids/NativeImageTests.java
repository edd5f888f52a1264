package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.publicid.text.SnowflakePublicIdAutoConfiguration;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.http.codec.JacksonCodecSupport;
import org.springframework.http.converter.AbstractJacksonHttpMessageConverter;

/** The methods that give converters of Jackson 3 a mapper with the module. */
class NativeImageTests {

    @ParameterizedTest
    @ValueSource(classes = {AbstractJacksonHttpMessageConverter.class, JacksonCodecSupport.class})
    void methodsAreFoundByTheirNames(Class<?> converter) throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, SnowflakePublicIdAutoConfiguration.class);

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(converter.getMethod("getMapper")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(converter.getMethod("registerMappersForType", Class.class, Consumer.class)))
                .accepts(hints);
    }
}
