package io.github.snowflakeid.it.mybatis;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class MyBatisShop {

    public static void main(String[] args) {
        SpringApplication.run(MyBatisShop.class, args);
    }
}
