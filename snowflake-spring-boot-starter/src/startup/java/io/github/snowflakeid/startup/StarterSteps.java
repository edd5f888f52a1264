package io.github.snowflakeid.startup;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline.TimelineEvent;
import org.springframework.core.metrics.StartupStep;

/**
 * How long the beans of the starter take to be made, as Spring records it, without those of others that are made on the way. These are
 * some ten milliseconds of a start of seconds, and so far less uneven than the difference of two starts.
 */
final class StarterSteps {

    private static final int CAPACITY = 50_000;

    private final BufferingApplicationStartup startup = new BufferingApplicationStartup(CAPACITY);

    private StarterSteps() {}

    /** Records the start of an application. Its pool opens a connection by itself: whoever asks for the first one waits for others, too. */
    static StarterSteps of(SpringApplication application) {
        StarterSteps steps = new StarterSteps();
        application.setApplicationStartup(steps.startup);
        application.addInitializers(context -> context.getBeanFactory().addBeanPostProcessor(new Connecting()));
        return steps;
    }

    private static final class Connecting implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof DataSource database) {
                try {
                    database.getConnection().close();
                } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                }
            }
            return bean;
        }
    }

    /** All of them. */
    long millis() {
        Map<Long, Long> ofOthers = new HashMap<>();
        long nanos = 0;
        for (TimelineEvent event : startup.getBufferedTimeline().getEvents()) {
            StartupStep step = event.getStartupStep();
            long took = event.getDuration().toNanos();
            if (step.getParentId() != null) {
                ofOthers.merge(step.getParentId(), took, Long::sum);
            }
            // Whatever is made on the way is recorded before.
            nanos += isOfStarter(step) ? took - ofOthers.getOrDefault(step.getId(), 0L) : 0;
        }
        return nanos / 1_000_000;
    }

    private static boolean isOfStarter(StartupStep step) {
        for (StartupStep.Tag tag : step.getTags()) {
            String bean = tag.getValue();
            if (tag.getKey().equals("beanName")
                    && (bean.startsWith("snowflake.")
                            || bean.startsWith("snowflake-")
                            || bean.startsWith("io.github.snowflakeid."))) {
                return true;
            }
        }
        return false;
    }
}
