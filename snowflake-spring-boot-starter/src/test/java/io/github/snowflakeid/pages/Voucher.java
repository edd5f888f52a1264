package io.github.snowflakeid.pages;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Voucher {

    @Id
    @SnowflakeId("vouchers")
    Long id;
}
