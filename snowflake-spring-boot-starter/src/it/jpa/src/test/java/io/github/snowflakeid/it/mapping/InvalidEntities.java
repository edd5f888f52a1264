package io.github.snowflakeid.it.mapping;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.io.Serializable;
import java.util.Objects;

/** Entities that are rejected because an annotated attribute could not get an ID. */
final class InvalidEntities {

    private InvalidEntities() {}

    @Entity(name = "IdentityRow")
    public static class Identity {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @SnowflakeId("orders")
        Long id;
    }

    @Entity(name = "NotMapped")
    public static class NotMapped {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        transient Long number;
    }

    @Entity(name = "NotInserted")
    public static class NotInserted {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        @Column(insertable = false)
        Long number;
    }

    public abstract static class NotMappedSuperclass {
        @SnowflakeId
        Long number;
    }

    @Entity(name = "NotInherited")
    public static class NotInherited extends NotMappedSuperclass {
        @Id
        @SnowflakeId
        Long id;
    }

    @Embeddable
    public static class KeyOfKey implements Serializable {
        private static final long serialVersionUID = 1L;

        @Embedded
        CompositeIds.OrderKey order = new CompositeIds.OrderKey();

        String name = "one";

        @Override
        public boolean equals(Object other) {
            return other instanceof KeyOfKey that && Objects.equals(order, that.order);
        }

        @Override
        public int hashCode() {
            return Objects.hash(order);
        }
    }

    @Entity(name = "NestedKey")
    public static class NestedKey {
        @EmbeddedId
        KeyOfKey key = new KeyOfKey();
    }

    @Entity(name = "OfAnotherType")
    public static class OfAnotherType {
        @Id
        @SnowflakeId
        Long id;

        @ManyToOne
        @SnowflakeId
        CompositeIds.Order order;
    }

    @Entity(name = "OnKey")
    public static class OnKey {
        @EmbeddedId
        @SnowflakeId
        CompositeIds.OrderKey key = new CompositeIds.OrderKey();
    }
}
