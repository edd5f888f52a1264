package io.github.snowflakeid.it.mybatis;

import io.github.snowflakeid.SnowflakeId;
import java.math.BigInteger;

public class MyBatisTicket extends BaseRow<Long> {

    /** Has neither getter nor setter. */
    @SnowflakeId("tickets")
    private String number;

    @SnowflakeId
    private long serial;

    private BigInteger code;

    public String number() {
        return number;
    }

    public long serial() {
        return serial;
    }

    @SnowflakeId
    public BigInteger getCode() {
        return code;
    }

    public void setCode(BigInteger code) {
        this.code = code;
    }
}
