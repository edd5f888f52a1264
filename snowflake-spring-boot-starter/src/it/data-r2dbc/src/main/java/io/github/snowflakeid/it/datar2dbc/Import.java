package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;

/** Comes with an id now and then. */
public record Import(@Id @SnowflakeId Long id, @Version Long version) {}
