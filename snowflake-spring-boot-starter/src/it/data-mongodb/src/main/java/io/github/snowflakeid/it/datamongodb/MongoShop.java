package io.github.snowflakeid.it.datamongodb;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class MongoShop {}
