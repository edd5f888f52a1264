package io.github.snowflakeid.several;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Purchase {

    @Id
    @SnowflakeId("orders")
    Long id;

    @SnowflakeId("tickets")
    Long ticket;
}
