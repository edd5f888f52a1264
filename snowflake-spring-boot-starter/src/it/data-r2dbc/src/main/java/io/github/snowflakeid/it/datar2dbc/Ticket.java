package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;

public record Ticket(@Id @SnowflakeId Long id, String title) {}
