package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("TICKET")
public record DataJdbcTicket(@Id @SnowflakeId Long id, String title) {}
