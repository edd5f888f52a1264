package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;

/** Sometimes saved with an ID that is already set. */
public record Import(@Id @SnowflakeId Long id, @Version Long version) {}
