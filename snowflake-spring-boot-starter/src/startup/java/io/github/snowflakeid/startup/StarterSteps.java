package io.github.snowflakeid.startup;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline.TimelineEvent;
import org.springframework.core.metrics.StartupStep;

/**
 * How long the beans of the starter take to be made, as Spring records it, without those of others that are made on the
 * way. These are some ten milliseconds of a start of seconds, and so far less uneven than the difference of two starts.
 */
final class StarterSteps {

    private static final int CAPACITY = 50_000;

    /** How names of beans begin that are for the Actuator and Micrometer. */
    private static final List<String> OF_WATCHED = List.of(
            "snowflake.endpoint",
            "snowflake.infoContributor",
            "snowflake.meters",
            "snowflake.publicIdKeySanitizer",
            "snowflakeHealth",
            "io.github.snowflakeid.actuate.",
            "io.github.snowflakeid.micrometer.",
            "io.github.snowflakeid.publicid.actuator.");

    private final BufferingApplicationStartup startup = new BufferingApplicationStartup(CAPACITY);

    private long bindingNanos;

    private StarterSteps() {}

    /**
     * Records the start of an application. Before that, it opens a connection and creates a table, which Hibernate
     * needs in any case, because the first connection also waits for the pool and the driver.
     */
    static StarterSteps of(SpringApplication application) {
        StarterSteps steps = new StarterSteps();
        application.setApplicationStartup(steps.startup);
        application.addInitializers(context -> context.getBeanFactory().addBeanPostProcessor(steps.new Preparing()));
        return steps;
    }

    private final class Preparing implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (name.equals("snowflake.meters")) {
                return new TimedMeters(bean);
            }
            if (bean instanceof DataSource database) {
                try (Connection connection = database.getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.getMetaData().getDatabaseProductName();
                    statement.execute("CREATE TABLE first_of_all (id BIGINT PRIMARY KEY)");
                    statement.execute("DROP TABLE first_of_all");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
            return bean;
        }
    }

    /** They are bound after all beans are made. A class of its own, since not every application has Micrometer. */
    private final class TimedMeters implements MeterBinder {

        private final MeterBinder meters;

        TimedMeters(Object meters) {
            this.meters = (MeterBinder) meters;
        }

        @Override
        public void bindTo(MeterRegistry registry) {
            long before = System.nanoTime();
            meters.bindTo(registry);
            bindingNanos += System.nanoTime() - before;
        }
    }

    /** All of them. */
    long millis() {
        return millis(false);
    }

    /** Those of them that are for the Actuator and Micrometer. */
    long watchedMillis() {
        return millis(true);
    }

    private long millis(boolean onlyOfWatched) {
        Map<Long, Long> ofOthers = new HashMap<>();
        long nanos = bindingNanos;
        for (TimelineEvent event : startup.getBufferedTimeline().getEvents()) {
            StartupStep step = event.getStartupStep();
            long took = event.getDuration().toNanos();
            if (step.getParentId() != null) {
                ofOthers.merge(step.getParentId(), took, Long::sum);
            }
            // Whatever is made on the way is recorded before.
            if (isCounted(step, onlyOfWatched)) {
                nanos += took - ofOthers.getOrDefault(step.getId(), 0L);
            }
        }
        return nanos / 1_000_000;
    }

    private static boolean isCounted(StartupStep step, boolean onlyOfWatched) {
        for (StartupStep.Tag tag : step.getTags()) {
            if (tag.getKey().equals("beanName")) {
                return onlyOfWatched ? isOfWatched(tag.getValue()) : isOfStarter(tag.getValue());
            }
        }
        return false;
    }

    private static boolean isOfStarter(String bean) {
        return bean.startsWith("snowflake.")
                || bean.startsWith("snowflake-")
                || bean.startsWith("io.github.snowflakeid.")
                || isOfWatched(bean);
    }

    private static boolean isOfWatched(String bean) {
        for (String part : OF_WATCHED) {
            if (bean.startsWith(part)) {
                return true;
            }
        }
        return false;
    }
}
