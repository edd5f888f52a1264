package io.github.snowflakeid.hibernate;

import static io.github.snowflakeid.hibernate.IdMappingTests.assertThatAnalysis;
import static io.github.snowflakeid.hibernate.IdMappingTests.factory;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.UuidGenerator;
import org.junit.jupiter.api.Test;

/** Messages about attributes that would get no IDs, or values from another source. */
class RejectedAttributesTests {

    @Test
    void reportsASolutionForAnAttributeThatHibernateDoesNotMap() {
        for (Class<?> entity : List.of(Static.class, NotPersistent.class)) {
            assertThatAnalysis(
                    catchThrowable(() -> factory(Map.of(), entity)),
                    "Attribute 'number' of %s gets no Snowflake ID: Hibernate does not map it."
                            .formatted(entity.getName()),
                    """
                    Map the attribute (it must be neither static nor @Transient), or remove the annotation and set the ID when you create the object:

                    number = idGenerator.nextId();""");
        }
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), OfNotMapped.class)),
                "Attribute 'number' of %s gets no Snowflake ID: Hibernate does not map it, because %s is neither an entity nor a mapped superclass."
                        .formatted(OfNotMapped.class.getName(), NotMapped.class.getName()),
                "Annotate NotMapped with @MappedSuperclass.");
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), NotInserted.class)),
                "Attribute 'number' of %s gets no Snowflake ID: its column is not insertable."
                        .formatted(NotInserted.class.getName()),
                """
                Make the column insertable:

                @Column(insertable = true)""");
    }

    @Test
    void reportsASolutionForIdsThatAreJoined() {
        for (Class<?> child : List.of(Leaflet.class, Label.class)) {
            assertThatAnalysis(
                    catchThrowable(() -> factory(Map.of(), Box.class, child)),
                    "Attribute 'id' of %s has two sources of values: @SnowflakeId and 'box', which joins it with the ID of %s."
                            .formatted(child.getName(), Box.class.getName()),
                    """
                    Let the association set the ID of the entity that depends on the other one:

                    @OneToOne
                    @MapsId
                    private Box box;""");
        }
        factory(Map.of(), Box.class, Sticker.class, Cover.class, Lid.class).close();
    }

    @Entity(name = "Box")
    static class Box {
        @Id
        @SnowflakeId
        Long id;

        @Column(unique = true)
        Long lidId;
    }

    /** Joined with another attribute than the ID. */
    @Entity(name = "Lid")
    static class Lid {
        @Id
        @SnowflakeId
        Long id;

        @ManyToOne
        @JoinColumn(name = "id", referencedColumnName = "lidId", insertable = false, updatable = false)
        Box box;
    }

    @Entity(name = "Leaflet")
    static class Leaflet {
        @Id
        @SnowflakeId
        Long id;

        @OneToOne
        @PrimaryKeyJoinColumn
        Box box;
    }

    @Entity(name = "Label")
    static class Label {
        @Id
        @SnowflakeId
        Long id;

        @OneToOne
        @JoinColumn(name = "id", insertable = false, updatable = false)
        Box box;
    }

    @Entity(name = "Sticker")
    static class Sticker {
        @Id
        @SnowflakeId
        Long id;

        @OneToOne
        @MapsId
        Box box;

        @OneToOne(mappedBy = "sticker")
        Cover cover;
    }

    /** The application sets this ID. */
    @Entity(name = "Cover")
    static class Cover {
        @Id
        Long id;

        @OneToOne
        @PrimaryKeyJoinColumn
        Sticker sticker;
    }

    @Test
    void reportsASolutionForAnotherSourceOfValues() {
        assertThatContradiction(Sequence.class, "@GeneratedValue");
        assertThatContradiction(TableOfNumbers.class, "@GeneratedValue");
        assertThatContradiction(Uuid.class, "@UuidGenerator");
        assertThatContradiction(Versioned.class, "@Version");
    }

    private static void assertThatContradiction(Class<?> entity, String other) {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of(), entity)),
                "Attribute 'id' of %s has two sources of values: @SnowflakeId and %s."
                        .formatted(entity.getName(), other),
                """
                Keep one of the two:

                @SnowflakeId

                or

                %s""".formatted(other));
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
