package io.github.snowflakeid.startup.mybatis;

import io.github.snowflakeid.startup.StartedApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with MyBatis and a Snowflake ID. */
@SpringBootApplication
public class MybatisShop {

    /** Starts, reports when it is ready, ends. */
    public static void main(String[] arguments) throws InterruptedException {
        StartedApplication.run(MybatisShop.class, arguments);
    }
}
