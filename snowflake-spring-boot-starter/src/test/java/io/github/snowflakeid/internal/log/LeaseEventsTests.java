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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.support.GenericApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
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

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    void failureOfAListenerIsLoggedAndTheNextEventIsPublished(Class<? extends Throwable> type, CapturedOutput output)
            throws Exception {
        AtomicReference<Throwable> failure =
                new AtomicReference<>(type.getConstructor(String.class).newInstance("no pager"));
        CompletableFuture<String> next = new CompletableFuture<>();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.addApplicationListener((PayloadApplicationEvent<?> event) -> {
                Throwable first = failure.getAndSet(null);
                if (first instanceof Error error) {
                    throw error;
                } else if (first instanceof RuntimeException exception) {
                    throw exception;
                }
                next.complete(output.getAll());
            });
            context.refresh();
            LeaseEvents events = new LeaseEvents(context);
            events.start();

            events.accept(lost());
            events.accept(lost());

            assertThat(next.get(60, TimeUnit.SECONDS))
                    .contains("A listener for SnowflakeLeaseEvent failed", type.getName() + ": no pager");
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
