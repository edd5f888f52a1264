package io.github.snowflakeid.it.mapping;

import static io.github.snowflakeid.it.mapping.RowSaver.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.hibernate.SnowflakeSettings;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.List;
import java.util.function.Consumer;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** Which members the annotation may be on, which generator is used, and which mappings are rejected, on each Hibernate version. */
class AnnotatedAttributesTests {

    private final RowSaver rows = new RowSaver();

    @Test
    void getIdsOfTheGeneratorTheyName() {
        CompositeIds.Named row = save(
                with(CompositeIds.Named.class).andThen(generator("orders", 7)).andThen(generator("tickets", 8)),
                new CompositeIds.Named());

        assertThat(row.key.order).isEqualTo(7);
        assertThat(row.ticket).isEqualTo("8");
        assertThat(row.number).isEqualTo(101);
    }

    @Test
    void areFoundInClassesThatAreMappedInXml() {
        InXml row = save(configuration -> configuration.addResource("mapping/annotated.xml"), new InXml());

        assertThat(List.of(row.id, row.number, row.parcel.getTracking())).containsExactly(101L, 102L, 103L);
    }

    @Test
    void areFoundInAllClassesOfAHierarchy() {
        for (Hierarchies.Leaf row : List.of(
                save(
                        with(Hierarchies.Joined.class, Hierarchies.JoinedMiddle.class, Hierarchies.JoinedLeaf.class),
                        new Hierarchies.JoinedLeaf()),
                save(with(Hierarchies.Single.class, Hierarchies.SingleLeaf.class), new Hierarchies.SingleLeaf()),
                save(
                        with(Hierarchies.PerClass.class, Hierarchies.PerClassLeaf.class),
                        new Hierarchies.PerClassLeaf()))) {
            assertThat(row.ids()).doesNotContainNull().doesNotHaveDuplicates();
        }
    }

    @Test
    void areFoundInSecondaryTablesAndGenericSuperclasses() {
        Hierarchies.Second row =
                save(with(Hierarchies.Second.class, Hierarchies.Generic.class), new Hierarchies.Second());

        assertThat(List.of(row.id, row.number, Long.valueOf(row.text), row.parcel.tracking))
                .containsExactlyInAnyOrder(101L, 102L, 103L, 104L);
    }

    @Test
    void areFoundAtFieldAndGetterWhicheverOfThemHibernateReads() {
        ReadByField byField = save(with(ReadByField.class), new ReadByField());
        assertThat(List.of(byField.id, byField.number)).containsExactly(101L, 102L);

        ReadByGetter byGetter = save(with(ReadByGetter.class), new ReadByGetter());
        assertThat(List.of(byGetter.id, byGetter.number)).containsExactly(103L, 104L);
    }

    @Test
    void areFoundAtGettersThatAreOverridden() {
        assertThat(save(with(Hierarchies.Overriding.class, Hierarchies.Base.class), new Hierarchies.Overriding())
                        .getId())
                .isEqualTo(101);
        assertThat(save(
                                with(Hierarchies.OverridingStrategy.class, Hierarchies.BaseWithStrategy.class),
                                new Hierarchies.OverridingStrategy())
                        .getId())
                .isEqualTo(102);
    }

    @Test
    void areFoundInCompositeIdsWithoutOrOnlyInAClass() {
        assertThat(save(with(CompositeIds.TwoIds.class), new CompositeIds.TwoIds()).number)
                .isEqualTo(101);
        assertThat(save(with(CompositeIds.OnlyInClass.class), new CompositeIds.OnlyInClass()).number)
                .isEqualTo(102);
    }

    @Test
    void countAsNotSetIfTheIdClassHasAPrimitive() {
        assertThat(save(with(CompositeIds.BoxedInEntity.class), new CompositeIds.BoxedInEntity()).number)
                .isEqualTo(101);
    }

    @Test
    void keepTheIdOfTheirAssociation() {
        CompositeIds.Order order = new CompositeIds.Order();
        CompositeIds.Receipt receipt = new CompositeIds.Receipt();
        receipt.order = order;
        CompositeIds.Line line = new CompositeIds.Line();
        line.order = order;
        CompositeIds.Item item = new CompositeIds.Item();
        item.line = line;

        rows.save(
                with(
                        CompositeIds.Order.class,
                        CompositeIds.Receipt.class,
                        CompositeIds.Line.class,
                        CompositeIds.Item.class),
                List.of(order, receipt, line, item));

        assertThat(order.id).isEqualTo(101);
        assertThat(receipt.id).isEqualTo(101);
        assertThat(line.key.order).isEqualTo(101);
        assertThat(item.line.key.order).isEqualTo(101);
    }

    @Test
    void canBeKeysOfMaps() {
        assertThat(save(with(CompositeIds.Shelf.class, CompositeIds.Book.class), new CompositeIds.Shelf()).id)
                .isEqualTo(101);
    }

    @Test
    void mayHaveAGeneratedValueThatSaysTheSameOrNothing() {
        Plain row = save(with(Plain.class), new Plain());
        assertThat(row.id).isEqualTo(101);

        assertThat(save(with(Same.class), new Same()).id).isEqualTo(102);
    }

    @Test
    void mustNotHaveAContradictingGeneratedValue() {
        assertThatThrownBy(() -> save(with(InvalidEntities.Identity.class), new InvalidEntities.Identity()))
                .hasMessage(
                        "Attribute 'id' of %s has two sources of values: @SnowflakeId(\"orders\") and @GeneratedValue",
                        InvalidEntities.Identity.class.getName());
    }

    @Test
    void mustNameAnExistingGenerator() {
        assertThatThrownBy(() ->
                        save(with(CompositeIds.Named.class).andThen(generator("tickets", 8)), new CompositeIds.Named()))
                .hasMessage(
                        "Attribute 'order' of %s refers to generator 'orders', which does not exist; existing generators: 'tickets'",
                        CompositeIds.OrderKey.class.getName());
    }

    @Test
    void mustBeMapped() {
        assertThatThrownBy(() -> save(with(InvalidEntities.NotMapped.class), new InvalidEntities.NotMapped()))
                .hasMessage(
                        "Attribute 'number' of %s gets no Snowflake ID: Hibernate does not map it",
                        InvalidEntities.NotMapped.class.getName());
        assertThatThrownBy(() -> save(with(InvalidEntities.NotInserted.class), new InvalidEntities.NotInserted()))
                .hasMessage(
                        "Attribute 'number' of %s gets no Snowflake ID: its column is not insertable",
                        InvalidEntities.NotInserted.class.getName());
        assertThatThrownBy(() -> save(with(InvalidEntities.NotInherited.class), new InvalidEntities.NotInherited()))
                .hasMessage(
                        "Attribute 'number' of %s gets no Snowflake ID: Hibernate does not map it, because %s is neither an entity nor a mapped superclass",
                        InvalidEntities.NotInherited.class.getName(),
                        InvalidEntities.NotMappedSuperclass.class.getName());
    }

    @Test
    void mustNotBeEmbeddedInAnId() {
        assertThatThrownBy(() -> save(with(InvalidEntities.NestedKey.class), new InvalidEntities.NestedKey()))
                .hasMessage(
                        "Attribute 'order' of %s gets no Snowflake ID: Hibernate generates no values in nested embeddables ('order' of 'key' of %s)",
                        CompositeIds.OrderKey.class.getName(), InvalidEntities.NestedKey.class.getName());
    }

    @Test
    void mustHaveATypeThatHoldsIds() {
        assertThatThrownBy(() -> save(
                        with(InvalidEntities.OfAnotherType.class, CompositeIds.Order.class),
                        new InvalidEntities.OfAnotherType()))
                .hasMessage(
                        "Attribute 'order' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a %s",
                        InvalidEntities.OfAnotherType.class.getName(), CompositeIds.Order.class.getName());
        assertThatThrownBy(() -> save(with(InvalidEntities.OnKey.class), new InvalidEntities.OnKey()))
                .hasMessage(
                        "Attribute 'key' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a %s",
                        InvalidEntities.OnKey.class.getName(), CompositeIds.OrderKey.class.getName());
    }

    private static Consumer<Configuration> generator(String name, long id) {
        IdGenerator ids = () -> id;
        return configuration -> configuration.getProperties().put(SnowflakeSettings.idGenerator(name), ids);
    }

    private <T> T save(Consumer<Configuration> mapping, T row) {
        return rows.save(mapping, List.of(row)).get(0);
    }

    public static class InXml {
        @SnowflakeId
        Long id;

        @SnowflakeId
        Long number;

        Hierarchies.Parcel parcel = new Hierarchies.Parcel();
    }

    @Entity(name = "ReadByField")
    public static class ReadByField {
        @Id
        Long id;

        Long number;

        @SnowflakeId
        public Long getId() {
            return id;
        }

        @SnowflakeId
        public Long getNumber() {
            return number;
        }
    }

    @Entity(name = "ReadByGetter")
    public static class ReadByGetter {
        @SnowflakeId
        private Long id;

        @SnowflakeId
        private Long number;

        @Id
        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }

        public Long getNumber() {
            return number;
        }

        public void setNumber(Long number) {
            this.number = number;
        }
    }

    @Entity(name = "PlainRow")
    public static class Plain {
        @Id
        @GeneratedValue
        @SnowflakeId
        Long id;
    }

    @Entity(name = "SameRow")
    public static class Same {
        @Id
        @GeneratedValue(generator = "snowflake")
        @SnowflakeId
        Long id;
    }
}
