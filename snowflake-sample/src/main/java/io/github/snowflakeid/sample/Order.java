package io.github.snowflakeid.sample;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hibernate.annotations.BatchSize;
import org.jspecify.annotations.Nullable;

/** An order. It has no column for the time when it was placed, because its ID contains the time. */
@Entity
@Table(name = "orders")
class Order {

    @Id
    @SnowflakeId
    private @Nullable OrderId id;

    @Column(nullable = false)
    private String customer;

    /** The number that people read. Orders of earlier versions of the shop have none. With tenants, tenant and number together would be unique. */
    @Column(unique = true)
    private @Nullable String number;

    @OneToMany(cascade = CascadeType.ALL)
    @JoinColumn(name = "order_id", nullable = false, updatable = false)
    @OrderBy("id")
    @BatchSize(size = 100)
    private List<OrderLine> lines = new ArrayList<>();

    /** For Hibernate. */
    protected Order() {}

    Order(String customer, List<OrderLine> lines) {
        this.customer = customer;
        this.lines.addAll(lines);
    }

    OrderId id() {
        return Objects.requireNonNull(id, "not saved yet");
    }

    @Nullable
    String number() {
        return number;
    }

    void number(String next) {
        number = next;
    }

    String customer() {
        return customer;
    }

    List<OrderLine> lines() {
        return lines;
    }
}
