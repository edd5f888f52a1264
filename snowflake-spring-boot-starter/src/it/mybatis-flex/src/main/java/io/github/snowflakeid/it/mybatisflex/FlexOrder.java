package io.github.snowflakeid.it.mybatisflex;

import com.mybatisflex.annotation.Column;
import com.mybatisflex.annotation.Id;
import com.mybatisflex.annotation.InsertListener;
import com.mybatisflex.annotation.KeyType;
import com.mybatisflex.annotation.Table;
import java.util.ArrayList;
import java.util.List;

/** Its key generator is named. */
@Table(value = "orders", onInsert = FlexOrder.Listener.class)
public class FlexOrder {

    @Id(keyType = KeyType.Generator, value = "snowflake")
    private Long id;

    private String customer;

    @Column(ignore = true)
    private List<FlexVisit> visits = new ArrayList<>();

    @Column(ignore = true)
    private int insertions;

    /** Counts how often MyBatis-Flex calls it. */
    public static class Listener implements InsertListener {

        @Override
        public void onInsert(Object entity) {
            ((FlexOrder) entity).insertions++;
        }
    }

    public FlexOrder() {}

    public FlexOrder(Long id, String customer) {
        this.id = id;
        this.customer = customer;
    }

    public int insertions() {
        return insertions;
    }

    public List<FlexVisit> getVisits() {
        return visits;
    }

    public Long getId() {
        return id;
    }

    public void setId(Long id) {
        this.id = id;
    }

    public String getCustomer() {
        return customer;
    }

    public void setCustomer(String customer) {
        this.customer = customer;
    }
}
