package io.github.snowflakeid.it.unknownmongogenerator;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

@Document
public record MongoInvoice(@Id @SnowflakeId("invoices") Long id) {}
