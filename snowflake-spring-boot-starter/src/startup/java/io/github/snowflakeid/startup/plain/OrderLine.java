package io.github.snowflakeid.startup.plain;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/** An entity with an id of the database, and with a reference to another one. */
@Entity
class OrderLine {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    @ManyToOne(optional = false)
    PurchaseOrder purchaseOrder;

    String product = "";
    int quantity = 1;
}
