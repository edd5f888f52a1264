package io.github.snowflakeid.it.edges;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class EdgesShop {

    public static void main(String[] args) {
        SpringApplication.run(EdgesShop.class, args);
    }
}
