package io.github.snowflakeid.startup.row;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** What the applications that are compared have in common. Knows no library of IDs. */
public final class FirstRow {

    /**
     * Followed by the milliseconds since 1970, by those that the processors have worked for all threads and for the main
     * thread, and by the number of classes.
     */
    public static final String READY = "ready at ";

    private FirstRow() {}

    /** Starts an application, saves a row, reports the figures, ends. */
    public static void run(Class<?> application, Consumer<ConfigurableApplicationContext> row) {
        row.accept(new SpringApplication(application).run());
        long ready = System.currentTimeMillis();
        long cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
        long main = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1_000_000;
        long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
        System.out.println(READY + ready + " " + cpu + " " + main + " " + classes);
        Runtime.getRuntime().halt(0);
    }
}
