package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A type that wraps one ID and is annotated is that ID in JSON. */
abstract class TypedIdContract extends JsonContract {

    private static final String ORDER = PUBLIC_IDS.encode("order", 7);

    TypedIdContract(Mapper mapper, Class<?> withOtherAnnotations, Class<?> replaced) {
        super(mapper, withOtherAnnotations, replaced);
    }

    @PublicId("order")
    record OrderId(long value) {}

    @SnowflakeId
    record LineId(Long value) {}

    @IdAsString
    record ParcelId(BigInteger value) {}

    @SnowflakeId
    record Code(String value) {}

    @PublicId("till")
    static final class TillId {

        private final Integer number;

        TillId(Integer number) {
            this.number = number;
        }

        Integer number() {
            return number;
        }
    }

    record Order(
            OrderId id,
            LineId line,
            ParcelId parcel,
            Code code,
            List<OrderId> related,
            OrderId[] array,
            Optional<OrderId> maybe,
            Map<OrderId, LineId> map) {}

    @Test
    void typedIdIsScalarWhereverItOccurs() throws Exception {
        Order order = new Order(
                new OrderId(7),
                new LineId(8L),
                new ParcelId(BigInteger.TEN),
                new Code("x"),
                List.of(new OrderId(7)),
                new OrderId[] {new OrderId(7)},
                Optional.of(new OrderId(7)),
                Map.of(new OrderId(7), new LineId(9L)));

        String json = mapper.write(order);

        assertThat(json)
                .isEqualTo(("{'id':'%1$s','line':8,'parcel':'10','code':'x','related':['%1$s'],'array':['%1$s'],"
                                + "'maybe':'%1$s','map':{'%1$s':9}}")
                        .formatted(ORDER)
                        .replace('\'', '"'));
        assertThat(mapper.read(json, Order.class)).usingRecursiveComparison().isEqualTo(order);
        assertThat(mapper.read("{\"line\":\"8\",\"parcel\":10}", Order.class))
                .extracting(Order::line, Order::parcel)
                .containsExactly(order.line(), order.parcel());
        assertThat(mapper.read("{\"id\":null}", Order.class).id()).isNull();
    }

    record Texts(
            @IdAsString long primitive,
            @IdAsString Long boxed,
            @IdAsString Integer integer,
            @IdAsString BigInteger big,
            @IdAsString String text,
            @IdAsString LineId typed) {}

    record Numbers(
            @SnowflakeId long primitive,
            @SnowflakeId Long boxed,
            @SnowflakeId Integer integer,
            @SnowflakeId BigInteger big,
            @SnowflakeId String text,
            @SnowflakeId LineId typed) {}

    @Test
    void eachTypeOfIdIsTextOrNumber() throws Exception {
        Texts texts = new Texts(1, 2L, 3, BigInteger.valueOf(4), "5", new LineId(6L));
        Numbers numbers = new Numbers(1, 2L, 3, BigInteger.valueOf(4), "5", new LineId(6L));
        String text = "{'primitive':'1','boxed':'2','integer':'3','big':'4','text':'5','typed':'6'}".replace('\'', '"');
        String number = "{'primitive':1,'boxed':2,'integer':3,'big':4,'text':'5','typed':6}".replace('\'', '"');

        assertThat(mapper.write(texts)).isEqualTo(text);
        assertThat(mapper.write(numbers)).isEqualTo(number);
        for (String json : List.of(text, number)) {
            assertThat(mapper.read(json, Texts.class)).isEqualTo(texts);
            assertThat(mapper.read(json, Numbers.class)).isEqualTo(numbers);
        }
    }

    @Test
    void publicTypedIdIsNeverReadFromNumber() throws Exception {
        assertThat(mapper.read("\"%s\"".formatted(PUBLIC_IDS.encode("till", 3)), TillId.class)
                        .number())
                .isEqualTo(3);
        for (String bad : List.of("7", "\"7\"", "[7]", "{\"value\":7}", "{\"number\":7}", "7.5", "true", "\"\"")) {
            for (Class<?> type : List.of(OrderId.class, TillId.class)) {
                assertThatNoNumberIsRead(bad, type);
            }
        }
        for (String bad : List.of("{\"map\":{\"7\":8}}", "{\"related\":[7]}", "{\"array\":[\"7\"]}", "{\"maybe\":7}")) {
            assertThatNoNumberIsRead(bad, Order.class);
        }
        for (String bad : List.of("1.5", "\"x\"", "\"\"", "true", "9223372036854775808", "{\"value\":7}")) {
            assertThatNoNumberIsRead(bad, LineId.class);
        }
    }

    /** Has an accessor that Jackson does not treat as a getter. */
    @PublicId("shelf")
    static final class ShelfId {

        private final long value;

        ShelfId(long value) {
            this.value = value;
        }

        long value() {
            return value;
        }
    }

    record Shelved(ShelfId id) {}

    @Test
    void typedIdIsWrittenWithoutAGetter() throws Exception {
        String json = mapper.write(new Shelved(new ShelfId(3)));

        assertThat(json).isEqualTo("{\"id\":\"%s\"}".formatted(PUBLIC_IDS.encode("shelf", 3)));
    }

    record NestedLists(@PublicId("order") Map<Long, List<Long>> lists) {}

    @Test
    void numbersInContainersOfValuesAreRejected() {
        assertThatThrownBy(() -> mapper.write(new NestedLists(Map.of(7L, List.of(8L)))))
                .hasStackTraceContaining("@PublicId(\"order\")");
    }

    record Holder(OrderId id) {}

    @Test
    void objectWithAPublicTypedIdIsNoKey() {
        assertThatThrownBy(() -> mapper.write(Map.of(new Holder(new OrderId(7)), "x")))
                .hasStackTraceContaining("@PublicId(\"order\")");
    }

    /** The attribute needs no annotation, so this also works in containers that cannot be annotated. */
    @Test
    void typedIdIsPublicInEachContainer() throws Exception {
        String several = "[\"%s\"]".formatted(ORDER);

        assertThat(mapper.write(Stream.of(new OrderId(7)))).isEqualTo(several);
        assertThat(mapper.write(List.of(List.of(new OrderId(7))))).isEqualTo("[" + several + "]");
    }

    record Plain(long value) {}

    record Entity(
            @SnowflakeId Plain id,
            @SnowflakeId @PublicId("order") Plain shown,
            @SnowflakeId OrderId order,
            @IdAsString OrderId text,
            Plain other) {}

    @Test
    void annotatedAttributeMarksItsTypeAsATypedId() throws Exception {
        Entity entity = new Entity(new Plain(6), new Plain(7), new OrderId(7), new OrderId(7), new Plain(8));

        String json = mapper.write(entity);

        assertThat(json)
                .isEqualTo("{'id':6,'shown':'%1$s','order':'%1$s','text':'%1$s','other':{'value':8}}"
                        .formatted(ORDER)
                        .replace('\'', '"'));
        assertThat(mapper.read(json, Entity.class)).isEqualTo(entity);
        for (String attribute : List.of("shown", "order", "text")) {
            assertThatNoNumberIsRead("{\"%s\":7}".formatted(attribute), Entity.class);
        }
    }

    @PublicId(value = "order", prefix = "ord_")
    record PrefixedId(long value) {}

    record Prefixed(
            PrefixedId id,
            Map<PrefixedId, PrefixedId> map,
            @IdAsString(prefix = "inv_") List<Long> invoices) {}

    @Test
    void prefixIsWrittenAndRequired() throws Exception {
        PrefixedId id = new PrefixedId(7);
        Prefixed prefixed = new Prefixed(id, Map.of(id, id), List.of(8L));
        String json =
                "{\"id\":\"ord_%1$s\",\"map\":{\"ord_%1$s\":\"ord_%1$s\"},\"invoices\":[\"inv_8\"]}".formatted(ORDER);

        assertThat(mapper.write(prefixed)).isEqualTo(json);
        assertThat(mapper.read(json, Prefixed.class)).isEqualTo(prefixed);
        for (String bad : List.of("\"" + ORDER + "\"", "\"ORD_" + ORDER + "\"", "\"ord_\"")) {
            assertThatThrownBy(() -> mapper.read(bad, PrefixedId.class))
                    .hasMessageContaining("not a public ID that begins with 'ord_'");
        }
        for (String bad : List.of("8", "\"8\"", "\"ord_8\"")) {
            assertThatThrownBy(() -> mapper.read("{\"invoices\":[%s]}".formatted(bad), Prefixed.class))
                    .hasMessageContaining("Cannot deserialize");
        }
        assertThatNoNumberIsRead("7", PrefixedId.class);
    }

    record Valued(@JsonValue long value) {}

    static final class Created {

        public final long value;

        private Created(long value) {
            this.value = value;
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Created of(long value) {
            return new Created(value + 1);
        }
    }

    @Test
    void otherTypeIsLeftToJackson() throws Exception {
        assertThat(mapper.write(new Valued(7))).isEqualTo("7");
        assertThat(mapper.read("7", Valued.class)).isEqualTo(new Valued(7));
        assertThat(mapper.write(new Created(7))).isEqualTo("{\"value\":7}");
        assertThat(mapper.read("7", Created.class).value).isEqualTo(8);
        assertThat(mapper.write(Map.of("x", new Plain(7)))).isEqualTo("{\"x\":{\"value\":7}}");
    }

    record Named(@PublicId("order") long id) {}

    record Digits(@IdAsString long id) {}

    record Saved(@SnowflakeId Long id) {}

    record Several(@PublicId("order") List<Long> ids) {}

    record Wrapping(@PublicId("order") Plain id) {}

    /** A class such as Lombok generates from {@code @Data @AllArgsConstructor @NoArgsConstructor}. */
    static class Bean {

        @PublicId("order")
        private Long id;

        Bean() {}

        Bean(Long id) {
            this.id = id;
        }

        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    /** Has the annotation on the constructor's parameter only. */
    static final class Ticket {

        private final long id;

        @JsonCreator
        Ticket(@JsonProperty("id") @PublicId("order") long id) {
            this.id = id;
        }

        public long getId() {
            return id;
        }
    }

    @Test
    void objectWithOneAnnotatedAttributeStaysAnObject() throws Exception {
        Map<Object, String> values = Map.of(
                new Named(7), "{'id':'%s'}",
                new Digits(7), "{'id':'7'}",
                new Saved(7L), "{'id':7}",
                new Several(List.of(7L)), "{'ids':['%s']}",
                new Wrapping(new Plain(7)), "{'id':'%s'}",
                new Bean(7L), "{'id':'%s'}",
                new Ticket(7), "{'id':'%s'}");

        for (Map.Entry<Object, String> each : values.entrySet()) {
            Object value = each.getKey();
            String json = each.getValue().formatted(ORDER).replace('\'', '"');

            assertThat(mapper.write(value)).isEqualTo(json);
            assertThat(mapper.read(json, value.getClass()))
                    .usingRecursiveComparison()
                    .isEqualTo(value);
        }
        for (Class<?> type : List.of(Named.class, Wrapping.class, Bean.class, Ticket.class)) {
            assertThatNoNumberIsRead("{\"id\":7}", type);
            assertThatNoNumberIsRead("7", type);
            assertThatNoNumberIsRead("\"%s\"".formatted(ORDER), type);
        }
    }

    record Outdated(@PublicId("order") Named id) {}

    @PublicId("order")
    record TwoIds(long first, long second) {}

    @PublicId("order")
    interface Reference {}

    record Inherited(long value) implements Reference {}

    @Test
    void annotationOnATypeThatIsNoIdIsRejected() throws Exception {
        assertThatThrownBy(() -> mapper.write(new Outdated(new Named(7))))
                .hasMessageContaining("is on a " + Named.class.getName() + ", which does not hold IDs.");
        assertThatThrownBy(() -> mapper.write(new TwoIds(7, 8)))
                .hasMessageContaining("is on class " + TwoIds.class.getName() + ", which does not wrap one ID.");
        assertThatThrownBy(() -> mapper.read("{\"first\":7,\"second\":8}", TwoIds.class))
                .hasMessageContaining("is on class " + TwoIds.class.getName() + ", which does not wrap one ID.");
        assertThat(mapper.write(new Inherited(7))).isEqualTo("\"%s\"".formatted(ORDER));
    }

    @SnowflakeId
    record Positive(long value) {

        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("positive");
            }
        }
    }

    @PublicId("order")
    record Secret(String value) {}

    @Test
    void attributeDecidesWhichIdsFit() {
        assertThatNoNumberIsRead("-7", Positive.class);
        assertThatThrownBy(() -> mapper.write(new Secret("7")))
                .hasMessageContaining("is on a " + Secret.class.getName() + ", which does not hold IDs.");
    }

    /** Any text that is not of the application's type, such as one written by hand. */
    @Test
    void publicTextOfAnotherTypeIsRejected() {
        assertThatNoNumberIsRead("\"%s\"".formatted(PUBLIC_IDS.encode("line", 7)), OrderId.class);
    }

    final void assertThatNoNumberIsRead(String json, Class<?> type) {
        assertThatThrownBy(() -> mapper.read(json, type))
                .as("%s of %s", type, json)
                .extracting(failure -> failure.getClass().getSimpleName())
                .isIn("MismatchedInputException", "InvalidFormatException", "ValueInstantiationException");
    }
}
