package io.github.snowflakeid.startup.snowflake;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;

/** An entity with a Snowflake id. */
@Entity
class PurchaseOrder {

    @Id
    @SnowflakeId
    Long id;

    String customer = "";
    Instant placedAt = Instant.EPOCH;
}
