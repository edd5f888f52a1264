package io.github.snowflakeid.it.shardingsphere;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ShardingShop {

    public static void main(String[] args) {
        SpringApplication.run(ShardingShop.class, args);
    }
}
