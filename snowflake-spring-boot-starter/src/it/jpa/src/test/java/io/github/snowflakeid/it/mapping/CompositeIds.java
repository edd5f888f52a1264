package io.github.snowflakeid.it.mapping;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapKey;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Entities with IDs of several parts, or with IDs of other entities. */
final class CompositeIds {

    private CompositeIds() {}

    @Embeddable
    public static class OrderKey implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId("orders")
        @Column(name = "order_number")
        Long order;

        String region = "eu";

        @Override
        public boolean equals(Object other) {
            return other instanceof OrderKey that && Objects.equals(order, that.order);
        }

        @Override
        public int hashCode() {
            return Objects.hash(order);
        }
    }

    @Entity(name = "Named")
    public static class Named {
        @EmbeddedId
        OrderKey key = new OrderKey();

        @SnowflakeId("tickets")
        String ticket;

        @SnowflakeId
        Long number;
    }

    @Entity(name = "TwoIds")
    public static class TwoIds implements Serializable {
        private static final long serialVersionUID = 1L;

        @Id
        @SnowflakeId
        Long number;

        @Id
        String region = "eu";
    }

    public static class OrdinaryClass {
        String region;

        @Override
        public boolean equals(Object other) {
            return other instanceof OrdinaryClass that && Objects.equals(region, that.region);
        }

        @Override
        public int hashCode() {
            return Objects.hash(region);
        }
    }

    public static class AnnotatedClass extends OrdinaryClass {
        @SnowflakeId
        Long number;
    }

    @Entity(name = "OnlyInClass")
    @IdClass(AnnotatedClass.class)
    public static class OnlyInClass {
        @Id
        Long number;

        @Id
        String region = "eu";
    }

    public static class PrimitiveClass extends OrdinaryClass {
        long number;
    }

    @Entity(name = "BoxedInEntity")
    @IdClass(PrimitiveClass.class)
    public static class BoxedInEntity {
        @Id
        @SnowflakeId
        Long number;

        @Id
        String region = "eu";
    }

    @Entity(name = "PurchaseOrder")
    public static class Order {
        @Id
        @SnowflakeId
        Long id;
    }

    @Entity(name = "Receipt")
    public static class Receipt {
        @Id
        @SnowflakeId
        Long id;

        @MapsId
        @OneToOne
        Order order;
    }

    @Entity(name = "OrderLine")
    public static class Line {
        @EmbeddedId
        OrderKey key = new OrderKey();

        @MapsId("order")
        @ManyToOne
        Order order;
    }

    public static class ItemId implements Serializable {
        private static final long serialVersionUID = 1L;

        OrderKey line;
        String name;

        @Override
        public boolean equals(Object other) {
            return other instanceof ItemId that && Objects.equals(line, that.line) && Objects.equals(name, that.name);
        }

        @Override
        public int hashCode() {
            return Objects.hash(line, name);
        }
    }

    @Entity(name = "Item")
    @IdClass(ItemId.class)
    public static class Item {
        @Id
        @ManyToOne
        Line line;

        @Id
        String name = "tea";
    }

    @Embeddable
    public static class BookKey extends OrdinaryClass {
        @SnowflakeId
        Long number;
    }

    @Entity(name = "Book")
    public static class Book {
        @EmbeddedId
        BookKey key = new BookKey();
    }

    @Entity(name = "Shelf")
    public static class Shelf {
        @Id
        @SnowflakeId
        Long id;

        @OneToMany
        @MapKey
        Map<BookKey, Book> books = new HashMap<>();
    }
}
