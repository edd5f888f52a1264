package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIdentityReference;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonProperty;
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
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where an id stands for its object, or is all that there is of it, it is text as well. */
abstract class ObjectContract extends JsonContract {

    ObjectContract(Mapper mapper, Class<?> beside, Class<?> replaced) {
        super(mapper, beside, replaced);
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    static class Node {

        @PublicId("order")
        public long id;

        public Node next;

        @JsonIdentityReference(alwaysAsId = true)
        public Node root;
    }

    @Test
    void anObjectIsReferredToByText() throws Exception {
        Node node = new Node();
        node.id = 7;
        node.next = node;
        node.root = node;
        String text = PUBLIC_IDS.encode("order", 7);
        String json = "{\"id\":\"%s\",\"next\":\"%s\",\"root\":\"%s\"}".formatted(text, text, text);

        assertThat(mapper.write(node)).isEqualTo(json);
        Node read = mapper.read(json, Node.class);

        assertThat(read.id).isEqualTo(7);
        assertThat(read.next).isSameAs(read);
        assertThat(read.root).isSameAs(read);
        for (String bad : List.of("{\"id\":7}", json.replace("next\":\"" + text + "\"", "next\":7"), "7")) {
            assertThatNoNumberIsRead(bad, Node.class);
        }
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    record Part(@PublicId("line") Long id, String name) {}

    record Whole(
            List<Part> parts,
            @JsonIdentityReference(alwaysAsId = true) List<Part> best) {}

    @Test
    void recordsAreReferredToByText() throws Exception {
        Part part = new Part(7L, "x");
        String text = PUBLIC_IDS.encode("line", 7);
        String json =
                "{\"parts\":[{\"id\":\"%s\",\"name\":\"x\"},\"%s\"],\"best\":[\"%s\"]}".formatted(text, text, text);

        assertThat(mapper.write(new Whole(List.of(part, part), List.of(part)))).isEqualTo(json);
        assertThat(mapper.read(json, Whole.class)).isEqualTo(new Whole(List.of(part, part), List.of(part)));
        assertThatNoNumberIsRead(json.replace("[\"" + text + "\"]", "[7]"), Whole.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(Cat.class))
    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    abstract static class Animal {

        @IdText(IdFormat.CROCKFORD)
        public long id;

        public Animal friend;
    }

    @JsonTypeName("cat")
    static class Cat extends Animal {}

    @Test
    void objectsOfSubclassesAreReferredToByText() throws Exception {
        Cat cat = new Cat();
        cat.id = 7;
        cat.friend = cat;
        String json = "{\"@type\":\"cat\",\"id\":\"0000000000007\",\"friend\":\"0000000000007\"}";

        assertThat(mapper.write(cat)).isEqualTo(json);
        Animal read = mapper.read(json, Animal.class);

        assertThat(read.friend).isSameAs(read);
        assertThatNoNumberIsRead(json.replace("friend\":\"0000000000007\"", "friend\":7"), Animal.class);
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    record Digits(@IdAsString long id) {}

    @Test
    void anObjectIsReferredToByDigits() throws Exception {
        Digits digits = new Digits(1541815603606036481L);
        String json = "[{\"id\":\"1541815603606036481\"},\"1541815603606036481\"]";

        assertThat(mapper.write(List.of(digits, digits))).isEqualTo(json);
        assertThat(mapper.read(json, Digits[].class)).containsExactly(digits, digits);
        assertThat(mapper.read("[{\"id\":7},7]", Digits[].class)).containsExactly(new Digits(7), new Digits(7));
    }

    static class Plain {

        @PublicId("order")
        public long id;
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

    /** There Jackson has no hook. */
    @Test
    void identityOfAnAttributeIsAnError() throws Exception {
        Referring one = new Referring();
        one.order = new Plain();
        Referring several = new Referring();
        several.orders = List.of(new Plain());
        String message =
                "@PublicId(\"order\") of an attribute is passed by where Referring.%s has @JsonIdentityInfo: let that stand on the class that has the id, instead.";

        assertThatThrownBy(() -> mapper.write(one)).hasMessageStartingWith(message.formatted("order"));
        assertThatThrownBy(() -> mapper.write(several)).hasMessageStartingWith(message.formatted("orders"));
        assertThatDefinitionIsBad(Referring.class, "{\"order\":7}", message.formatted("order"));
        assertThatDefinitionIsBad(Referring.class, "{\"orders\":[{\"id\":7}]}", message.formatted("orders"));
        assertThatDefinitionIsBad(Referring.class, "{\"stray\":7}", message.formatted("stray"));
        assertThat(mapper.write(new Plain())).isEqualTo("{\"id\":\"%s\"}".formatted(PUBLIC_IDS.encode("order", 0)));
    }

    static class Around {

        @JsonUnwrapped
        public Plain order = new Plain();

        public Plain that = new Plain();
    }

    @Test
    void attributesOfAnUnwrappedObjectAreText() throws Exception {
        String text = PUBLIC_IDS.encode("order", 7);
        String json = "{\"id\":\"%s\",\"that\":{\"id\":\"%s\"}}".formatted(text, text);

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

    record OrderId(@PublicId("order") @JsonValue long value) {}

    static final class LineId {

        private final Long value;

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        LineId(@PublicId("line") Long value) {
            this.value = value;
        }

        @JsonValue
        @PublicId("line")
        Long value() {
            return value;
        }
    }

    record Till(BigInteger value) {

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Till of(@PublicId("till") BigInteger value) {
            return new Till(value);
        }

        @JsonValue
        @PublicId("till")
        @Override
        public BigInteger value() {
            return value;
        }
    }

    record Ticket(@IdText(IdFormat.CROCKFORD) @JsonValue int value) {}

    record Holder(OrderId order, List<LineId> lines, Till till, Ticket ticket) {}

    @Test
    void anObjectThatIsAnIdIsText() throws Exception {
        String json = "{\"order\":\"%s\",\"lines\":[\"%s\"],\"till\":\"%s\",\"ticket\":\"0000000000009\"}"
                .formatted(PUBLIC_IDS.encode("order", 7), PUBLIC_IDS.encode("line", 8), PUBLIC_IDS.encode("till", 9));

        Holder read = mapper.read(json, Holder.class);

        assertThat(read.order()).isEqualTo(new OrderId(7));
        assertThat(read.lines()).extracting(LineId::value).containsExactly(8L);
        assertThat(read.till()).isEqualTo(new Till(BigInteger.valueOf(9)));
        assertThat(read.ticket()).isEqualTo(new Ticket(9));
        assertThat(mapper.write(read)).isEqualTo(json);
        for (String bad : List.of(
                "7", "[7]", "\"7\"", "7.5", "1541815603606036481", "15418156036060364810", "true", "{}", "\"\"")) {
            for (Class<?> type : List.of(OrderId.class, LineId.class, Till.class, Ticket.class)) {
                assertThatNoNumberIsRead(bad, type);
            }
        }
        assertThat(mapper.read("{\"order\":null}", Holder.class).order()).isNull();
    }

    record Both(@PublicId("order") long id) {

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Both {}
    }

    static class WithConstructor {

        @PublicId("order")
        public long id;

        public WithConstructor() {}

        public WithConstructor(long id) {
            this.id = id;
        }
    }

    /** Jackson finds such constructors by itself. */
    @Test
    void aConstructorMakesNoObjectOfANumber() throws Exception {
        String text = PUBLIC_IDS.encode("order", 7);

        assertThat(mapper.read("\"" + text + "\"", Both.class)).isEqualTo(new Both(7));
        assertThatNoNumberIsRead("7", Both.class);
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

    @Test
    void anObjectThatIsSeveralIdsIsTextsOrAnError() throws Exception {
        assertThat(mapper.read("[\"%s\"]".formatted(PUBLIC_IDS.encode("order", 7)), Orders.class))
                .isEqualTo(new Orders(List.of(7L)));
        assertThatNoNumberIsRead("[7]", Orders.class);
        assertThat(mapper.read("{\"x\":\"%s\"}".formatted(PUBLIC_IDS.encode("parcel", 7)), Parcels.class))
                .isEqualTo(new Parcels(Map.of("x", 7L)));
        assertThatNoNumberIsRead("{\"x\":7}", Parcels.class);
        assertThat(mapper.write(new Array(new long[] {7})))
                .isEqualTo("[\"%s\"]".formatted(PUBLIC_IDS.encode("order", 7)));
        assertThatNoNumberIsRead("[7]", Array.class);
        assertThatNoNumberIsRead("[7]", Several.class);
        assertThatThrownBy(() -> mapper.write(new Several(List.of(7L))))
                .hasMessageStartingWith(
                        "@PublicId(\"order\") of an attribute has no effect on a java.util.List<java.lang.Long> with @JsonValue: let @JsonValue stand on one id or a long[].");
    }

    record Unmarked(@PublicId("order") long value) {

        Unmarked(long value) {
            this.value = value;
        }

        @JsonValue
        @Override
        public long value() {
            return value;
        }
    }

    /** What is declared by hand does not have the annotations of the component. */
    @Test
    void anIdThatIsNotMarkedWhereJacksonLooksIsAnError() {
        assertThatThrownBy(() -> mapper.write(new Unmarked(7)))
                .hasMessageStartingWith(
                        "@PublicId(\"order\") of an attribute does not stand on Unmarked.value, which has @JsonValue: annotate that as well.");
        for (String bad : List.of("7", "\"7\"")) {
            assertThatDefinitionIsBad(
                    Unmarked.class,
                    bad,
                    "@PublicId(\"order\") of an attribute does not stand on the parameter of the creator of Unmarked: annotate that as well.");
        }
    }

    @Test
    void anIdIsNoKeyOfAMap() {
        assertThatThrownBy(() -> mapper.write(Map.of(new OrderId(7), "x")))
                .hasMessageStartingWith(
                        "@PublicId(\"order\") of an attribute on OrderId.value has no effect on keys of a map: let the keys be texts.");
    }

    /** The field alone has the annotation, and a constructor or a factory method sets it. */
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
                        "@PublicId(\"order\") of an attribute stands on an any-setter: declare an attribute for the id, or a map.");
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
    void typeInformationBesideAnIdIsAnError() {
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

    private void assertThatNoNumberIsRead(String json, Class<?> type) {
        assertThatThrownBy(() -> mapper.read(json, type))
                .as("%s of %s", type, json)
                .extracting(failure -> failure.getClass().getSimpleName())
                .isIn("MismatchedInputException", "InvalidFormatException", "ValueInstantiationException");
    }
}
