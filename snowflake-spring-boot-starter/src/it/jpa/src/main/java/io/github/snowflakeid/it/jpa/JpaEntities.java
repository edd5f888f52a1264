package io.github.snowflakeid.it.jpa;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One entity for each way to declare a generated ID. */
public final class JpaEntities {

    private JpaEntities() {}

    @MappedSuperclass
    public abstract static class Base {
        @Id
        @SnowflakeId
        public Long id;
    }

    @Entity(name = "Purchase")
    public static class Purchase extends Base {
        public String customer = "";

        @OneToMany(cascade = CascadeType.ALL)
        @JoinColumn(name = "purchase_id")
        public List<Line> lines = new ArrayList<>();
    }

    @Entity(name = "Line")
    public static class Line extends Base {}

    @Entity(name = "LongId")
    public static class LongId {
        @Id
        @SnowflakeId
        public Long id;

        public String text;
    }

    @Entity(name = "PrimitiveId")
    public static class PrimitiveId {
        @Id
        @SnowflakeId
        public long id;
    }

    @Entity(name = "StringId")
    public static class StringId {
        @Id
        @SnowflakeId
        public String id;
    }

    @Entity(name = "CrockfordId")
    public static class CrockfordId {
        @Id
        @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
        public String id;
    }

    @Entity(name = "BigIntegerId")
    public static class BigIntegerId {
        @Id
        @SnowflakeId
        public BigInteger id;
    }

    @Entity(name = "PropertyAccess")
    public static class PropertyAccess {
        private Long id;

        @Id
        @SnowflakeId
        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    @Entity(name = "Versioned")
    public static class Versioned {
        @Id
        @SnowflakeId
        public Long id;

        @Version
        public Integer version;

        public String text;
    }

    @MappedSuperclass
    public abstract static class Generic<T> {
        @Id
        @SnowflakeId
        public T id;
    }

    @Entity(name = "GenericString")
    public static class GenericString extends Generic<String> {}

    @Entity(name = "Parent")
    @Inheritance(strategy = InheritanceType.JOINED)
    public static class Parent extends Base {}

    @Entity(name = "Child")
    public static class Child extends Parent {
        public String text;
    }

    @Embeddable
    public static class EmbeddedKey {
        @SnowflakeId
        public Long number;

        public String region;

        @Override
        public boolean equals(Object other) {
            return other instanceof EmbeddedKey that
                    && Objects.equals(number, that.number)
                    && Objects.equals(region, that.region);
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, region);
        }
    }

    @Entity(name = "WithEmbeddedId")
    public static class WithEmbeddedId {
        @EmbeddedId
        public EmbeddedKey key = new EmbeddedKey();
    }

    public static class ClassKey {
        public Long number;
        public String region;

        public ClassKey() {}

        public ClassKey(Long number, String region) {
            this.number = number;
            this.region = region;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ClassKey that
                    && Objects.equals(number, that.number)
                    && Objects.equals(region, that.region);
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, region);
        }
    }

    @Entity(name = "WithIdClass")
    @IdClass(ClassKey.class)
    public static class WithIdClass {
        @Id
        @SnowflakeId
        public Long number;

        @Id
        public String region;
    }

    @Embeddable
    public static class Parcel {
        @SnowflakeId
        public Long tracking;

        public String weight;
    }

    @Entity(name = "OtherColumns")
    public static class OtherColumns {
        @Id
        public String name;

        @SnowflakeId
        public Long number;

        @SnowflakeId
        public String code;

        @Embedded
        public Parcel parcel = new Parcel();

        public String text;
    }

    @Entity(name = "Named")
    public static class Named {
        @Id
        @GeneratedValue(generator = "snowflake")
        public Long id;

        public String text;
    }

    @Entity(name = "NamedPrimitive")
    public static class NamedPrimitive {
        @Id
        @GeneratedValue(generator = "snowflake")
        public long id;
    }

    @Entity(name = "NamedString")
    public static class NamedString {
        @Id
        @GeneratedValue(generator = "snowflake")
        public String id;
    }

    @Entity(name = "NamedBigInteger")
    public static class NamedBigInteger {
        @Id
        @GeneratedValue(generator = "snowflake")
        public BigInteger id;

        @ManyToOne
        public Named other;
    }

    public record VoucherId(Long value) {}

    @Entity(name = "Voucher")
    public static class Voucher {
        @Id
        @SnowflakeId
        public VoucherId id;

        public VoucherId replaces;
    }

    /** Independent of this library, and must not be affected by it. */
    @Entity(name = "Unrelated")
    public static class Unrelated {
        @Id
        @GeneratedValue
        public Long id;
    }
}
