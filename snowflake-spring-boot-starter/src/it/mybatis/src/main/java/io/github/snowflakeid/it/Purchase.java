package io.github.snowflakeid.it;

import io.github.snowflakeid.SnowflakeId;

public class Purchase {

    @SnowflakeId
    private Long id;

    private String customer;

    public Purchase() {}

    public Purchase(String customer) {
        this.customer = customer;
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
}
