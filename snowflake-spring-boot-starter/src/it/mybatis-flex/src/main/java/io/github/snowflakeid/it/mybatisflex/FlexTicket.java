package io.github.snowflakeid.it.mybatisflex;

import com.mybatisflex.annotation.Id;
import com.mybatisflex.annotation.KeyType;
import com.mybatisflex.annotation.Table;
import io.github.snowflakeid.SnowflakeId;
import java.io.Serializable;

/** Both annotations, on a typed ID and on another column. */
@Table("ticket")
public class FlexTicket {

    /** A typed ID. MyBatis-Flex requires {@link Serializable}. */
    @SnowflakeId
    public record TicketId(Long value) implements Serializable {}

    @Id(keyType = KeyType.Generator, value = "snowflake")
    @SnowflakeId
    private TicketId id;

    @SnowflakeId("numbers")
    private long number;

    private String title;

    public TicketId getId() {
        return id;
    }

    public void setId(TicketId id) {
        this.id = id;
    }

    public long getNumber() {
        return number;
    }

    public void setNumber(long number) {
        this.number = number;
    }

    public String getTitle() {
        return title;
    }

    public void setTitle(String title) {
        this.title = title;
    }
}
