package io.github.snowflakeid.it.jooq;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class JooqShop {

    public static void main(String[] args) {
        SpringApplication.run(JooqShop.class, args);
    }
}
