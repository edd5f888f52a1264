package io.github.snowflakeid.startup;

import java.time.Duration;
import org.springframework.boot.SpringApplication;

/** What the applications that are compared have in common; knows nothing of ids. */
public final class StartedApplication {

    /** Followed by the milliseconds since 1970, and by those that the processors have worked. */
    static final String READY = "ready at ";

    /** Followed by the milliseconds that the processors have worked while nobody asked for anything. */
    static final String IDLE = "idle for ";

    /**
     * Followed by two times in milliseconds: of all beans of the starter, and of its beans for the Actuator and Micrometer.
     */
    static final String BEANS = "beans took ";

    /** Whether to record the beans, which itself takes time. */
    static final String RECORDED = "beans.recorded";

    /** How long to idle; not at all unless set. */
    static final String IDLE_SECONDS = "idle.seconds";

    /** The start leaves work to be done, such as compiling. */
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private StartedApplication() {}

    /** Starts an application, says when it was ready and what that took, idles if asked to, and ends. */
    public static void run(Class<?> application, String... arguments) throws InterruptedException {
        SpringApplication spring = new SpringApplication(application);
        StarterSteps steps = Boolean.getBoolean(RECORDED) ? StarterSteps.of(spring) : null;
        spring.run(arguments);
        long ready = System.currentTimeMillis();
        System.out.println(READY + ready + " " + cpuMillis());
        if (steps != null) {
            System.out.println(BEANS + steps.millis() + " " + steps.watchedMillis());
        }
        long seconds = Long.getLong(IDLE_SECONDS, 0);
        if (seconds > 0) {
            Thread.sleep(SETTLING.toMillis());
            long before = cpuMillis();
            Thread.sleep(Duration.ofSeconds(seconds).toMillis());
            System.out.println(IDLE + (cpuMillis() - before));
        }
        Runtime.getRuntime().halt(0);
    }

    /** Of all threads since the process was started, in the system's steps, mostly of 10 ms. */
    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }
}
