package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("COUNTER")
public class DataJdbcCounter {

    @Id
    @SnowflakeId
    long id;

    String name;

    DataJdbcCounter(String name) {
        this.name = name;
    }
}
