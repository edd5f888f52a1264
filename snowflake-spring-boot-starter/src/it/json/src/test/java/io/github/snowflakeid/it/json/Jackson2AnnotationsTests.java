package io.github.snowflakeid.it.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.jackson2.SnowflakeJackson2AutoConfiguration;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Annotations of Jackson next to IDs that the property makes strings. */
class Jackson2AnnotationsTests {

    static class Prefixed extends ToStringSerializerBase {

        private static final long serialVersionUID = 1L;

        Prefixed() {
            super(Object.class);
        }

        @Override
        public String valueToString(Object value) {
            return "no. " + value;
        }
    }

    static class PrefixedKey extends JsonSerializer<Object> {

        @Override
        public void serialize(Object key, JsonGenerator json, SerializerProvider context) throws IOException {
            json.writeFieldName("no. " + key);
        }
    }

    static class Converted extends StdConverter<Long, String> {

        @Override
        public String convert(Long value) {
            return "no. " + value;
        }
    }

    static class Seven extends StdDeserializer<Long> {

        private static final long serialVersionUID = 1L;

        Seven() {
            super(Long.class);
        }

        @Override
        public Long deserialize(JsonParser parser, DeserializationContext context) {
            return 7L;
        }
    }

    record AsUsual(
            @SnowflakeId @JsonSerialize(nullsUsing = Prefixed.class)
            Long nulls,

            @SnowflakeId @JsonSerialize(as = Number.class) Long as,

            @SnowflakeId @JsonSerialize(typing = JsonSerialize.Typing.STATIC) @JsonDeserialize(as = Long.class)
            Long typed) {}

    record Replaced(
            @SnowflakeId @JsonSerialize(using = Prefixed.class) @JsonDeserialize(using = Seven.class)
            Long one,

            @SnowflakeId @JsonSerialize(converter = Converted.class)
            Long converted,

            @SnowflakeId @JsonSerialize(contentUsing = Prefixed.class) @JsonDeserialize(contentUsing = Seven.class)
            List<Long> list,

            @SnowflakeId @JsonSerialize(contentConverter = Converted.class)
            List<Long> convertedList,

            @SnowflakeId @JsonSerialize(keyUsing = PrefixedKey.class)
            Map<Long, Long> keys) {}

    @Test
    void idIsAStringUnlessTheAnnotationReplacesItsSerializer() {
        run(mapper -> {
            assertThat(mapper.writeValueAsString(new AsUsual(1L, 2L, 3L)))
                    .isEqualTo("{\"nulls\":\"1\",\"as\":\"2\",\"typed\":\"3\"}");
            assertThat(mapper.writeValueAsString(new AsUsual(null, null, null))).contains("\"nulls\":\"no. null\"");
            assertThatThrownBy(() -> mapper.readValue("{\"typed\":1.5}", AsUsual.class))
                    .hasMessageContaining("an ID must be a whole number");
        });
    }

    @Test
    void serializersOfTheApplicationHavePrecedence() {
        run(mapper -> {
            assertThat(mapper.writeValueAsString(new Replaced(1L, 2L, List.of(3L), List.of(4L), Map.of(5L, 6L))))
                    .isEqualTo("{\"one\":\"no. 1\",\"converted\":\"no. 2\",\"list\":[\"no. 3\"],"
                            + "\"convertedList\":[\"no. 4\"],\"keys\":{\"no. 5\":\"6\"}}");
            Replaced read = mapper.readValue("{\"one\":1.5,\"list\":[1.5]}", Replaced.class);
            assertThat(read.one()).isEqualTo(7);
            assertThat(read.list()).containsExactly(7L);
        });
    }

    private interface Assertion {

        void on(JsonMapper mapper) throws Exception;
    }

    private static void run(Assertion assertion) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakeJackson2AutoConfiguration.class))
                .withPropertyValues("snowflake.json.ids-as-strings=true")
                .run(context -> assertion.on(JsonMapper.builder()
                        .addModule(context.getBean(Module.class))
                        .build()));
    }
}
