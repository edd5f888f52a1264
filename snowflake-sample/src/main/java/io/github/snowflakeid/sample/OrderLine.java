package io.github.snowflakeid.sample;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "order_lines")
class OrderLine {

    // The alternative to @SnowflakeId: plain JPA annotations, without an import of the library.
    @Id
    @GeneratedValue(generator = "snowflake")
    private @Nullable Long id;

    @Column(nullable = false)
    private String product;

    private int quantity;

    @Column(nullable = false, precision = 9, scale = 2)
    private BigDecimal price;

    /** For Hibernate. */
    protected OrderLine() {}

    OrderLine(String product, int quantity, BigDecimal price) {
        this.product = product;
        this.quantity = quantity;
        this.price = price;
    }

    long id() {
        return Objects.requireNonNull(id, "not saved yet");
    }

    String product() {
        return product;
    }

    int quantity() {
        return quantity;
    }

    BigDecimal price() {
        return price;
    }
}
