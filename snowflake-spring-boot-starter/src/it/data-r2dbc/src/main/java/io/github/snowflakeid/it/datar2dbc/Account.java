package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;

/** Several columns with IDs, of several types and generators. */
public class Account {

    @Id
    @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
    private String id;

    private long number;

    @SnowflakeId("tickets")
    private Long legacy;

    public String id() {
        return id;
    }

    @SnowflakeId
    public long getNumber() {
        return number;
    }

    public Long legacy() {
        return legacy;
    }
}
