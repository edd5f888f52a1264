package io.github.snowflakeid.pages;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Invoice {

    @Id
    @SnowflakeId("invoices")
    Long id;
}
