package io.github.snowflakeid.it.datamongodb;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

@Document
public record MongoTicket(@Id @SnowflakeId Long id, String title) {}
