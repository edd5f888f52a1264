package io.github.snowflakeid.it.mybatisplus;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import io.github.snowflakeid.SnowflakeId;

@TableName("ticket")
public class MyBatisPlusTicket {

    @TableId
    @SnowflakeId(value = "tickets", text = SnowflakeId.Text.CROCKFORD)
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
