package io.github.snowflakeid.wrong;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** Outside of the application's packages: only what asks for it meets it. */
@Entity
public class WrongType {
    @Id
    @SnowflakeId
    public UUID key;
}
