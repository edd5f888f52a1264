package io.github.snowflakeid.startup;

import org.springframework.boot.SpringApplication;

/** What the applications that are compared have in common; knows nothing of ids. */
public final class StartedApplication {

    static final String READY = "ready at ";

    private StartedApplication() {}

    /** Starts an application, says at which millisecond since 1970 it was ready, and ends. */
    public static void run(Class<?> application, String... arguments) {
        SpringApplication.run(application, arguments);
        System.out.println(READY + System.currentTimeMillis());
        // What it takes to stop is not asked.
        Runtime.getRuntime().halt(0);
    }
}
