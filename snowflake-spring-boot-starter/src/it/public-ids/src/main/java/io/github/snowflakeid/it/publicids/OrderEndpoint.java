package io.github.snowflakeid.it.publicids;

import io.github.snowflakeid.publicid.PublicId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.stereotype.Component;

/** An endpoint of the application. */
@Component
@Endpoint(id = "orders")
public class OrderEndpoint {

    @ReadOperation
    public String read(
            @Selector @PublicId("order") long number,
            @Selector OrderController.OrderId typed,
            @PublicId("order") Long after,
            Long limit) {
        return number + " " + typed.value() + " " + after + " " + limit;
    }

    @ReadOperation
    public int several(@Selector @PublicId("order") long[] several) {
        return several.length;
    }
}
