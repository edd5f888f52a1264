package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("counter")
public class R2dbcCounter {

    @Id
    @SnowflakeId
    long id;

    String name;

    R2dbcCounter(String name) {
        this.name = name;
    }
}
