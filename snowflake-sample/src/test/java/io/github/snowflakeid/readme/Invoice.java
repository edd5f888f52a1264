package io.github.snowflakeid.readme;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Invoice {

    @Id
    @SnowflakeId
    Long id;
}
