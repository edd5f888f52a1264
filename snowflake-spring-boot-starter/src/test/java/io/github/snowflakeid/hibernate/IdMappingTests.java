package io.github.snowflakeid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.UuidGenerator;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Hibernate itself, without Spring. */
class IdMappingTests {

    private static final String MISSING_GENERATOR_ACTION = """
            Let Spring make the EntityManagerFactory, by a LocalContainerEntityManagerFactoryBean, with:

            snowflake.enabled: true

            Where it is made otherwise, set an IdGenerator:

            Persistence.createEntityManagerFactory(unit, Map.of(SnowflakeSettings.ID_GENERATOR, idGenerator))""";

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
                    "No Snowflake ids for attribute 'id' of %s: setting 'snowflake.id-generator' of its EntityManagerFactory is missing."
                            .formatted(Order.class.getName()),
                    MISSING_GENERATOR_ACTION);
            assertThatAnalysis(
                    catchThrowable(() -> factory.inTransaction(session -> session.persist(new Invoice()))),
                    "No Snowflake ids for attribute 'id' of %s: setting 'snowflake.id-generator' of its EntityManagerFactory is missing."
                            .formatted(Invoice.class.getName()),
                    MISSING_GENERATOR_ACTION);
        }
    }

    @Test
    void refusesAnAttributeThatCannotHoldAnId() {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), WrongId.class)),
                "Attribute 'id' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a java.util.UUID."
                        .formatted(WrongId.class.getName()),
                """
                Change the type of the attribute:

                @SnowflakeId
                private Long id;""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), WrongGetter.class)),
                "Attribute 'number' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a java.lang.Integer."
                        .formatted(WrongGetter.class.getName()),
                """
                Change the type of the attribute:

                @SnowflakeId
                private Long number;""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), WrongNamed.class)),
                "Attribute 'orderId' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a int."
                        .formatted(WrongNamed.class.getName()),
                """
                Change the type of the attribute:

                @Id
                @GeneratedValue(generator = "snowflake")
                private Long orderId;""");
    }

    @Test
    void saysWhatToDoWhereHibernateWouldGiveNoIds() {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), Elements.class)),
                "Attribute 'tracking' of %s would stay without a Snowflake id, as it is in a collection, '%s.parcels': Hibernate generates no values there."
                        .formatted(Parcel.class.getName(), Elements.class.getName()),
                """
                Map the elements as entities with @OneToMany, or set the attribute where an element is made:

                tracking = idGenerator.nextId();""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), Outer.class)),
                "Attribute 'tracking' of %s would stay without a Snowflake id, as it is embedded twice, in 'parcel' of 'inner' of %s: Hibernate generates no values there."
                        .formatted(Parcel.class.getName(), Outer.class.getName()),
                """
                Embed it in the entity itself, or set the attribute where the object is made:

                tracking = idGenerator.nextId();""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), EmbeddedRecord.class)),
                "Component 'tracking' of record %s cannot get Snowflake ids where the record is embedded, as 'parcel' of %s: Hibernate cannot change a record."
                        .formatted(ParcelRecord.class.getName(), EmbeddedRecord.class.getName()),
                """
                Make it a class:

                @Embeddable
                public class ParcelRecord {

                    @SnowflakeId
                    private Long tracking;
                }""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), Undefined.class)),
                "Attribute 'number' of %s is to get ids of generator 'snowflake:orders', which is not defined, so that Hibernate would take them from a sequence; the Snowflake ids are those of generator 'snowflake'."
                        .formatted(Undefined.class.getName()),
                """
                Correct the name:

                @Id
                @GeneratedValue(generator = "snowflake")
                private Long number;

                or, if a sequence is meant, say so:

                @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "snowflake:orders")""");
    }

    @Test
    void saysWhatToDoWhereHibernateDoesNotMapAnAttribute() {
        for (Class<?> entity : List.of(Static.class, NotPersistent.class)) {
            assertThatAnalysis(
                    catchThrowable(() -> factory(Map.of(), entity)),
                    "Attribute 'number' of %s would stay without a Snowflake id: Hibernate does not map it."
                            .formatted(entity.getName()),
                    """
                    Map it, neither static nor @Transient, or set it where the object is made, without the annotation:

                    number = idGenerator.nextId();""");
        }
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), OfNotMapped.class)),
                "Attribute 'number' of %s would stay without a Snowflake id: Hibernate does not map it, as %s is neither an entity nor a mapped superclass."
                        .formatted(OfNotMapped.class.getName(), NotMapped.class.getName()),
                """
                Let entities inherit its attributes:

                @MappedSuperclass
                public class NotMapped {""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), NotInserted.class)),
                "Attribute 'number' of %s would stay without a Snowflake id: its column is not insertable."
                        .formatted(NotInserted.class.getName()),
                """
                Let Hibernate insert it:

                @SnowflakeId
                @Column(insertable = true)
                private Long number;""");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), OfPolymorphic.class, Polymorphic.class, Fragile.class)),
                "Attribute 'number' of a subclass of %s cannot get Snowflake ids where it is embedded, as 'parcel' of %s: Hibernate would set it in objects of other classes, too."
                        .formatted(Polymorphic.class.getName(), OfPolymorphic.class.getName()),
                """
                Move it to Polymorphic, or set it where the object is made, without the annotation:

                number = idGenerator.nextId();""");
    }

    @Test
    void saysWhatToDoWhereSomethingElseGeneratesTheValues() {
        assertThatContradiction(Sequence.class, "@GeneratedValue(generator = \"numbers\")");
        assertThatContradiction(
                TableOfNumbers.class, "@GeneratedValue(strategy = GenerationType.TABLE, generator = \"numbers\")");
        assertThatContradiction(Uuid.class, "@UuidGenerator");
        assertThatContradiction(Versioned.class, "@Version");
    }

    private static void assertThatContradiction(Class<?> entity, String other) {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), entity)),
                "Attribute 'id' of %s is to get Snowflake ids by @SnowflakeId, but other values by %s."
                        .formatted(entity.getName(), other),
                """
                Keep one of the two:

                @SnowflakeId

                or

                %s""".formatted(other));
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
        FailureAnalysis analysis = new IdMappingFailureAnalyzer().analyze(failure);
        assertThat(analysis).as("analysis of %s", failure).isNotNull();
        assertThat(analysis.getDescription()).isEqualTo(description);
        assertThat(analysis.getAction()).isEqualTo(action);
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

    @Entity(name = "Undefined")
    static class Undefined {
        @Id
        @GeneratedValue(generator = "snowflake:orders")
        Long number;
    }

    @Entity(name = "Static")
    static class Static {
        @SnowflakeId
        static Long number = 1L;

        @Id
        @SnowflakeId
        Long id;
    }

    @Entity(name = "NotPersistent")
    static class NotPersistent {
        @Id
        @SnowflakeId
        Long id;

        @Transient
        @SnowflakeId
        Long number;
    }

    static class NotMapped {
        @SnowflakeId
        Long number;
    }

    @Entity(name = "OfNotMapped")
    static class OfNotMapped extends NotMapped {
        @Id
        @SnowflakeId
        Long id;
    }

    @Entity(name = "NotInserted")
    static class NotInserted {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        @Column(insertable = false)
        Long number;
    }

    @Embeddable
    static class Polymorphic {
        @SnowflakeId
        Long tracking;
    }

    @Embeddable
    static class Fragile extends Polymorphic {
        @SnowflakeId
        Long number;
    }

    @Entity(name = "OfPolymorphic")
    static class OfPolymorphic {
        @Id
        @SnowflakeId
        Long id;

        @Embedded
        Polymorphic parcel = new Polymorphic();
    }

    @Entity(name = "SequenceRow")
    static class Sequence {
        @Id
        @GeneratedValue(generator = "numbers")
        @SnowflakeId
        Long id;
    }

    @Entity(name = "TableOfNumbers")
    static class TableOfNumbers {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "numbers")
        @SnowflakeId
        Long id;
    }

    @Entity(name = "Uuid")
    static class Uuid {
        @Id
        @UuidGenerator
        @SnowflakeId
        String id;
    }

    @Entity(name = "Versioned")
    static class Versioned {
        @Id
        @SnowflakeId
        Long key;

        @Version
        @SnowflakeId
        Long id;
    }
}
