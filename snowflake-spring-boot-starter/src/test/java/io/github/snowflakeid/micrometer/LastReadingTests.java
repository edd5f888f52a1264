package io.github.snowflakeid.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.worker.LeaseTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LastReadingTests {

    private final FailingRegistry registry = new FailingRegistry();
    private final Queue<Runnable> readings = new ArrayDeque<>();
    private long nanos;

    private final SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
            .layout(IdLayout.DEFAULT)
            .lease(LeaseTerms.of(registry).datacenterId(3))
            .build();

    private final LastReading reading = new LastReading(
            generator, generator.leaseTerms().orElseThrow(), InstantSource.system(), () -> nanos, readings::add);

    @AfterEach
    void close() {
        registry.fail(false);
        generator.close();
    }

    @Test
    void whoAsksGetsWhatWasReadLastAndIsReadForOnceAMinute() {
        assertThat(reading.taken()).isNaN();
        assertThat(reading.free()).isNaN();
        assertThat(readings).hasSize(1);
        readings.remove().run();

        assertThat(reading.taken()).isOne();
        assertThat(reading.free()).isEqualTo(31);
        nanos += TimeUnit.SECONDS.toNanos(59);
        assertThat(reading.taken()).isOne();
        assertThat(readings).isEmpty();
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(reading.taken()).isOne();
        assertThat(readings).hasSize(1);
    }

    @Test
    void storeThatDoesNotAnswerIsNotAskedTwiceAndHasNoNumber() {
        reading.taken();
        nanos += TimeUnit.MINUTES.toNanos(5);
        reading.taken();
        assertThat(readings).hasSize(1);
        registry.fail(true);
        readings.remove().run();

        assertThat(reading.taken()).isNaN();
    }

    @Test
    void clockSkewIsThatOfTheLastReadingAndBeforeThatOfTheLease() {
        assertThat(reading.skewSeconds()).isBetween(-1.0, 1.0);
        registry.clockAhead(Duration.ofSeconds(6));
        readings.remove().run();

        assertThat(reading.skewSeconds()).isBetween(5.0, 7.0);
        nanos += TimeUnit.MINUTES.toNanos(1);
        reading.skewSeconds();
        registry.fail(true);
        readings.remove().run();
        assertThat(reading.skewSeconds())
                .as("what is known while the registry does not answer")
                .isBetween(5.0, 7.0);
    }

    @Test
    void isReadLaterWhereThereIsNoThreadToReadIt() {
        LastReading late = new LastReading(
                generator, generator.leaseTerms().orElseThrow(), InstantSource.system(), () -> nanos, task -> {
                    if (readings.isEmpty()) {
                        readings.add(task);
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                });

        assertThat(late.taken()).isNaN();
        nanos += TimeUnit.MINUTES.toNanos(1);
        assertThat(late.taken()).isOne();
    }
}
