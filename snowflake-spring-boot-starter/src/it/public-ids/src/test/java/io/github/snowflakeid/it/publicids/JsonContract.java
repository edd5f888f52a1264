package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import io.github.snowflakeid.text.PublicIds;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * No version of Jackson reads or writes a plain number in place of a public ID, however lenient its configuration and whatever other
 * annotations are present.
 */
abstract class JsonContract {

    static final PublicIds PUBLIC_IDS = PublicIds.of(PublicIds.Key.of("a", WebServer.KEY));

    /** A mapper that accepts an array of one element in place of the element. */
    interface Mapper {

        String write(Object value) throws Exception;

        <T> T read(String json, Class<T> type) throws Exception;

        /** Writes an object as a tree, and returns the tree as text. */
        String tree(Object value) throws Exception;

        String write(Object value, Class<?> view) throws Exception;
    }

    final Mapper mapper;

    /** Has a serializer and a deserializer of Jackson on an ID, and on the IDs of a list. */
    private final Class<?> withOtherAnnotations;

    /** Has them on the list. */
    private final Class<?> replaced;

    JsonContract(Mapper mapper, Class<?> withOtherAnnotations, Class<?> replaced) {
        this.mapper = mapper;
        this.withOtherAnnotations = withOtherAnnotations;
        this.replaced = replaced;
    }

    /** Returns the module that an auto-configuration adds to mappers. */
    static <M> M module(Class<?> autoConfiguration, Class<M> type) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(PublicIds.class, () -> PUBLIC_IDS);
        context.register(autoConfiguration);
        context.refresh();
        return context.getBean(type);
    }

    record Basket(
            @PublicId("order") Long id,
            @PublicId("line") List<Long> lines,
            @PublicId("invoice") long[] invoices,
            @PublicId("parcel") Map<String, Long> parcels,
            @PublicId("till") BigInteger till,
            @IdText(IdFormat.CROCKFORD) long ticket) {}

    @Test
    void nothingButTextIsRead() {
        for (String bad : List.of("7", "[7]", "[[7]]", "[\"7\"]", "7.5", "true", "{}", "[]", "{\"id\":7}")) {
            for (String attribute : List.of(
                    "{\"id\":%s}",
                    "{\"lines\":[%s]}",
                    "{\"invoices\":[%s]}",
                    "{\"parcels\":{\"x\":%s}}",
                    "{\"till\":%s}",
                    "{\"ticket\":%s}")) {
                assertThatThrownBy(() -> mapper.read(attribute.formatted(bad), Basket.class))
                        .as(attribute.formatted(bad))
                        .hasMessageStartingWith("Cannot deserialize value of type `");
            }
        }
    }

    @Test
    void theFormComesBeforeSerializersOfJackson() throws Exception {
        String json = "{\"id\":\"%s\",\"lines\":[\"%s\"]}"
                .formatted(PUBLIC_IDS.encode("order", 7), PUBLIC_IDS.encode("line", 8));

        Object read = mapper.read(json, withOtherAnnotations);

        assertThat(read).hasToString(withOtherAnnotations.getSimpleName() + "[id=7, lines=[8]]");
        assertThat(mapper.write(read)).isEqualTo(json);
    }

    /** It would write and read the numbers of a list by itself. */
    @Test
    void aSerializerOfSeveralIdsIsAnError() throws Exception {
        String message =
                "@PublicId(\"line\") of an attribute has no effect, because the attribute has another serializer or deserializer.";

        Object some = replaced.getDeclaredConstructors()[0].newInstance(List.of(7L));

        assertThatThrownBy(() -> mapper.write(some)).hasMessageStartingWith(message);
        assertThatThrownBy(() -> mapper.read("{\"lines\":[\"7\"]}", replaced)).hasMessageStartingWith(message);
    }

    record OfNothing(@PublicId("") Long id, String name) {}

    record OfWhole(@PublicId("order") double id) {}

    record OfDigits(@PublicId("order") String id, String name) {}

    record OfNested(@PublicId("order") List<List<Long>> ids) {}

    /** Otherwise, Spring would answer 400, as if the JSON of the client were wrong. */
    @Test
    void whatIsWrittenWrongIsABadDefinition() {
        assertThatThrownBy(() -> mapper.write(new OfNothing(7L, "x")))
                .hasStackTraceContaining("the type of a public ID must have 1 to 64 bytes, but \"\" has 0");
        assertThatDefinitionIsBad(
                OfWhole.class,
                "{\"id\":7}",
                "@PublicId(\"order\") of an attribute is on a double, which does not hold IDs.");
        assertThatDefinitionIsBad(
                OfDigits.class,
                "{\"id\":7}",
                "@PublicId(\"order\") of an attribute is on a java.lang.String, which does not hold IDs.");
        assertThatDefinitionIsBad(
                OfNested.class,
                "{\"ids\":[[7]]}",
                "@PublicId(\"order\") of an attribute is on a java.util.List<java.util.List<java.lang.Long>>, which does not hold IDs.");
    }

    record OfMaybe(@PublicId("order") OptionalLong id) {}

    record OfMaybeInt(@PublicId("order") OptionalInt id) {}

    record OfStream(@PublicId("order") Stream<Long> ids) {}

    record OfLongs(@PublicId("order") LongStream ids) {}

    record OfIterator(@PublicId("order") Iterator<Long> ids) {}

    record OfReference(@PublicId("order") AtomicReference<Long> id) {}

    record OfText(@IdText(IdFormat.CROCKFORD) OptionalLong id) {}

    /** Jackson would write the numbers, because such a type does not use an attribute's serializer for its elements. */
    @Test
    void aTypeThatIsNotSupportedIsAnError() {
        for (Object each : List.of(
                new OfMaybe(OptionalLong.of(7)),
                new OfMaybeInt(OptionalInt.of(7)),
                new OfStream(Stream.of(7L)),
                new OfLongs(LongStream.of(7)),
                new OfIterator(List.of(7L).iterator()),
                new OfReference(new AtomicReference<>(7L)),
                new OfText(OptionalLong.of(7)))) {
            String name = each.getClass().getRecordComponents()[0].getName();
            assertThatThrownBy(() -> mapper.write(each))
                    .as("%s", each)
                    .hasMessageContaining(" of an attribute is on a ")
                    .hasMessageContaining(", which does not hold IDs.");
            for (String json : List.of("{\"%s\":7}", "{\"%s\":[7]}", "{\"%s\":\"7\"}")) {
                assertThatThrownBy(() -> mapper.read(json.formatted(name), each.getClass()))
                        .as("%s of %s", each.getClass(), json)
                        .hasMessageContaining(", which does not hold IDs.");
            }
        }
    }

    final void assertThatDefinitionIsBad(Class<?> type, String json, String message) {
        assertThatThrownBy(() -> mapper.read(json, type))
                .hasMessageStartingWith(message)
                .hasRootCauseInstanceOf(ConfigurationException.class)
                .extracting(failure -> failure.getClass().getSimpleName())
                .isEqualTo("InvalidDefinitionException");
    }

    @Test
    void nullIsNoError() throws Exception {
        assertThat(mapper.read("{\"ids\":null}", OfNested.class).ids()).isNull();
    }
}
