package io.github.snowflakeid.typedids;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.publicid.PublicId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.io.Serializable;
import org.springframework.data.jpa.repository.JpaRepository;

/** The entity of docs/typed-ids.md, its ID and its repository. */
interface TypedOrders {

    @PublicId("order")
    record OrderId(long value) implements Serializable {}

    @Entity
    @Table(name = "orders")
    class Order {

        @Id
        @SnowflakeId
        OrderId id;
    }

    interface Orders extends JpaRepository<Order, OrderId> {}
}
