package io.github.snowflakeid.startup.snowflake;

import io.github.snowflakeid.startup.StartedApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application with Snowflake ids. */
@SpringBootApplication
public class SnowflakeShop {

    /** Starts, says when it is ready, ends. */
    public static void main(String[] arguments) throws InterruptedException {
        StartedApplication.run(SnowflakeShop.class, arguments);
    }
}
