package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.SnowflakeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Table;

/** An aggregate with IDs at every level. */
@Table("ORDERS")
public class DataJdbcOrder {

    @Id
    @SnowflakeId
    public Long id;

    @Version
    public Long version;

    public String customer;
    public Set<Line> lines = new HashSet<>();
    public List<Note> notes = new ArrayList<>();
    public Map<String, Address> addresses = new LinkedHashMap<>();
    public Payment payment;

    public DataJdbcOrder(String customer) {
        this.customer = customer;
    }

    /** Its hash code changes when it gets an ID. */
    public static class Line {

        @Id
        @SnowflakeId
        public Long id;

        public String product;
        public List<Discount> discounts = new ArrayList<>();

        public Line(String product) {
            this.product = product;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Line line && Objects.equals(id, line.id) && product.equals(line.product);
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, product);
        }
    }

    public record Discount(@Id @SnowflakeId Long id, int percent) {}

    public record Note(@Id @SnowflakeId Long id, String text) {}

    public record Address(@Id @SnowflakeId("tickets") Long id, String street) {}

    public record Payment(
            @Id @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
            String id,

            int amount) {}
}
