package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("VOUCHER")
public record DataJdbcVoucher(@Id @SnowflakeId Number id, Number replaces) {

    public record Number(Long value) {}
}
