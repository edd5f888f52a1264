package io.github.snowflakeid.it.publicids;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class PublicIdShop {

    public static void main(String[] args) {
        SpringApplication.run(PublicIdShop.class, args);
    }
}
