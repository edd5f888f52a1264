package io.github.snowflakeid.readme;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
class Receipt {

    @Id
    @GeneratedValue(generator = "snowflake")
    Long id;
}
