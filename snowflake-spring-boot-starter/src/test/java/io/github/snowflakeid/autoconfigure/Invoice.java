package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Invoice {

    @Id
    @SnowflakeId("invoices")
    Long id;
}
