package io.github.snowflakeid.startup.plain;

import io.github.snowflakeid.startup.StartedApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application without a word of Snowflake ids. */
@SpringBootApplication
public class PlainShop {

    /** Starts, says when it is ready, ends. */
    public static void main(String[] arguments) throws InterruptedException {
        StartedApplication.run(PlainShop.class, arguments);
    }
}
