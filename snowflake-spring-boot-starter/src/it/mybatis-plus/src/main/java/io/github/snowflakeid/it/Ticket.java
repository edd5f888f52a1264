package io.github.snowflakeid.it;

import com.baomidou.mybatisplus.annotation.TableId;
import io.github.snowflakeid.SnowflakeId;

public class Ticket {

    @TableId
    @SnowflakeId("tickets")
    private String number;

    @SnowflakeId
    private long serial;

    public String getNumber() {
        return number;
    }

    public long getSerial() {
        return serial;
    }
}
