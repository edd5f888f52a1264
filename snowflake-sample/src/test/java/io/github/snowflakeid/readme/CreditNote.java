package io.github.snowflakeid.readme;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.Serializable;

record CreditNoteId(Long value) implements Serializable {}

@Entity
class CreditNote {

    @Id
    @SnowflakeId
    CreditNoteId id;
}
