package io.github.snowflakeid.readme;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

record CreditNoteId(Long value) {}

@Entity
class CreditNote {

    @Id
    @SnowflakeId
    CreditNoteId id;
}
