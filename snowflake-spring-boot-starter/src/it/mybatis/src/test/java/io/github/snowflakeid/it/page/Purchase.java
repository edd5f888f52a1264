package io.github.snowflakeid.it.page;

import io.github.snowflakeid.SnowflakeId;

public class Purchase {

    @SnowflakeId
    private Long id;

    private String customer;
}
