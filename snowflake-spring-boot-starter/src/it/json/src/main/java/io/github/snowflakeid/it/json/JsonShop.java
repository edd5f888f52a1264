package io.github.snowflakeid.it.json;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class JsonShop {

    public static void main(String[] args) {
        SpringApplication.run(JsonShop.class, args);
    }
}
