package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;

public class Counter {

    @Id
    @SnowflakeId
    long id;

    String name;

    Counter(String name) {
        this.name = name;
    }
}
