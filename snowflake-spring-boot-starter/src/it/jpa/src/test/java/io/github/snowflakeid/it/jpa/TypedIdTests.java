package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

/** IDs that are objects with one component, as basic attributes and embedded. */
@SpringBootTest(properties = "spring.jpa.properties.hibernate.order_updates=true")
@Transactional
class TypedIdTests {

    @Autowired
    private EntityManager entities;

    @Autowired
    private TypedOrderRepository orders;

    public record OrderId(Long value) {

        /** Queries of Spring Data JPA call this constructor. */
        public OrderId(OrderId id) {
            this(id.value());
        }
    }

    @SnowflakeId
    public record LineId(String value) {}

    @Entity(name = "TypedOrder")
    public static class Order {
        @Id
        @SnowflakeId
        public OrderId id;

        public OrderId replaces;

        @ElementCollection
        public List<OrderId> related = new ArrayList<>();

        @Convert(converter = OrderNumbers.class)
        @Column(name = "order_number")
        public OrderId number;
    }

    @Converter
    public static class OrderNumbers implements AttributeConverter<OrderId, String> {

        @Override
        public String convertToDatabaseColumn(OrderId id) {
            return id == null ? null : "no. " + id.value();
        }

        @Override
        public OrderId convertToEntityAttribute(String number) {
            return number == null ? null : new OrderId(Long.valueOf(number.substring(4)));
        }
    }

    @Entity(name = "TypedLine")
    public static class Line {
        @Id
        public LineId id;

        @ManyToOne
        public Order order;

        public LineId previous;
    }

    public record CouponId(long value) {}

    @Entity(name = "TypedCoupon")
    public static class Coupon {
        @Id
        @SnowflakeId
        public CouponId id;
    }

    @MappedSuperclass
    public abstract static class Base<T> {
        @Id
        @SnowflakeId
        public T id;
    }

    public static final class CustomerId {
        private final BigInteger value;

        public CustomerId(BigInteger value) {
            this.value = value;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof CustomerId that && value.equals(that.value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }
    }

    @Entity(name = "TypedCustomer")
    public static class Customer extends Base<CustomerId> {}

    @Embeddable
    @SnowflakeId
    public record ParcelId(Long number) {}

    @Entity(name = "TypedParcel")
    public static class Parcel {
        @EmbeddedId
        public ParcelId id;

        @ManyToOne
        public Parcel container;

        @Embedded
        @AttributeOverride(name = "number", column = @Column(name = "replaces"))
        public ParcelId replaces;

        @ElementCollection
        public List<ParcelId> related = new ArrayList<>();

        @Embedded
        public Label label;
    }

    @Embeddable
    public static class Label {
        @AttributeOverride(name = "number", column = @Column(name = "label_parcel"))
        public ParcelId parcel;
    }

    @Test
    void queriesSelectIds() {
        Order first = new Order();
        Order second = new Order();
        entities.persist(first);
        entities.persist(second);

        assertThat(orders.findNewestId()).isEqualTo(second.id);
        assertThat(orders.findNewestIdByNativeQuery()).isEqualTo(second.id);
        assertThat(orders.findIds(List.of(first.id, second.id))).containsExactlyInAnyOrder(first.id, second.id);
    }

    @Test
    void rowsAreFoundByTheirIds() {
        Order order = orders.save(new Order());
        Order other = orders.save(new Order());
        flushAndClear();

        assertThat(order.id.value()).isPositive();
        assertThat(orders.findById(new OrderId(order.id.value())))
                .get()
                .extracting(found -> found.id)
                .isEqualTo(order.id);
        assertThat(orders.findAllById(List.of(order.id, other.id))).hasSize(2);
        assertThat(orders.findByIdIn(List.of(order.id, new OrderId(5L))))
                .extracting(found -> found.id)
                .containsExactly(order.id);
        assertThat(entities.getReference(Order.class, order.id).id).isEqualTo(order.id);
        orders.deleteById(order.id);
        flushAndClear();
        assertThat(orders.existsById(order.id)).isFalse();
    }

    @Test
    void rowsAreUpdatedInTheOrderOfTheirIds() {
        Order order = orders.save(new Order());
        Order other = orders.save(new Order());
        flushAndClear();

        entities.find(Order.class, other.id).replaces = order.id;
        entities.find(Order.class, order.id).replaces = other.id;
        flushAndClear();

        assertThat(entities.find(Order.class, order.id).replaces).isEqualTo(other.id);
        assertThat(entities.find(Order.class, other.id).replaces).isEqualTo(order.id);
    }

    @Test
    void idsAreComparedAndSortedInQueries() {
        Order first = orders.save(new Order());
        Order second = orders.save(new Order());
        List<OrderId> ids = List.of(first.id, second.id);

        assertThat(entities.createQuery(
                                "select o.id from TypedOrder o where o.id in :ids order by o.id desc", OrderId.class)
                        .setParameter("ids", ids)
                        .getResultList())
                .containsExactly(second.id, first.id);
        assertThat(entities.createQuery("from TypedOrder o where o.id > :id and o.id in :ids", Order.class)
                        .setParameter("id", first.id)
                        .setParameter("ids", ids)
                        .getResultList())
                .containsExactly(second);
        CriteriaBuilder builder = entities.getCriteriaBuilder();
        CriteriaQuery<Order> query = builder.createQuery(Order.class);
        Root<Order> root = query.from(Order.class);
        query.where(builder.equal(root.get("id"), first.id));
        assertThat(entities.createQuery(query).getResultList()).containsExactly(first);
    }

    @Test
    void foreignKeysAreAssociationsAttributesAndElements() {
        Order order = orders.save(new Order());
        Order next = new Order();
        next.replaces = order.id;
        next.related.add(order.id);
        next.number = order.id;
        orders.save(next);
        Line line = new Line();
        line.order = order;
        entities.persist(line);
        flushAndClear();

        assertThat(orders.findByReplaces(order.id)).singleElement().satisfies(found -> {
            assertThat(found.related).containsExactly(order.id);
            assertThat(found.number).isEqualTo(order.id);
        });
        assertThat(entities.createQuery("select l.id from TypedLine l where l.order.id = :id", LineId.class)
                        .setParameter("id", order.id)
                        .getResultList())
                .containsExactly(line.id);
        assertThat(entities.find(Line.class, line.id).order.id).isEqualTo(order.id);
    }

    @Test
    void converterOfTheApplicationWins() {
        Order order = new Order();
        order.number = new OrderId(5L);
        orders.save(order);
        flushAndClear();

        assertThat(entities.createNativeQuery("select order_number from typed_order where id = " + order.id.value())
                        .getSingleResult())
                .isEqualTo("no. 5");
    }

    @Test
    void annotationOfTheComponentIsForIdsOnly() {
        Line line = new Line();
        entities.persist(line);
        flushAndClear();

        assertThat(line.id.value()).matches("[0-9]+");
        assertThat(line.previous).isNull();
        assertThat(entities.find(Line.class, line.id).previous).isNull();
    }

    @Test
    void typeArgumentOfASuperclassIsATypedId() {
        Customer customer = new Customer();
        entities.persist(customer);
        flushAndClear();

        assertThat(entities.find(Customer.class, new CustomerId(customer.id.value)))
                .isNotNull();
    }

    @Test
    void presetIdIsKept() {
        Order order = new Order();
        order.id = new OrderId(4711L);

        assertThat(orders.save(order).id).isEqualTo(new OrderId(4711L));
    }

    @Test
    void embeddedIdIsFilledAndFound() {
        Parcel container = new Parcel();
        entities.persist(container);
        Parcel parcel = new Parcel();
        parcel.container = container;
        entities.persist(parcel);
        flushAndClear();

        assertThat(entities.find(Parcel.class, new ParcelId(parcel.id.number())).container.id)
                .isEqualTo(container.id);
        assertThat(entities.createQuery("from TypedParcel p where p.container.id = :id", Parcel.class)
                        .setParameter("id", container.id)
                        .getResultList())
                .extracting(found -> found.id)
                .containsExactly(parcel.id);
    }

    @Test
    void embeddableIdIsAForeignKeyEverywhereElse() {
        Parcel first = new Parcel();
        entities.persist(first);
        Parcel next = new Parcel();
        next.replaces = first.id;
        next.related.add(first.id);
        next.label = new Label();
        next.label.parcel = first.id;
        entities.persist(next);
        flushAndClear();

        assertThat(entities.find(Parcel.class, first.id).replaces).isNull();
        assertThat(entities.createQuery("from TypedParcel p where p.replaces = :id", Parcel.class)
                        .setParameter("id", first.id)
                        .getResultList())
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.related).containsExactly(first.id);
                    assertThat(found.label.parcel).isEqualTo(first.id);
                });
    }

    @Test
    void statelessSessionsInsertBothForms(@Autowired SessionFactory factory) {
        Order order = new Order();
        Parcel parcel = new Parcel();
        factory.inStatelessTransaction(session -> {
            session.insert(order);
            session.insert(parcel);
        });
        factory.inStatelessTransaction(session -> {
            assertThat(session.get(Order.class, order.id).id).isEqualTo(order.id);
            assertThat(session.get(Parcel.class, parcel.id).id).isEqualTo(parcel.id);
            session.delete(order);
            session.delete(parcel);
        });
    }

    @Test
    void idThatHoldsNullCountsAsNotSet() {
        Order order = new Order();
        order.id = new OrderId((Long) null);
        Order saved = orders.save(order);
        Order replacement = new Order();
        replacement.id = new OrderId((Long) null);
        replacement.replaces = new OrderId((Long) null);
        replacement = entities.merge(replacement);
        flushAndClear();

        assertThat(saved.id.value()).isPositive();
        assertThat(replacement.id.value()).isGreaterThan(saved.id.value());
        assertThat(entities.find(Order.class, replacement.id).replaces).isNull();
        assertThat(orders.findById(new OrderId((Long) null))).isEmpty();
        assertThat(orders.existsById(new OrderId((Long) null))).isFalse();
        assertThat(orders.findByReplaces(new OrderId((Long) null))).isEmpty();
    }

    @Test
    void primitiveIdOfZeroCountsAsNotSet() {
        Coupon coupon = new Coupon();
        coupon.id = new CouponId(0);

        assertThat(entities.merge(coupon).id.value()).isPositive();
        assertThat(entities.find(Coupon.class, new CouponId(0))).isNull();
    }

    private void flushAndClear() {
        entities.flush();
        entities.clear();
    }
}
