package io.github.snowflakeid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.failure.Failures;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.segment.InMemorySegmentStore;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** Hibernate itself, without Spring. */
class IdMappingTests {

    private static final String MISSING_GENERATOR_ACTION = """
            Define the generator, unless it is already defined:

            snowflake.enabled: true

            Create the EntityManagerFactory with Spring's LocalContainerEntityManagerFactoryBean. If you create it without Spring, set an IdGenerator:

            Persistence.createEntityManagerFactory(unit, Map.of(SnowflakeSettings.ID_GENERATOR, idGenerator))""";

    @Entity
    static class TextInNumber {

        @Id
        @SnowflakeId(value = "orders", text = SnowflakeId.Text.CROCKFORD)
        Long id;
    }

    @Test
    void rejectsAFormOfTextForANumber() {
        IdGenerator ids = () -> 1;
        assertThatAnalysis(
                catchThrowable(() -> factory(
                        Map.of(SnowflakeSettings.ID_GENERATOR, ids, SnowflakeSettings.NAMED + "orders", ids),
                        TextInNumber.class)),
                "Attribute 'id' of %s holds a java.lang.Long, but 'text = SnowflakeId.Text.CROCKFORD' applies only to a String."
                        .formatted(TextInNumber.class.getName()),
                """
                Change the type of the attribute to String, or remove 'text' from the annotation:

                @SnowflakeId("orders")""");
    }

    record MarkedValue(@PublicId("order") Long value) {}

    @Entity
    static class OfMarkedValue {

        @Id
        MarkedValue id;
    }

    @Entity
    static class OfMarkedValueWithIds {

        @Id
        @SnowflakeId
        MarkedValue id;
    }

    @Test
    void rejectsAnAnnotationOnTheComponentOfTheId() {
        for (Class<?> entity : List.of(OfMarkedValue.class, OfMarkedValueWithIds.class)) {
            Supplier<List<Class<?>>> managed = () -> List.of(entity);
            assertThatAnalysis(
                    catchThrowable(() -> factory(
                            Map.of(
                                    SnowflakeSettings.ID_GENERATOR,
                                    (IdGenerator) () -> 1,
                                    SnowflakeSettings.MANAGED_CLASSES,
                                    managed),
                            entity)),
                    "Attribute 'id' of %s is no ID: the annotation is on 'value' of %s, which makes only that attribute an ID, not its class."
                            .formatted(entity.getName(), MarkedValue.class.getName()),
                    """
                    Move the annotation to the class. For example:

                    @PublicId("order")
                    record MarkedValue(long value) {}""");
        }
    }

    @Entity
    @PublicId("tag")
    static class MarkedEntity {

        @Id
        Long id;

        MarkedEntity() {}

        MarkedEntity(Long id) {
            this.id = id;
        }
    }

    @Test
    void rejectsAnEntityThatIsAnnotatedAsAnId() {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), MarkedEntity.class)),
                "%s cannot be an ID, as @SnowflakeId, @PublicId or @IdAsString on the class declares: it is an entity, or has several attributes."
                        .formatted(MarkedEntity.class.getName()),
                """
                Move the annotation from the class to the attribute that holds the ID:

                @SnowflakeId
                private Long id;""");
    }

    @Test
    void takesIdsFromTheSetting() {
        AtomicLong last = new AtomicLong(100);
        IdGenerator ids = last::incrementAndGet;
        try (SessionFactory factory =
                factory(Map.of(SnowflakeSettings.ID_GENERATOR, ids), Order.class, Invoice.class)) {
            factory.inTransaction(session -> {
                Order order = new Order();
                session.persist(order);
                Invoice invoice = new Invoice();
                session.persist(invoice);
                session.flush();

                assertThat(order.id).isEqualTo(101);
                assertThat(invoice.id).isEqualTo(102);
                assertThat(order.number).isEqualTo("103");
            });
        }
    }

    @Test
    void aFactoryWithoutIdsReadsButDoesNotSave() {
        try (SessionFactory factory = factory(Map.of(), Order.class, Invoice.class)) {
            factory.inSession(
                    session -> assertThat(session.find(Order.class, 1L)).isNull());

            assertThatAnalysis(
                    catchThrowable(() -> factory.inTransaction(session -> session.persist(new Order()))),
                    "No Snowflake ID for attribute 'id' of %s: setting 'snowflake.id-generator' of its EntityManagerFactory is missing."
                            .formatted(Order.class.getName()),
                    MISSING_GENERATOR_ACTION);
            assertThatAnalysis(
                    catchThrowable(() -> factory.inTransaction(session -> session.persist(new Invoice()))),
                    "No Snowflake ID for attribute 'id' of %s: setting 'snowflake.id-generator' of its EntityManagerFactory is missing."
                            .formatted(Invoice.class.getName()),
                    MISSING_GENERATOR_ACTION);
        }
    }

    @Test
    void rejectsAnAttributeThatCannotHoldAnId() {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), WrongId.class)),
                "Attribute 'id' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.util.UUID."
                        .formatted(WrongId.class.getName()),
                """
                Change the type of the attribute:

                @SnowflakeId
                private Long id;""");
        assertThatAnalysis(
                catchThrowable(() ->
                        factory(Map.of(SnowflakeSettings.ID_GENERATOR, (IdGenerator) () -> 1), WrongGetter.class)),
                "Attribute 'number' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.lang.Integer."
                        .formatted(WrongGetter.class.getName()),
                """
                Change the type of the attribute:

                @SnowflakeId
                private Long number;""");
        assertThatAnalysis(
                catchThrowable(
                        () -> factory(Map.of(SnowflakeSettings.ID_GENERATOR, (IdGenerator) () -> 1), WrongNamed.class)),
                "Attribute 'orderId' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.lang.Integer."
                        .formatted(WrongNamed.class.getName()),
                """
                Change the type of the attribute:

                @Id
                @GeneratedValue(generator = "snowflake")
                private Long orderId;""");
    }

    @Test
    void integersTakeNumbersThatEndInTime() {
        try (SegmentIdGenerator numbers = numbers(Integer.MAX_VALUE);
                SessionFactory factory =
                        factory(Map.of(SnowflakeSettings.ID_GENERATOR, numbers), WrongGetter.class, WrongNamed.class)) {
            factory.inTransaction(session -> {
                WrongGetter bill = new WrongGetter();
                bill.setId("a");
                session.persist(bill);
                WrongNamed order = new WrongNamed();
                session.persist(order);
                session.flush();

                assertThat(List.of(bill.getNumber(), order.orderId)).containsExactlyInAnyOrder(1, 2);
            });
        }
    }

    @Test
    void rejectsAnIntegerForNumbersThatEndLater() {
        try (SegmentIdGenerator numbers = numbers(Integer.MAX_VALUE + 1L)) {
            Map<String, Object> settings = Map.of(SnowflakeSettings.ID_GENERATOR, numbers);
            assertThatAnalysis(
                    catchThrowable(() -> factory(settings, WrongGetter.class)),
                    "Attribute 'number' of %s is a java.lang.Integer, but its generator issues numbers up to 2147483648."
                            .formatted(WrongGetter.class.getName()),
                    """
                    Limit the numbers to the range of the attribute:

                    snowflake.segment.max-value: 2147483647

                    or change the type of the attribute:

                    @SnowflakeId
                    private Long number;""");
        }
    }

    private static SegmentIdGenerator numbers(long end) {
        return SegmentIdGenerator.builder()
                .name("numbers")
                .store(new InMemorySegmentStore())
                .maxValue(end)
                .build();
    }

    @Test
    void reportsASolutionIfHibernateWouldSetNoIds() {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), Elements.class)),
                "Attribute 'tracking' of %s gets no Snowflake ID: Hibernate generates no values in collections of embeddables ('%s.parcels')."
                        .formatted(Parcel.class.getName(), Elements.class.getName()),
                """
                Move the attribute to an entity, or set the ID when you create the object:

                tracking = idGenerator.nextId();""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), Outer.class)),
                "Attribute 'tracking' of %s gets no Snowflake ID: Hibernate generates no values in nested embeddables ('parcel' of 'inner' of %s)."
                        .formatted(Parcel.class.getName(), Outer.class.getName()),
                """
                Move the attribute to an entity, or set the ID when you create the object:

                tracking = idGenerator.nextId();""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), EmbeddedRecord.class)),
                "Component 'tracking' of record %s cannot get Snowflake IDs, because the record is embedded as 'parcel' of %s: Hibernate cannot change a record."
                        .formatted(ParcelRecord.class.getName(), EmbeddedRecord.class.getName()),
                """
                Replace the record with a class:

                @Embeddable
                public class ParcelRecord { ... }""");
    }

    static SessionFactory factory(Map<String, Object> settings, Class<?>... entities) {
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:mapping")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop");
        configuration.getProperties().putAll(settings);
        for (Class<?> entity : entities) {
            configuration.addAnnotatedClass(entity);
        }
        return configuration.buildSessionFactory();
    }

    static void assertThatAnalysis(Throwable failure, String description, String action) {
        Failures.assertThatFailure(failure, description, action);
    }

    @Entity(name = "Purchase")
    static class Order {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        String number;
    }

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        @GeneratedValue(generator = "snowflake")
        Long id;
    }

    @Entity(name = "WrongId")
    static class WrongId {
        @Id
        @SnowflakeId
        UUID id;
    }

    @Entity(name = "WrongGetter")
    static class WrongGetter {
        private String id;
        private Integer number;

        @Id
        String getId() {
            return id;
        }

        void setId(String id) {
            this.id = id;
        }

        @SnowflakeId
        Integer getNumber() {
            return number;
        }

        void setNumber(Integer number) {
            this.number = number;
        }
    }

    @Entity(name = "WrongNamed")
    static class WrongNamed {
        @Id
        @GeneratedValue(generator = "snowflake")
        int orderId;
    }

    @Embeddable
    static class Parcel {
        @SnowflakeId
        Long tracking;
    }

    @Embeddable
    record ParcelRecord(@SnowflakeId Long tracking, String weight) {}

    @Entity(name = "Elements")
    static class Elements {
        @Id
        @SnowflakeId
        Long id;

        @ElementCollection
        List<Parcel> parcels = new ArrayList<>();
    }

    @Embeddable
    static class Inner {
        @Embedded
        Parcel parcel = new Parcel();
    }

    @Entity(name = "OuterRow")
    static class Outer {
        @Id
        @SnowflakeId
        Long id;

        @Embedded
        Inner inner = new Inner();
    }

    @Entity(name = "EmbeddedRecord")
    static class EmbeddedRecord {
        @Id
        @SnowflakeId
        Long id;

        @Embedded
        ParcelRecord parcel = new ParcelRecord(null, "light");
    }
}
