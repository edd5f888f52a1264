package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("ticket")
public record R2dbcTicket(@Id @SnowflakeId Long id, String title) {}
