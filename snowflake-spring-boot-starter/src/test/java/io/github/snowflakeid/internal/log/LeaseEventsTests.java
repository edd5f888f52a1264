package io.github.snowflakeid.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
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

    /**
     * The class loader of the creating thread and the system class loader may not see the classes of the application.
     */
    @Test
    void listenersAreCalledWithTheClassLoaderOfTheApplication() throws Exception {
        try (URLClassLoader ofApplication =
                        new URLClassLoader(new URL[0], getClass().getClassLoader());
                GenericApplicationContext context = new GenericApplicationContext()) {
            context.setClassLoader(ofApplication);
            CompletableFuture<Thread> listening = new CompletableFuture<>();
            CompletableFuture<ClassLoader> loader = new CompletableFuture<>();
            context.addApplicationListener((PayloadApplicationEvent<?> event) -> {
                listening.complete(Thread.currentThread());
                loader.complete(Thread.currentThread().getContextClassLoader());
            });
            context.refresh();
            LeaseEvents events = new LeaseEvents(context);
            events.start();

            events.accept(lost());

            assertThat(loader.get(60, TimeUnit.SECONDS)).isSameAs(ofApplication);
            assertThat(listening.get().isDaemon()).isTrue();
        }
    }

    /** An interrupt could stop the destruction of a bean halfway, for example of a connection pool. */
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

            events.accept(lost());

            assertThat(interrupted.get(60, TimeUnit.SECONDS)).isFalse();
        }
    }

    private static SnowflakeLeaseEvent lost() {
        Instant now = Instant.EPOCH;
        return new SnowflakeLeaseEvent(
                "",
                SnowflakeLeaseEvent.Kind.LOST,
                WorkerLease.of(WorkerLease.State.LOST, 0, 0, now, now, now).withReason("taken"),
                Duration.ZERO);
    }
}
