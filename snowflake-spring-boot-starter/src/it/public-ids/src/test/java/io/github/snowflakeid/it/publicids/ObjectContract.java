package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonGetter;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIdentityReference;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects with IDs, however Jackson is told to write and read them. */
abstract class ObjectContract extends TypedIdContract {

    ObjectContract(Mapper mapper, Class<?> withOtherAnnotations, Class<?> replaced) {
        super(mapper, withOtherAnnotations, replaced);
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    static class Node {

        @PublicId("order")
        public long id;

        public Node next;
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    record Part(@PublicId("order") Long id, String name) {}

    interface Identified {

        @PublicId("order")
        long getId();
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    record Inheriting(long id, String name) implements Identified {

        @Override
        public long getId() {
            return id;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(Cat.class))
    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    abstract static class Animal {

        @PublicId("order")
        public long id;

        public Animal friend;
    }

    @JsonTypeName("cat")
    static class Cat extends Animal {}

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    record Digits(@IdAsString long id, String name) {}

    @JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class)
    record Numbered(@PublicId("order") long id, String name) {}

    /** Jackson would write and read the number of an object that it has already seen. */
    @Test
    void identityByAnIdIsAnError() throws Exception {
        String message =
                "%s of an attribute is combined with @JsonIdentityInfo, which lets Jackson write and read the number: remove one of the two.";
        for (Object each :
                List.of(new Node(), new Part(7L, "x"), new Inheriting(7, "x"), new Cat(), new Digits(7, "x"))) {
            String expected = message.formatted(each instanceof Digits ? "@IdAsString" : "@PublicId(\"order\")");

            assertThatThrownBy(() -> mapper.write(each)).hasMessageStartingWith(expected);
            assertThatThrownBy(() -> mapper.write(List.of(each, each))).hasMessageStartingWith(expected);
            for (String json : List.of("7", "\"7\"", "{\"id\":7}")) {
                assertThatDefinitionIsBad(each.getClass(), json, expected);
            }
        }
        assertThatDefinitionIsBad(Animal.class, "7", message.formatted("@PublicId(\"order\")"));
        assertThat(mapper.write(new Numbered(7, "x"))).contains(PUBLIC_IDS.encode("order", 7));
    }

    static class Plain {

        @PublicId("order")
        public long id;

        public String name;
    }

    static class Referring {

        @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
        @JsonIdentityReference(alwaysAsId = true)
        public Plain order;

        @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
        public List<Plain> orders = List.of();

        @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
        public Stray stray;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(Dog.class))
    abstract static class Stray {

        @PublicId("order")
        public long id;
    }

    static class Dog extends Stray {}

    @Test
    void identityOfAnAttributeIsAnError() throws Exception {
        Referring one = new Referring();
        one.order = new Plain();
        Referring several = new Referring();
        several.orders = List.of(new Plain());
        String message =
                "@PublicId(\"order\") of an attribute is combined with @JsonIdentityInfo, which lets Jackson write and read the number: remove one of the two.";

        assertThatThrownBy(() -> mapper.write(one)).hasMessageStartingWith(message);
        assertThatThrownBy(() -> mapper.write(several)).hasMessageStartingWith(message);
        assertThatDefinitionIsBad(Referring.class, "{\"order\":7}", message);
        assertThatDefinitionIsBad(Referring.class, "{\"orders\":[{\"id\":7}]}", message);
        assertThatDefinitionIsBad(Referring.class, "{\"stray\":7}", message);
        assertThat(mapper.write(new Plain()))
                .isEqualTo("{\"id\":\"%s\",\"name\":null}".formatted(PUBLIC_IDS.encode("order", 0)));
    }

    static class Around {

        @JsonUnwrapped
        public Plain order = new Plain();

        public Plain that = new Plain();
    }

    @Test
    void attributesOfAnUnwrappedObjectAreText() throws Exception {
        String text = PUBLIC_IDS.encode("order", 7);
        String json = "{\"id\":\"%s\",\"name\":\"x\",\"that\":{\"id\":\"%s\",\"name\":\"y\"}}".formatted(text, text);

        Around read = mapper.read(json, Around.class);

        assertThat(read.order.id).isEqualTo(7);
        assertThat(mapper.write(read)).isEqualTo(json);
        assertThatNoNumberIsRead("{\"id\":7}", Around.class);
    }

    static class Parent {

        @PublicId("order")
        public Long id;

        @JsonManagedReference
        public List<Child> lines = List.of();
    }

    static class Child {

        @PublicId("line")
        public Long id;

        @JsonBackReference
        public Parent parent;
    }

    @Test
    void objectsThatReferToEachOtherAreRead() throws Exception {
        String json = "{\"id\":\"%s\",\"lines\":[{\"id\":\"%s\"},{\"id\":null}]}"
                .formatted(PUBLIC_IDS.encode("order", 7), PUBLIC_IDS.encode("line", 8));

        Parent read = mapper.read(json, Parent.class);

        assertThat(read.lines).extracting(line -> line.id).containsExactly(8L, null);
        assertThat(read.lines).allSatisfy(line -> assertThat(line.parent).isSameAs(read));
        assertThat(mapper.write(read)).isEqualTo(json);
    }

    static class WithConstructor {

        @PublicId("order")
        public long id;

        public String name;

        public WithConstructor() {}

        public WithConstructor(long id) {
            this.id = id;
        }
    }

    /** Jackson finds such constructors by itself. */
    @Test
    void constructorCreatesNoObjectFromANumber() throws Exception {
        String text = PUBLIC_IDS.encode("order", 7);

        assertThat(mapper.read("{\"id\":\"" + text + "\"}", WithConstructor.class).id)
                .isEqualTo(7);
        assertThatNoNumberIsRead("7", WithConstructor.class);
        assertThatNoNumberIsRead("\"7\"", WithConstructor.class);
    }

    record Orders(List<Long> ids) {

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Orders of(@PublicId("order") List<Long> ids) {
            return new Orders(ids);
        }
    }

    record Parcels(Map<String, Long> ids) {

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Parcels of(@PublicId("parcel") Map<String, Long> ids) {
            return new Parcels(ids);
        }
    }

    record Several(@PublicId("order") @JsonValue List<Long> ids) {}

    record Array(@PublicId("order") @JsonValue long[] ids) {}

    record Ticket(@IdText(IdFormat.CROCKFORD) @JsonValue int value) {}

    record Hidden(@PublicId("order") long id, String name) {

        @JsonValue
        long number() {
            return id;
        }
    }

    /** Jackson does not use the serializers of such a value's elements, nor of the other attributes. */
    @Test
    void valueInsteadOfAttributesIsAnError() {
        for (Object each :
                List.of(new Several(List.of(7L)), new Array(new long[] {7}), new Ticket(7), new Hidden(7, "x"))) {
            assertThatThrownBy(() -> mapper.write(each))
                    .hasMessageContaining(
                            " of an attribute is combined with @JsonValue, which lets Jackson write and read the number: remove one of the two.");
        }
        for (String bad : List.of("7", "[7]")) {
            for (Class<?> type : List.of(Several.class, Array.class, Ticket.class, Hidden.class)) {
                assertThatThrownBy(() -> mapper.read(bad, type))
                        .as("%s of %s", type, bad)
                        .isNotNull();
            }
        }
    }

    @Test
    void delegatingCreatorIsAnError() {
        String message = "@PublicId(\"%s\") of an attribute is combined with a delegating creator, which lets Jackson";

        assertThatDefinitionIsBad(Orders.class, "[7]", message.formatted("order"));
        assertThatDefinitionIsBad(Parcels.class, "{\"x\":7}", message.formatted("parcel"));
    }

    @Test
    void classWithIdsIsNoKeyOfAMap() {
        assertThatThrownBy(() -> mapper.write(Map.of(new Part(7L, "x"), "x")))
                .hasMessageStartingWith(
                        "@PublicId(\"order\") of an attribute is combined with the use of its class as a map key, which lets Jackson");
        assertThatThrownBy(() -> mapper.write(Map.of(new Hidden(7, "x"), "x")))
                .hasMessageContaining("the use of its class as a map key");
    }

    record OfPart(Map<Part, String> names) {}

    @Test
    void classWithIdsIsNoKeyThatIsRead() {
        assertThatDefinitionIsBad(
                OfPart.class,
                "{\"names\":{\"7\":\"x\"}}",
                "@PublicId(\"order\") of an attribute is combined with the use of its class as a map key");
    }

    record Keys(
            @PublicId("order") Map<Long, String> names,
            @PublicId("order") Map<Long, Long> numbers,
            @IdAsString Map<Long, String> digits) {}

    @Test
    void idsAreKeysOfAMap() throws Exception {
        Keys keys = new Keys(Map.of(7L, "x"), Map.of(7L, 7L), Map.of(7L, "x"));
        String json = "{'names':{'%1$s':'x'},'numbers':{'%1$s':'%1$s'},'digits':{'7':'x'}}"
                .formatted(PUBLIC_IDS.encode("order", 7))
                .replace('\'', '"');

        assertThat(mapper.write(keys)).isEqualTo(json);
        assertThat(mapper.read(json, Keys.class)).isEqualTo(keys);
        assertThatNoNumberIsRead("{\"names\":{\"7\":\"x\"}}", Keys.class);
        assertThatNoNumberIsRead("{\"digits\":{\"7.5\":\"x\"}}", Keys.class);
    }

    /** Only the field is annotated, and a constructor or a factory method sets it. */
    public static class Final {

        @PublicId("order")
        private final long id;

        @PublicId("line")
        private final List<Long> lines;

        @IdAsString
        private final long number;

        public Final(long id, List<Long> lines, long number) {
            this.id = id;
            this.lines = lines;
            this.number = number;
        }

        public long getId() {
            return id;
        }

        public List<Long> getLines() {
            return lines;
        }

        public long getNumber() {
            return number;
        }
    }

    public static class FinalWithCreator extends Final {

        @JsonCreator
        public FinalWithCreator(long id, List<Long> lines, long number) {
            super(id, lines, number);
        }
    }

    public static class FinalWithNames extends Final {

        @JsonCreator
        public FinalWithNames(
                @JsonProperty("id") long first,
                @JsonProperty("lines") List<Long> second,
                @JsonProperty("number") long third) {
            super(first, second, third);
        }
    }

    public static final class FinalWithFactory extends Final {

        private FinalWithFactory(long first, List<Long> second, long third) {
            super(first, second, third);
        }

        @JsonCreator
        static FinalWithFactory of(long id, List<Long> lines, long number) {
            return new FinalWithFactory(id, lines, number);
        }
    }

    @Test
    void aFinalFieldHandsItsAnnotationToTheConstructor() throws Exception {
        String json = "{\"id\":\"%s\",\"lines\":[\"%s\"],\"number\":\"9\"}"
                .formatted(PUBLIC_IDS.encode("order", 7), PUBLIC_IDS.encode("line", 8));
        for (Class<? extends Final> type :
                List.of(Final.class, FinalWithCreator.class, FinalWithNames.class, FinalWithFactory.class)) {
            Final read = mapper.read(json, type);

            assertThat(read.getId()).as("%s", type).isEqualTo(7);
            assertThat(read.getLines()).containsExactly(8L);
            assertThat(read.getNumber()).isEqualTo(9);
            assertThat(mapper.write(read)).isEqualTo(json);
            for (String bad : List.of(
                    "{\"id\":42}",
                    "{\"id\":\"42\"}",
                    "{\"lines\":[42]}",
                    "{\"lines\":[\"42\"]}",
                    "{\"number\":1.5}",
                    "{\"number\":\"\"}")) {
                assertThatNoNumberIsRead(bad, type);
            }
        }
    }

    record Canonical(@PublicId("order") long id, String name) {

        @JsonCreator
        Canonical(long id, String name) {
            this.id = id;
            this.name = name;
        }
    }

    public static class FinalOfOne {

        @PublicId("order")
        private final long id;

        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        public FinalOfOne(@JsonProperty("id") long id) {
            this.id = id;
        }

        public long id() {
            return id;
        }
    }

    @Test
    void aParameterHasTheAnnotationOfItsFieldAlsoAlone() throws Exception {
        String json = "{\"id\":\"%s\"}".formatted(PUBLIC_IDS.encode("order", 7));

        assertThat(mapper.read(json, Canonical.class)).isEqualTo(new Canonical(7, null));
        assertThat(mapper.read(json, FinalOfOne.class).id()).isEqualTo(7);
        assertThatNoNumberIsRead("{\"id\":42}", Canonical.class);
        assertThatNoNumberIsRead("{\"id\":42}", FinalOfOne.class);
    }

    static class SetterParameter {

        private long id;

        @PublicId("order")
        public long getId() {
            return id;
        }

        @JsonProperty("alias")
        public void alias(@PublicId("order") long id) {
            this.id = id;
        }
    }

    @Test
    void theParameterOfASetterMayHaveTheAnnotation() throws Exception {
        String json = "{\"alias\":\"%s\"}".formatted(PUBLIC_IDS.encode("order", 7));

        assertThat(mapper.read(json, SetterParameter.class).getId()).isEqualTo(7);
        assertThatNoNumberIsRead("{\"alias\":7}", SetterParameter.class);
    }

    /** With the methods that Lombok generates. */
    static class ShortPrefix {

        @PublicId("order")
        private long pId = 7;

        public long getPId() {
            return pId;
        }

        public void setPId(long pId) {
            this.pId = pId;
        }
    }

    static class NamedMethods {

        @PublicId("order")
        private long id = 7;

        @JsonGetter("id")
        public long fetch() {
            return id;
        }

        @JsonSetter("id")
        public void put(long id) {
            this.id = id;
        }
    }

    interface WithSetter {

        void setId(@PublicId("order") long id);
    }

    static class OfInterface implements WithSetter {

        private long id = 7;

        public long getId() {
            return id;
        }

        @Override
        public void setId(long id) {
            this.id = id;
        }
    }

    @Test
    void annotationIsFoundWhateverTheMethodsOfItsAttributeAreCalled() throws Exception {
        String text = "\"%s\"".formatted(PUBLIC_IDS.encode("order", 7));
        for (Object value : List.of(new ShortPrefix(), new NamedMethods(), new OfInterface())) {
            String json = mapper.write(value);

            assertThat(json).endsWith(":" + text + "}");
            assertThat(mapper.write(mapper.read(json, value.getClass()))).isEqualTo(json);
            assertThatNoNumberIsRead(json.replace(text, "7"), value.getClass());
        }
    }

    static class AnyField {

        @JsonAnySetter
        @PublicId("order")
        public Map<String, Long> ids = new HashMap<>();
    }

    static class AnyMethod {

        final Map<String, Long> ids = new HashMap<>();

        @JsonAnySetter
        void set(String name, @PublicId("order") long id) {
            ids.put(name, id);
        }
    }

    static class AnyMarked {

        final Map<String, Long> ids = new HashMap<>();

        @JsonAnySetter
        @PublicId("order")
        void set(String name, long id) {
            ids.put(name, id);
        }

        @JsonAnyGetter
        @PublicId("order")
        Map<String, Long> ids() {
            return ids;
        }
    }

    @Test
    void anySetterIsAnError() {
        for (Class<?> type : List.of(AnyField.class, AnyMethod.class, AnyMarked.class)) {
            for (String json : List.of("{\"x\":7}", "{\"x\":\"" + PUBLIC_IDS.encode("order", 7) + "\"}")) {
                assertThatDefinitionIsBad(
                        type,
                        json,
                        "@PublicId(\"order\") of an attribute is on an any-setter: declare an attribute for the ID, or a map.");
            }
        }
    }

    @Test
    void anyGetterWritesTexts() throws Exception {
        AnyMarked any = new AnyMarked();
        any.set("x", 7);

        assertThat(mapper.write(any)).isEqualTo("{\"x\":\"%s\"}".formatted(PUBLIC_IDS.encode("order", 7)));
    }

    static class Typed {

        @PublicId("order")
        @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
        public Long id;

        @PublicId("line")
        @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
        public List<Long> lines;
    }

    @Test
    void typeInformationNextToAnIdIsAnError() {
        String message = "@PublicId(\"%s\") of an attribute is combined with @JsonTypeInfo";
        Typed one = new Typed();
        one.id = 7L;
        Typed several = new Typed();
        several.lines = List.of(7L);

        assertThatThrownBy(() -> mapper.write(one)).hasMessageStartingWith(message.formatted("order"));
        assertThatThrownBy(() -> mapper.write(several)).hasMessageStartingWith(message.formatted("line"));
        for (String json : List.of("[\"java.lang.Long\",7]", "7", "\"7\"")) {
            assertThatDefinitionIsBad(Typed.class, "{\"id\":%s}".formatted(json), message.formatted("order"));
            assertThatDefinitionIsBad(Typed.class, "{\"lines\":[%s]}".formatted(json), message.formatted("line"));
        }
    }

    /** The annotation is on a parameter, on the parameter of a setter, and on an attribute with another name in JSON. */
    public static class Assembled {

        private final long first;
        private long second;

        @JsonProperty("third")
        @PublicId("order")
        private long last;

        Assembled(@PublicId("order") long first) {
            this.first = first;
        }

        public void setSecond(@PublicId("order") long second) {
            this.second = second;
        }

        public static class Builder {

            private long first;
            private long second;
            private long third;

            public Builder withFirst(long first) {
                this.first = first;
                return this;
            }

            public Builder withSecond(long second) {
                this.second = second;
                return this;
            }

            public Builder withThird(long third) {
                this.third = third;
                return this;
            }

            public Assembled build() {
                Assembled built = new Assembled(first);
                built.setSecond(second);
                built.last = third;
                return built;
            }
        }
    }

    @Test
    void buildersReadPublicIdsWhereverTheAnnotationIs() throws Exception {
        for (String each : List.of("first", "second", "third")) {
            String json = "{\"%s\":\"%s\"}".formatted(each, PUBLIC_IDS.encode("order", 42));
            Assembled read = mapper.read(json, Assembled.class);
            assertThat(read.first + read.second + read.last).as(each).isEqualTo(42);
            assertThatThrownBy(() -> mapper.read("{\"%s\":42}".formatted(each), Assembled.class))
                    .as(each)
                    .isInstanceOf(Exception.class);
        }
    }

    /** A superclass of builders. */
    public abstract static class WithId<B> {

        long id;

        @SuppressWarnings("unchecked") // Like Lombok.
        public B withId(long id) {
            this.id = id;
            return (B) this;
        }
    }

    public record Disguised(@PublicId("order") long id) {

        public static class Builder extends WithId<Builder> {

            public Disguised build() {
                return new Disguised(id);
            }
        }
    }

    public record Undisguised(long id) {

        public static class Builder extends WithId<Builder> {

            public Undisguised build() {
                return new Undisguised(id);
            }
        }
    }

    @Test
    void buildersThatShareAMethodMustAgree() throws Exception {
        assertThat(mapper.read("{\"id\":7}", Undisguised.class).id()).isEqualTo(7);
        assertThatThrownBy(() -> mapper.read("{\"id\":42}", Disguised.class))
                .hasStackTraceContaining("@PublicId(\"order\") of ")
                .hasStackTraceContaining("have builders that share");
    }
}
