package io.github.snowflakeid.it.mybatisplus;

import com.baomidou.mybatisplus.annotation.TableName;

/** An entity that uses MyBatis-Plus only, without annotations of this library. */
@TableName("purchase")
public class MyBatisPlusPurchase {

    private Long id;
    private String customer;

    public MyBatisPlusPurchase() {}

    public MyBatisPlusPurchase(String customer) {
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

    public void setCustomer(String customer) {
        this.customer = customer;
    }
}
