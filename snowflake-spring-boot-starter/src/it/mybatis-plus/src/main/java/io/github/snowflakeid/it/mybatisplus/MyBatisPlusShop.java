package io.github.snowflakeid.it.mybatisplus;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class MyBatisPlusShop {

    public static void main(String[] args) {
        SpringApplication.run(MyBatisPlusShop.class, args);
    }
}
