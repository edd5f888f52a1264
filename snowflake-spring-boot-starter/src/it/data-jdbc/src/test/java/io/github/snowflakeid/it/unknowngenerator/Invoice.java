package io.github.snowflakeid.it.unknowngenerator;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table
class Invoice {

    @Id
    @SnowflakeId("ticket")
    Long id;
}
