package io.github.snowflakeid.startup.snowflake;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/** An entity with a Snowflake id, and with a reference to another one. */
@Entity
class OrderLine {

    @Id
    @SnowflakeId
    Long id;

    @ManyToOne(optional = false)
    PurchaseOrder purchaseOrder;

    String product = "";
    int quantity = 1;
}
