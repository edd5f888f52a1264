package io.github.snowflakeid.it.datamongodb;

import io.github.snowflakeid.SnowflakeId;

@SnowflakeId
public record MongoOrderId(long value) {}
