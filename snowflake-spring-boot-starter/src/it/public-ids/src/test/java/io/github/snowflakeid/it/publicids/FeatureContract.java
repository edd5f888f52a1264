package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonView;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Features of Jackson by which an attribute reaches its serializer or deserializer in another way than through a field or a setter. */
abstract class FeatureContract extends ObjectContract {

    private static final String ORDER = PUBLIC_IDS.encode("order", 7);
    private static final String LINE = PUBLIC_IDS.encode("line", 8);

    /** Classes of another library, and the annotations for them. */
    static final Map<Class<?>, Class<?>> MIX_INS = Map.of(
            Foreign.class, ForeignMixIn.class, Hidden.class, HiddenMixIn.class, ForeignId.class, Reference.class);

    private final Class<?> built;

    /** @param built a class that is created through a builder, with the attributes {@code id}, {@code lines} and {@code other} */
    FeatureContract(Mapper mapper, Class<?> withOtherAnnotations, Class<?> replaced, Class<?> built) {
        super(mapper, withOtherAnnotations, replaced);
        this.built = built;
    }

    private void assertThatNumbersStayInside(Object value, String json) throws Exception {
        String written = json.replace('\'', '"').formatted(ORDER, LINE);
        assertThat(mapper.write(value)).isEqualTo(written);
        assertThat(mapper.tree(value)).isEqualTo(written);
        Object read = mapper.read(written, value.getClass());
        assertThat(mapper.write(read)).isEqualTo(written);
        for (String bad : List.of(
                written.replaceAll("\"" + ORDER + "\"(?!:)", "7"),
                written.replace("\"" + ORDER + "\"", "\"7\""),
                written.replace("\"" + LINE + "\"", "8"))) {
            if (!bad.equals(written)) {
                assertThatNoNumberIsRead(bad, value.getClass());
            }
        }
    }

    @Test
    void builderReadsWhatItsObjectWrites() throws Exception {
        String json = "{'id':'%s','lines':['%s'],'other':'9','customer':'Ada'}";
        Object value = mapper.read(json.replace('\'', '"').formatted(ORDER, LINE), built);

        assertThatNumbersStayInside(value, json);
        assertThatThrownBy(() -> mapper.read("{\"other\":1.5}", built)).isNotNull();
    }

    static class Foreign {

        private final long id;
        private final List<Long> lines;

        Foreign(long id, List<Long> lines) {
            this.id = id;
            this.lines = lines;
        }

        public long getId() {
            return id;
        }

        public List<Long> getLines() {
            return lines;
        }
    }

    abstract static class ForeignMixIn {

        @JsonCreator
        ForeignMixIn(
                @JsonProperty("id") @PublicId("order") long id,
                @JsonProperty("lines") @PublicId("line") List<Long> lines) {}

        @PublicId("order")
        abstract long getId();

        @PublicId("line")
        abstract List<Long> getLines();
    }

    static class Hidden {

        private final long id;

        @JsonCreator
        Hidden(@JsonProperty("id") long id) {
            this.id = id;
        }

        public long getId() {
            return id;
        }
    }

    abstract static class HiddenMixIn {

        @PublicId("order")
        private long id;
    }

    record ForeignId(long value) {}

    record OfForeignId(ForeignId id, List<ForeignId> ids) {}

    @Test
    void annotationMayBeInAMixIn() throws Exception {
        assertThatNumbersStayInside(new Foreign(7, List.of(8L)), "{'id':'%s','lines':['%s']}");
        assertThatNumbersStayInside(new Hidden(7), "{'id':'%s'}");
        assertThatNumbersStayInside(
                new OfForeignId(new ForeignId(7), List.of(new ForeignId(7))), "{'id':'%1$s','ids':['%1$s']}");
    }

    static class Base<K> {

        @PublicId("order")
        private K id;

        public K getId() {
            return id;
        }

        public void setId(K id) {
            this.id = id;
        }
    }

    static class OfLong extends Base<Long> {}

    static class OfTyped extends Base<ForeignId> {}

    record Ref<T>(@PublicId("order") T id, List<T> plain) {}

    record OfRefs(Ref<Long> ref, List<Ref<ForeignId>> refs) {}

    record Page<T>(List<T> items, T first, Optional<T> maybe) {}

    record Pages(Page<OrderId> orders) {}

    @Test
    void attributeMayHaveTheTypeOfAVariable() throws Exception {
        OfLong ofLong = new OfLong();
        ofLong.setId(7L);
        OfTyped ofTyped = new OfTyped();
        ofTyped.setId(new ForeignId(7));

        assertThatNumbersStayInside(ofLong, "{'id':'%s'}");
        assertThatNumbersStayInside(ofTyped, "{'id':'%s'}");
        assertThatNumbersStayInside(
                new OfRefs(new Ref<>(7L, List.of()), List.of(new Ref<>(new ForeignId(7), List.of()))),
                "{'ref':{'id':'%1$s','plain':[]},'refs':[{'id':'%1$s','plain':[]}]}");
        assertThatNumbersStayInside(
                new Pages(new Page<>(List.of(new OrderId(7)), new OrderId(7), Optional.of(new OrderId(7)))),
                "{'orders':{'items':['%1$s'],'first':'%1$s','maybe':'%1$s'}}");
        assertThatThrownBy(() -> mapper.write(new Ref<>(7L, List.of())))
                .hasMessageContaining("is on a java.lang.Object, which does not hold IDs");
    }

    record Maps(
            Map<OrderId, String> keys,
            SortedMap<String, OrderId> values,
            Map<String, List<OrderId>> lists,
            @PublicId("order") Map<ForeignId, ForeignId> both,
            Map<String, Object> any) {}

    @Test
    void mapHasIdsAsKeysAndValues() throws Exception {
        OrderId id = new OrderId(7);
        ForeignId foreign = new ForeignId(7);

        assertThatNumbersStayInside(
                new Maps(
                        Map.of(id, "x"),
                        new TreeMap<>(Map.of("y", id)),
                        Map.of("z", List.of(id)),
                        Map.of(foreign, foreign),
                        Map.of("any", id)),
                "{'keys':{'%1$s':'x'},'values':{'y':'%1$s'},'lists':{'z':['%1$s']},'both':{'%1$s':'%1$s'},'any':{'any':'%1$s'}}");
    }

    interface Short {}

    interface Full extends Short {}

    record Viewed(
            @JsonView(Short.class) @PublicId("order") long id,
            @JsonView(Full.class) OrderId other) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    record Row(
            @PublicId("order") long id,
            OrderId other,
            @IdAsString long text) {}

    record OfRow(Row row) {}

    @Test
    void viewsAndArraysHaveTexts() throws Exception {
        Viewed viewed = new Viewed(7, new OrderId(7));

        assertThatNumbersStayInside(viewed, "{'id':'%1$s','other':'%1$s'}");
        assertThat(mapper.write(viewed, Full.class)).isEqualTo("{\"id\":\"%1$s\",\"other\":\"%1$s\"}".formatted(ORDER));
        assertThat(mapper.write(viewed, Short.class)).isEqualTo("{\"id\":\"%s\"}".formatted(ORDER));
        assertThat(mapper.write(new OfRow(new Row(7, new OrderId(7), 9))))
                .isEqualTo("{\"row\":[\"%1$s\",\"%1$s\",\"9\"]}".formatted(ORDER));
        assertThatNoNumberIsRead("{\"row\":[7]}", OfRow.class);
        assertThat(mapper.read("{\"row\":[\"%1$s\",\"%1$s\",\"9\"]}".formatted(ORDER), OfRow.class))
                .isEqualTo(new OfRow(new Row(7, new OrderId(7), 9)));
    }
}
