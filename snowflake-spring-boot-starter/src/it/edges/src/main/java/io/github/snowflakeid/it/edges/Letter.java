package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.publicid.PublicId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A row with an annotated number as its ID. */
@Entity
public class Letter {

    @Id
    @SnowflakeId
    @PublicId("letter")
    private Long id;

    public Long getId() {
        return id;
    }
}
