package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.worker.LeaseTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseWatchTests {

    private static final Duration TTL = Duration.ofSeconds(4);

    private final FailingRegistry registry = new FailingRegistry();
    private final CountDownLatch answers = new CountDownLatch(1);
    private final BlockingQueue<Kind> told = new LinkedBlockingQueue<>();
    private final LeaseWatch watch = new LeaseWatch();

    @AfterEach
    void stop() {
        watch.stop();
    }

    private SnowflakeIdGenerator watched(Consumer<SnowflakeLeaseEvent> events) {
        LeaseLog log = new LeaseLog("", "", TTL, InstantSource.system(), events);
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry).ttl(TTL).listener(log))
                .build();
        watch.add(log.of(generator));
        watch.start();
        return generator;
    }

    /** A log without a disk, and a machine without memory for another thread, throw through what looks at leases. */
    @Test
    void goesOnAfterALookThatFailed() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        Consumer<SnowflakeLeaseEvent> failsOnce = event -> {
            if (event.kind() == Kind.EXPIRING && failures.getAndIncrement() == 0) {
                throw new OutOfMemoryError("thrown by a test");
            }
            told.add(event.kind());
        };
        try (SnowflakeIdGenerator generator = watched(failsOnce)) {
            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(Kind.HELD);
            registry.before(call -> answers.await());

            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(Kind.LOST);

            assertThat(failures).hasValue(1);
            answers.countDown();
            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(Kind.RECOVERED);
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void hasTheClassLoaderOfTheLibrary() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try (SnowflakeIdGenerator generator = watched(event -> {})) {
            assertThat(generator.nextId()).isPositive();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("snowflake-watch"))
                    .isNotEmpty()
                    .extracting(Thread::getContextClassLoader)
                    .containsOnly(LeaseWatch.class.getClassLoader());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
