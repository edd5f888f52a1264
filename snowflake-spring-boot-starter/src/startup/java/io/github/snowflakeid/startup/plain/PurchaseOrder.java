package io.github.snowflakeid.startup.plain;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Instant;

/** An entity with an id of the database. */
@Entity
class PurchaseOrder {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    String customer = "";
    Instant placedAt = Instant.EPOCH;
}
