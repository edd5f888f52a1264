package io.github.snowflakeid.it.invalid;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** Outside the packages that applications scan, so that only tests that name this package map it. */
@Entity
public class UuidIdEntity {
    @Id
    @SnowflakeId
    public UUID key;
}
