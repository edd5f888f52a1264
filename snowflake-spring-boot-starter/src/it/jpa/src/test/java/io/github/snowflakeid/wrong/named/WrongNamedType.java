package io.github.snowflakeid.wrong.named;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class WrongNamedType {
    @Id
    @GeneratedValue(generator = "snowflake")
    public Integer key;
}
