package io.github.snowflakeid.it.invalid.named;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class IntegerIdEntity {
    @Id
    @GeneratedValue(generator = "snowflake")
    public Integer key;
}
