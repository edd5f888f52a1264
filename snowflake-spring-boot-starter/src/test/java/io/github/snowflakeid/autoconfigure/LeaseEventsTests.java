package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.worker.WorkerLease;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.support.GenericApplicationContext;

class LeaseEventsTests {

    /** That of whoever has made the thread may know no class of the application, nor does that of the system always. */
    @Test
    void listenersAreCalledWithTheClassLoaderOfTheApplication() throws Exception {
        try (URLClassLoader ofApplication =
                        new URLClassLoader(new URL[0], getClass().getClassLoader());
                GenericApplicationContext context = new GenericApplicationContext()) {
            context.setClassLoader(ofApplication);

            Thread thread = new LeaseEvents(context).newThread(() -> {});

            assertThat(thread.getContextClassLoader()).isSameAs(ofApplication);
            assertThat(thread.isDaemon()).isTrue();
        }
    }

    /** Beans that are destroyed then may be stopped halfway by an interrupt, as a connection pool is. */
    @Test
    void listenerThatClosesTheContextIsNotInterrupted() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            LeaseEvents events = new LeaseEvents(context);
            context.addApplicationListener((PayloadApplicationEvent<?> event) -> {
                events.stop();
                interrupted.complete(Thread.currentThread().isInterrupted());
            });
            context.refresh();
            events.start();
            Instant now = Instant.EPOCH;

            events.accept(new SnowflakeLeaseEvent(
                    "",
                    SnowflakeLeaseEvent.Kind.LOST,
                    WorkerLease.of(WorkerLease.State.LOST, 0, 0, now, now, now).with(WorkerLease.State.LOST, "taken"),
                    Duration.ZERO));

            assertThat(interrupted.get(60, TimeUnit.SECONDS)).isFalse();
        }
    }
}
