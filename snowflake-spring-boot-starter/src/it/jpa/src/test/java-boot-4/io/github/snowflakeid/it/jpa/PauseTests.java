package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Entry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring 7 pauses cached contexts of a suite while it runs tests of another context. */
class PauseTests {

    @Test
    void pausedContextKeepsItsLeaseAndGeneratesIdsMeanwhileAndAfterwards() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        JpaShop.class, ThreadPoolTaskScheduler.class)
                .web(WebApplicationType.NONE)
                .run("--spring.datasource.url=jdbc:h2:mem:paused", "--snowflake.worker.id=")) {
            SnowflakeIdGenerator ids = context.getBean(SnowflakeIdGenerator.class);
            Entry before = entry(context);
            long first = ids.nextId();

            context.pause();

            assertThat(context.getBean(ThreadPoolTaskScheduler.class).isRunning())
                    .isFalse();
            assertThat(ids.lease()).get().extracting(WorkerLease::state).isEqualTo(State.HELD);
            long second = ids.nextId();
            assertThat(second).isGreaterThan(first);

            context.restart();

            assertThat(context.getBean(ThreadPoolTaskScheduler.class).isRunning())
                    .isTrue();
            assertThat(ids.lease()).get().extracting(WorkerLease::state).isEqualTo(State.HELD);
            assertThat(ids.nextId()).isGreaterThan(second);
            assertThat(entry(context).owner()).isEqualTo(before.owner());
        }
    }

    private static Entry entry(ConfigurableApplicationContext context) {
        return context.getBean(SnowflakeIdGenerator.class)
                .readRegistry()
                .orElseThrow()
                .entries()
                .get(0);
    }
}
