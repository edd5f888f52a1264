package io.github.snowflakeid.it.mybatis;

import io.github.snowflakeid.SnowflakeId;

public class MyBatisPurchase {

    @SnowflakeId
    private Long id;

    private String customer;

    public MyBatisPurchase() {}

    public MyBatisPurchase(String customer) {
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
