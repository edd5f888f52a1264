package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdNodeBasedDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringArrayDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.json.jackson2.SnowflakeJackson2AutoConfiguration;
import io.github.snowflakeid.publicid.PublicId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Jackson2Tests extends FeatureContract {

    record Beside(
            @PublicId("order")
            @JsonSerialize(using = ToStringSerializer.class)
            @JsonDeserialize(using = NumberDeserializers.LongDeserializer.class)
            Long id,

            @PublicId("line") List<Long> lines) {}

    record Replaced(
            @PublicId("line")
            @JsonSerialize(using = ToStringSerializer.class)
            @JsonDeserialize(using = StringArrayDeserializer.class)
            List<Long> lines) {}

    /** A class such as Lombok generates from {@code @Value @Builder @Jacksonized}. */
    @JsonDeserialize(builder = Built.Builder.class)
    @JsonPropertyOrder({"id", "lines", "other", "customer"})
    public static final class Built {

        @PublicId("order")
        private final long id;

        @IdAsString
        private final long other;

        private final List<Long> lines;
        private final String customer;

        Built(Builder builder) {
            id = builder.id;
            lines = builder.lines;
            other = builder.other;
            customer = builder.customer;
        }

        public long getId() {
            return id;
        }

        @PublicId("line")
        public List<Long> getLines() {
            return lines;
        }

        public long getOther() {
            return other;
        }

        @JsonProperty("customer")
        public String name() {
            return customer;
        }

        @JsonPOJOBuilder(buildMethodName = "create")
        public static class Builder extends WithLines<Builder> {

            private long id;
            private long other;

            @JsonProperty
            private String customer;

            @JsonProperty
            public Builder id(long id) {
                this.id = id;
                return this;
            }

            public Builder withOther(long other) {
                this.other = other;
                return this;
            }

            public Built create() {
                return new Built(this);
            }
        }

        /** As {@code @SuperBuilder} generates it. */
        public abstract static class WithLines<B> {

            List<Long> lines;

            @SuppressWarnings("unchecked") // Like Lombok.
            public B withLines(List<Long> lines) {
                this.lines = lines;
                return (B) this;
            }
        }
    }

    @JsonDeserialize(builder = Assembled.Builder.class)
    interface BuildsAssembled {}

    @JsonDeserialize(builder = Disguised.Builder.class)
    interface BuildsDisguised {}

    @JsonDeserialize(builder = Undisguised.Builder.class)
    interface BuildsUndisguised {}

    Jackson2Tests() {
        super(mapper(), Beside.class, Replaced.class, Built.class);
    }

    record OfListClass(
            @PublicId("line") @JsonDeserialize(as = ArrayList.class)
            List<Long> lines) {}

    @Test
    void annotationOfJacksonMayChooseTheClassOfAList() throws Exception {
        String json = "{\"lines\":[\"%s\"]}".formatted(PUBLIC_IDS.encode("line", 8));

        assertThat(mapper.read(json, OfListClass.class).lines())
                .isInstanceOf(ArrayList.class)
                .containsExactly(8L);
        assertThatNoNumberIsRead("{\"lines\":[8]}", OfListClass.class);
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
        JsonMapper.Builder builder = JsonMapper.builder()
                .enable(DeserializationFeature.UNWRAP_SINGLE_VALUE_ARRAYS)
                // Like Spring Boot.
                .addModules(new ParameterNamesModule(), new Jdk8Module())
                .addModule(module(SnowflakeJackson2AutoConfiguration.class, Module.class));
        MIX_INS.forEach(builder::addMixIn);
        builder.addMixIn(Assembled.class, BuildsAssembled.class)
                .addMixIn(Disguised.class, BuildsDisguised.class)
                .addMixIn(Undisguised.class, BuildsUndisguised.class);
        JsonMapper mapper = builder.build();
        return new Mapper() {

            @Override
            public String write(Object value) throws Exception {
                return mapper.writeValueAsString(value);
            }

            @Override
            public <T> T read(String json, Class<T> type) throws Exception {
                return mapper.readValue(json, type);
            }

            @Override
            public String tree(Object value) {
                return mapper.valueToTree(value).toString();
            }

            @Override
            public String write(Object value, Class<?> view) throws Exception {
                return mapper.writerWithView(view).writeValueAsString(value);
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
