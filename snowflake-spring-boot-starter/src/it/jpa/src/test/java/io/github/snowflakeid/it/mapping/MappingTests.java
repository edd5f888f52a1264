package io.github.snowflakeid.it.mapping;

import static io.github.snowflakeid.it.mapping.RowSaver.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.MappedSuperclass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.AnnotationException;
import org.junit.jupiter.api.Test;

/** Mappings to which Hibernate assigns no IDs by itself: each gets IDs, or is rejected when the factory is created. */
class MappingTests {

    private final RowSaver rows = new RowSaver();

    @Test
    void givesIdsToAPrimitiveThatIsMappedInXml() {
        AtomicLong preset = new AtomicLong();

        List<InXml> saved = rows.save(configuration -> configuration.addResource("mapping/orm.xml"), 2, () -> {
            InXml row = new InXml();
            row.number = preset.getAndAdd(7);
            return row;
        });

        assertThat(saved).extracting(row -> row.number).containsExactly(101L, 7L);
    }

    @Test
    void givesIdsToAPrimitivePartOfAnEmbeddedId() {
        AtomicLong preset = new AtomicLong();

        List<PrimitivePart> saved = rows.save(with(PrimitivePart.class), 2, () -> {
            PrimitivePart row = new PrimitivePart();
            row.id.number = preset.getAndAdd(7);
            return row;
        });

        assertThat(saved).extracting(row -> row.id.number).containsExactly(101L, 7L);
    }

    @Test
    void givesIdsIfTheIdClassHasAPrimitive() {
        assertThat(rows.save(with(BoxedByName.class), 2, BoxedByName::new))
                .extracting(row -> row.number)
                .containsExactly(101L, 102L);
        assertThat(rows.save(configuration -> configuration.addResource("mapping/id-class.xml"), 2, BoxedInXml::new))
                .extracting(row -> row.number)
                .containsExactly(103L, 104L);
    }

    @Test
    void givesIdsToAnOverriddenGetter() {
        assertThat(rows.save(with(Overriding.class, Base.class), 2, Overriding::new))
                .extracting(Overriding::getId)
                .containsExactly(101L, 102L);
    }

    @Test
    void givesIdsToAGetterThatIsAnnotatedAgainUnlessHibernateRejectsIt() {
        try {
            assertThat(rows.save(with(AnnotatedAgain.class, Base.class), 2, AnnotatedAgain::new))
                    .extracting(AnnotatedAgain::getId)
                    .containsExactly(101L, 102L);
        } catch (AnnotationException e) {
            assertThat(e).hasMessageContaining("'@Id'");
        }
    }

    @Test
    void givesIdsToRecordsThatAreIds() {
        assertThat(rows.save(with(RecordAsId.class), 1, RecordAsId::new))
                .singleElement()
                .extracting(row -> row.id.tracking())
                .isEqualTo(101L);
        assertThat(rows.save(with(RecordAsIdClass.class), 1, RecordAsIdClass::new))
                .singleElement()
                .extracting(row -> row.tracking)
                .isEqualTo(102L);
    }

    @Test
    void rejectsElementsOfCollections() {
        for (Class<?> entity : List.of(Elements.class, Values.class, Keys.class)) {
            assertThatThrownBy(() -> rows.save(with(entity), 1, Object::new))
                    .hasMessage(
                            "Attribute 'tracking' of %s gets no Snowflake ID: Hibernate generates no values in collections of embeddables ('%s.parcels')",
                            Parcel.class.getName(), entity.getName());
        }
        assertThatThrownBy(() -> rows.save(with(RecordElements.class), 1, Object::new))
                .hasMessageContaining("Attribute 'tracking' of %s gets no Snowflake ID", ParcelRecord.class.getName());
    }

    @Test
    void rejectsNestedEmbeddables() {
        assertThatThrownBy(() -> rows.save(with(Outer.class), 1, Outer::new))
                .hasMessage(
                        "Attribute 'tracking' of %s gets no Snowflake ID: Hibernate generates no values in nested embeddables ('parcel' of 'inner' of %s)",
                        Parcel.class.getName(), Outer.class.getName());
    }

    @Test
    void rejectsEmbeddedRecords() {
        assertThatThrownBy(() -> rows.save(with(EmbeddedRecord.class), 1, EmbeddedRecord::new))
                .hasMessage(
                        "Component 'tracking' of record %s cannot get Snowflake IDs, because the record is embedded as 'parcel' of %s: Hibernate cannot change a record",
                        ParcelRecord.class.getName(), EmbeddedRecord.class.getName());
    }

    public static class InXml {
        long number;
    }

    public static class BoxedInXml {
        Long number;
        String region = "eu";
    }

    @Entity(name = "BoxedByName")
    @IdClass(CompositeIds.PrimitiveClass.class)
    public static class BoxedByName {
        @Id
        @GeneratedValue(generator = "snowflake")
        Long number;

        @Id
        String region = "eu";
    }

    @Embeddable
    public static class PrimitiveKey extends CompositeIds.OrdinaryClass {
        @GeneratedValue(generator = "snowflake")
        long number;
    }

    @Entity(name = "PrimitivePart")
    public static class PrimitivePart {
        @EmbeddedId
        PrimitiveKey id = new PrimitiveKey();
    }

    @MappedSuperclass
    public abstract static class Base {
        long id;

        @Id
        @GeneratedValue(generator = "snowflake")
        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    @Entity(name = "Overriding")
    public static class Overriding extends Base {
        @Override
        public long getId() {
            return id;
        }
    }

    @Entity(name = "AnnotatedAgain")
    public static class AnnotatedAgain extends Base {
        @Override
        @Id
        @GeneratedValue(generator = "snowflake")
        public long getId() {
            return id;
        }
    }

    @Embeddable
    public static class Parcel {
        @SnowflakeId
        Long tracking;

        String weight;
    }

    @Embeddable
    public record ParcelRecord(@SnowflakeId Long tracking, String weight) {}

    public record Key(Long tracking, String weight) {}

    @Entity(name = "RecordAsId")
    public static class RecordAsId {
        @EmbeddedId
        ParcelRecord id = new ParcelRecord(null, "light");
    }

    @Entity(name = "RecordAsIdClass")
    @IdClass(Key.class)
    public static class RecordAsIdClass {
        @Id
        @SnowflakeId
        Long tracking;

        @Id
        String weight = "light";
    }

    @Entity(name = "Elements")
    public static class Elements {
        @Id
        @SnowflakeId
        Long id;

        @ElementCollection
        Set<Parcel> parcels = new HashSet<>();
    }

    @Entity(name = "RecordElements")
    public static class RecordElements {
        @Id
        @SnowflakeId
        Long id;

        @ElementCollection
        Set<ParcelRecord> parcels = new HashSet<>();
    }

    @Entity(name = "RowValues")
    public static class Values {
        @Id
        @SnowflakeId
        Long id;

        @ElementCollection
        Map<String, Parcel> parcels = new HashMap<>();
    }

    @Entity(name = "RowKeys")
    public static class Keys {
        @Id
        @SnowflakeId
        Long id;

        @ElementCollection
        Map<Parcel, String> parcels = new HashMap<>();
    }

    @Embeddable
    public static class Inner {
        @Embedded
        Parcel parcel = new Parcel();
    }

    @Entity(name = "OuterRow")
    public static class Outer {
        @Id
        @SnowflakeId
        Long id;

        @Embedded
        Inner inner = new Inner();
    }

    @Entity(name = "EmbeddedRecord")
    public static class EmbeddedRecord {
        @Id
        @SnowflakeId
        Long id;

        @Embedded
        ParcelRecord parcel = new ParcelRecord(null, "light");
    }
}
