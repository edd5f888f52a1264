package io.github.snowflakeid.it.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowflakeid.SnowflakeId;

/** Has private fields with accessors, as entities have. */
public class JsonTicket {

    @SnowflakeId
    private Long id;

    @SnowflakeId("numbers")
    @JsonFormat(shape = JsonFormat.Shape.NUMBER)
    private long number;

    private Long seat;
    private String name;

    public Long getId() {
        return id;
    }

    public void setId(Long id) {
        this.id = id;
    }

    public long getNumber() {
        return number;
    }

    public void setNumber(long number) {
        this.number = number;
    }

    @SnowflakeId
    public Long getSeat() {
        return seat;
    }

    public void setSeat(Long seat) {
        this.seat = seat;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }
}
