package io.github.snowflakeid.several;

import io.github.snowflakeid.IdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class Checkout {

    private final IdGenerator orders;

    Checkout(@Qualifier("orders") IdGenerator orders) {
        this.orders = orders;
    }

    long next() {
        return orders.nextId();
    }
}
