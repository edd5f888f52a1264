package io.github.snowflakeid.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerIdCountTests {

    private final FailingRegistry registry = new FailingRegistry();
    private final Queue<Runnable> readings = new ArrayDeque<>();
    private long nanos;

    private final SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
            .layout(IdLayout.DEFAULT)
            .lease(LeaseTerms.of(registry).withDatacenterId(3))
            .build();

    private final WorkerIdCount count =
            new WorkerIdCount(generator, generator.leaseTerms().orElseThrow(), () -> nanos, readings::add);

    @AfterEach
    void close() {
        registry.fail(false);
        generator.close();
    }

    @Test
    void queriesGetTheLastReadValueWhichIsReadOnceAMinute() {
        assertThat(count.leased()).isNaN();
        assertThat(count.free()).isNaN();
        assertThat(readings).hasSize(1);
        readings.remove().run();

        assertThat(count.leased()).isOne();
        assertThat(count.free()).isEqualTo(31);
        nanos += TimeUnit.SECONDS.toNanos(59);
        assertThat(count.leased()).isOne();
        assertThat(readings).isEmpty();
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(count.leased()).isOne();
        assertThat(readings).hasSize(1);
    }

    @Test
    void clockOfTheStoreIsReadWithTheNumbersAndOnItsOwn() {
        Instant atFirst = generator.lease().orElseThrow().clockReadAt();
        while (!Instant.now().isAfter(atFirst.plusMillis(2))) {
            Thread.onSpinWait();
        }

        assertThat(count.skew()).isEqualTo(generator.lease().orElseThrow().clockSkew());
        readings.remove().run();

        assertThat(generator.lease().orElseThrow().clockReadAt()).isAfter(atFirst);
        assertThat(count.skew()).isEqualTo(generator.lease().orElseThrow().clockSkew());
        assertThat(readings).isEmpty();
    }

    @Test
    void isReadAgainAMinuteAfterNoThreadWasToBeHad() {
        AtomicInteger asked = new AtomicInteger();
        WorkerIdCount unread =
                new WorkerIdCount(generator, generator.leaseTerms().orElseThrow(), () -> nanos, reading -> {
                    asked.incrementAndGet();
                    throw new OutOfMemoryError("unable to create native thread");
                });

        assertThat(unread.leased()).isNaN();
        assertThat(unread.leased()).isNaN();
        assertThat(asked).hasValue(1);
        nanos += TimeUnit.MINUTES.toNanos(1);
        assertThat(unread.leased()).isNaN();
        assertThat(asked).hasValue(2);
    }

    @Test
    void errorOfTheStoreIsNoNumberEither() {
        FailingRegistry broken = new FailingRegistry();
        try (SnowflakeIdGenerator other =
                SnowflakeIdGenerator.builder().lease(LeaseTerms.of(broken)).build()) {
            WorkerIdCount ofBroken =
                    new WorkerIdCount(other, other.leaseTerms().orElseThrow(), () -> nanos, readings::add);
            ofBroken.leased();
            readings.remove().run();
            assertThat(ofBroken.leased()).isOne();
            nanos += TimeUnit.MINUTES.toNanos(1);
            ofBroken.leased();
            broken.before(call -> {
                throw new NoClassDefFoundError("thrown by a test");
            });

            assertThatExceptionOfType(NoClassDefFoundError.class)
                    .isThrownBy(() -> readings.remove().run());

            assertThat(ofBroken.leased()).isNaN();
            broken.before(call -> {});
        }
    }

    @Test
    void storeThatDoesNotAnswerIsReadOnceAndHasNoNumber() {
        count.leased();
        nanos += TimeUnit.MINUTES.toNanos(5);
        count.leased();
        assertThat(readings).hasSize(1);
        registry.fail(true);
        readings.remove().run();

        assertThat(count.leased()).isNaN();
    }
}
