package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdNodeBasedDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringArrayDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import io.github.snowflakeid.json.jackson2.SnowflakeJackson2AutoConfiguration;
import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import org.junit.jupiter.api.Test;

class Jackson2Tests extends ObjectContract {

    record Beside(
            @PublicId("order")
            @JsonSerialize(using = ToStringSerializer.class)
            @JsonDeserialize(using = NumberDeserializers.LongDeserializer.class)
            Long id,

            @PublicId("line") @JsonSerialize(contentUsing = ToStringSerializer.class)
            List<Long> lines) {}

    record Replaced(
            @PublicId("line")
            @JsonSerialize(using = ToStringSerializer.class)
            @JsonDeserialize(using = StringArrayDeserializer.class)
            List<Long> lines) {}

    Jackson2Tests() {
        super(mapper(), Beside.class, Replaced.class);
    }

    @PublicId("code")
    record CodeId(long value) {}

    /** A serializer of the application, which takes precedence. */
    @Test
    void serializersOfAnotherModuleComeFirst() throws Exception {
        SimpleModule module = new SimpleModule();
        module.addSerializer(CodeId.class, ToStringSerializer.instance);
        module.addDeserializer(CodeId.class, new StdNodeBasedDeserializer<CodeId>(CodeId.class) {

            private static final long serialVersionUID = 1L;

            @Override
            public CodeId convert(JsonNode root, DeserializationContext context) {
                return new CodeId(7);
            }
        });
        JsonMapper mapper = JsonMapper.builder()
                .addModules(module(SnowflakeJackson2AutoConfiguration.class, Module.class), module)
                .build();

        assertThat(mapper.writeValueAsString(new CodeId(7))).isEqualTo("\"CodeId[value=7]\"");
        assertThat(mapper.readValue("true", CodeId.class)).isEqualTo(new CodeId(7));
    }

    private static Mapper mapper() {
        JsonMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.UNWRAP_SINGLE_VALUE_ARRAYS)
                // Like Spring Boot.
                .addModules(new ParameterNamesModule(), new Jdk8Module())
                .addModule(module(SnowflakeJackson2AutoConfiguration.class, Module.class))
                .build();
        return new Mapper() {

            @Override
            public String write(Object value) throws Exception {
                return mapper.writeValueAsString(value);
            }

            @Override
            public <T> T read(String json, Class<T> type) throws Exception {
                return mapper.readValue(json, type);
            }
        };
    }

    record WithSerializer(
            @JsonSerialize(using = ToStringSerializer.class) OrderId id,

            @JsonSerialize(contentUsing = ToStringSerializer.class)
            List<OrderId> more) {}

    @Test
    void publicIdOfATypeWinsOverASerializerOfAnAttribute() throws Exception {
        String json = mapper.write(new WithSerializer(new OrderId(7), List.of(new OrderId(8))));

        assertThat(json)
                .isEqualTo("{\"id\":\"%s\",\"more\":[\"%s\"]}"
                        .formatted(PUBLIC_IDS.encode("order", 7), PUBLIC_IDS.encode("order", 8)));
    }
}
