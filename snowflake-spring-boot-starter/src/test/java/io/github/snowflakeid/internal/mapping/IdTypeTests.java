package io.github.snowflakeid.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigInteger;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdTypeTests {

    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {}

    @Marked
    record OrderId(Long value) {}

    record Number(int value) {}

    record Code(String value) {}

    record Big(BigInteger value) {}

    @Marked
    static class Identifier<T> {

        private final long value;

        Identifier(long value) {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
            this.value = value;
        }

        public long getValue() {
            return value;
        }
    }

    static final class CustomerId extends Identifier<String> {

        static final CustomerId NONE = new CustomerId(0);

        CustomerId(long value) {
            super(value);
        }
    }

    @Marked
    static final class ParcelId {

        private Long value;

        @SuppressWarnings("unused") // Required by JPA.
        ParcelId() {}

        ParcelId(Long value) {
            this.value = value;
        }
    }

    record Money(long amount, String currency) {}

    record Nested(OrderId id) {}

    record Flag(boolean value) {}

    abstract static class AbstractId {

        private final long value;

        AbstractId(long value) {
            this.value = value;
        }

        long value() {
            return value;
        }
    }

    static class WithoutConstructor {

        Long value;
    }

    enum Colour {
        RED
    }

    @ParameterizedTest
    @ValueSource(classes = {long.class, Long.class, int.class, Integer.class, String.class, BigInteger.class})
    void plainTypeHoldsAnIdItself(Class<?> type) {
        IdType idType = IdType.of(type);

        assertThat(idType.isTyped()).isFalse();
        assertThat(idType.plainType()).isEqualTo(type);
        assertThat(idType.convert(42)).hasToString("42");
        assertThat(idType.isSet(idType.convert(42))).isTrue();
        assertThat(idType.isSet(null)).isFalse();
        assertThat(idType.isSet(idType.convert(0))).isEqualTo(!type.isPrimitive());
        assertThat(idType.annotation(Marked.class)).isNull();
        assertThat(IdType.plain(type)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OrderId.class,
                Number.class,
                Code.class,
                Big.class,
                Identifier.class,
                CustomerId.class,
                ParcelId.class
            })
    void typeWithOnePlainComponentWrapsAnId(Class<?> type) {
        IdType idType = IdType.of(type);

        Object id = idType.convert(42);

        assertThat(id).isExactlyInstanceOf(type);
        assertThat(idType.unwrap(id)).hasToString("42");
        assertThat(idType.unwrap(idType.wrap(idType.unwrap(id)))).hasToString("42");
        assertThat(idType.isTyped()).isTrue();
        assertThat(idType.javaType()).isEqualTo(type);
        assertThat(IdType.plain(type)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                UUID.class,
                AtomicLong.class,
                Money.class,
                Nested.class,
                Flag.class,
                AbstractId.class,
                WithoutConstructor.class,
                Colour.class,
                Runnable.class,
                Object.class,
                long[].class
            })
    void otherTypeHoldsNoId(Class<?> type) {
        assertThat(IdType.of(type)).isNull();
    }

    @Test
    void typeThatHoldsNothingIsNotSet() {
        IdType idType = IdType.of(OrderId.class);

        assertThat(idType.isSet(null)).isFalse();
        assertThat(idType.isSet(new OrderId(null))).isFalse();
        assertThat(idType.isSet(new OrderId(0L))).isTrue();
        assertThat(IdType.of(CustomerId.class).isSet(CustomerId.NONE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(classes = {OrderId.class, Identifier.class, CustomerId.class, ParcelId.class})
    void annotationOfTheTypeIsFound(Class<?> type) {
        assertThat(IdType.of(type).annotation(Marked.class)).isNotNull();
        assertThat(IdType.of(type).annotation(SnowflakeId.class)).isNull();
    }

    @SnowflakeId
    record Marks(Long value) {}

    @PublicId("order")
    record PublicMarks(long value) {}

    @IdAsString
    record TextMarks(String value) {}

    @ParameterizedTest
    @ValueSource(classes = {Marks.class, PublicMarks.class, TextMarks.class})
    void annotationMarksTheType(Class<?> type) {
        assertThat(IdType.of(type).isMarked()).isTrue();
        assertThat(IdType.of(OrderId.class).isMarked()).isFalse();
        assertThat(IdType.of(Long.class).isMarked()).isFalse();
    }

    record Created(@PublicId("order") long value) {}

    static final class Read {

        private final long value;

        Read(long value) {
            this.value = value;
        }

        @SnowflakeId
        public long getValue() {
            return value;
        }
    }

    static final class Constructed {

        @SuppressWarnings("unused") // Makes the class one with an attribute.
        private final long value;

        Constructed(@IdAsString long value) {
            this.value = value;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Created.class, Read.class, Constructed.class})
    void annotatedComponentMakesTheTypeAnObject(Class<?> type) {
        assertThat(IdType.of(type)).isNull();
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> IdType.of(type, "id", "Order", "@SnowflakeId"))
                .withMessage("Attribute 'id' of Order is no ID: the annotation is on 'value' of " + type.getName()
                        + ", which makes only that attribute an ID, not its class")
                .satisfies(rejected -> assertThat(rejected.action().orElseThrow())
                        .endsWith("record " + type.getSimpleName() + "(long value) {}"));
    }

    @SnowflakeId
    static class Several {

        Long first;
        Long second;
    }

    @Test
    void annotationOfATypeThatWrapsNoIdIsRejected() {
        for (Class<?> type : List.of(Several.class, OfSeveral.class)) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> new SnowflakeIdMembers().in(type))
                    .withMessage(
                            type.getName()
                                    + " cannot be an ID, as @SnowflakeId, @PublicId or @IdAsString on the class declares: it is an entity, or has several attributes");
        }
        assertThat(new SnowflakeIdMembers().in(Marks.class)).containsOnlyKeys("value");
        assertThat(new SnowflakeIdMembers().in(PublicMarks.class)).isEmpty();
    }

    static class OfSeveral extends Several {}

    record Texts(
            @SnowflakeId String decimal,
            @SnowflakeId(text = SnowflakeId.Text.CROCKFORD) String crockford) {}

    @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
    record CrockfordId(String value) {}

    private static SnowflakeId annotation(String attribute) throws NoSuchFieldException {
        return Texts.class.getDeclaredField(attribute).getAnnotation(SnowflakeId.class);
    }

    @Test
    void annotationOfTheAttributeOrTheTypeChoosesTheText() throws NoSuchFieldException {
        IdType decimal = IdType.of(String.class).withText(annotation("decimal"), "id", "Order");
        IdType crockford = IdType.of(String.class).withText(annotation("crockford"), "id", "Order");
        IdType ofAttribute = IdType.of(Code.class).withText(annotation("crockford"), "id", "Order");
        IdType ofType = IdType.of(CrockfordId.class).withText(annotation("decimal"), "id", "Order");

        assertThat(decimal.convert(42)).isEqualTo("42");
        assertThat(crockford.convert(42)).isEqualTo("000000000001A");
        assertThat(crockford.convert(Long.MAX_VALUE)).isEqualTo("7ZZZZZZZZZZZZ");
        assertThat(ofAttribute.convert(42)).isEqualTo(new Code("000000000001A"));
        assertThat(ofType.convert(42)).isEqualTo(new CrockfordId("000000000001A"));
    }

    @ParameterizedTest
    @ValueSource(classes = {long.class, Long.class, Integer.class, BigInteger.class, OrderId.class})
    void formOfTextIsRejectedForNumbers(Class<?> type) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> IdType.of(type).withText(annotation("crockford"), "id", "Order"))
                .withMessageStartingWith("Attribute 'id' of Order holds a ")
                .withMessageEndingWith(", but 'text = SnowflakeId.Text.CROCKFORD' applies only to a String");
    }

    @Test
    void constructorMayRejectTheValue() {
        IdType idType = IdType.of(CustomerId.class);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> idType.convert(-1))
                .withMessage("negative");
    }

    @Test
    void typeOfIntegersHasNoRoomForMore() {
        IdType idType = IdType.of(Number.class);

        assertThat(idType.isInteger()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> idType.convert(1L << 31))
                .withMessage("2147483648 does not fit into an Integer");
    }
}
