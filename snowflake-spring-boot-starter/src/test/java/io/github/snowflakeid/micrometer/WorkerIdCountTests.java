package io.github.snowflakeid.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.worker.LeaseTerms;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerIdCountTests {

    private final FailingRegistry registry = new FailingRegistry();
    private final Queue<Runnable> readings = new ArrayDeque<>();
    private long nanos;

    private final SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
            .layout(IdLayout.DEFAULT)
            .lease(LeaseTerms.of(registry).datacenterId(3))
            .build();

    private final WorkerIdCount count =
            new WorkerIdCount(generator, generator.leaseTerms().orElseThrow(), () -> nanos, readings::add);

    @AfterEach
    void close() {
        registry.fail(false);
        generator.close();
    }

    @Test
    void whoAsksGetsWhatWasReadLastAndIsReadForOnceAMinute() {
        assertThat(count.taken()).isNaN();
        assertThat(count.free()).isNaN();
        assertThat(readings).hasSize(1);
        readings.remove().run();

        assertThat(count.taken()).isOne();
        assertThat(count.free()).isEqualTo(31);
        nanos += TimeUnit.SECONDS.toNanos(59);
        assertThat(count.taken()).isOne();
        assertThat(readings).isEmpty();
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(count.taken()).isOne();
        assertThat(readings).hasSize(1);
    }

    @Test
    void storeThatDoesNotAnswerIsNotAskedTwiceAndHasNoNumber() {
        count.taken();
        nanos += TimeUnit.MINUTES.toNanos(5);
        count.taken();
        assertThat(readings).hasSize(1);
        registry.fail(true);
        readings.remove().run();

        assertThat(count.taken()).isNaN();
    }
}
