package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.SnowflakeId;
import java.math.BigInteger;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/** Several columns with IDs, of several types and generators. */
@Table("ACCOUNT")
public class DataJdbcAccount {

    @Id
    @SnowflakeId
    private String id;

    private long number;

    @SnowflakeId("tickets")
    private BigInteger legacy;

    @Embedded(onEmpty = Embedded.OnEmpty.USE_NULL, prefix = "origin_")
    private Origin origin;

    DataJdbcAccount(Origin origin) {
        this.origin = origin;
    }

    public record Origin(@SnowflakeId Long id, String name) {}

    public String id() {
        return id;
    }

    @SnowflakeId
    public long getNumber() {
        return number;
    }

    public BigInteger legacy() {
        return legacy;
    }

    public void forgetLegacy() {
        legacy = null;
    }

    public void importAs(String id) {
        this.id = id;
    }

    public Origin origin() {
        return origin;
    }
}
