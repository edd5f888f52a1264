package io.github.snowflakeid.it;

/** Written for MyBatis-Plus alone. */
public class Purchase {

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

    public void setCustomer(String customer) {
        this.customer = customer;
    }
}
