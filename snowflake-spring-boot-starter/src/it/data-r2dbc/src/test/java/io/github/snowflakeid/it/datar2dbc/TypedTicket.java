package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;

/** An entity with typed IDs, known by its repository. */
record TypedTicket(@Id TypedTicket.Number id, TypedTicket.Number replaces, String title) {

    @SnowflakeId
    record Number(Long value) {}
}
