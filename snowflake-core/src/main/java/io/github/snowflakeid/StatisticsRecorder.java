package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the rare events of a generator, such as waits and renewals, for its statistics. Safe for use by any number of
 * threads.
 */
final class StatisticsRecorder {

    /** How often a worker ID was leased. */
    final LongAdder acquired = new LongAdder();

    /** How often a lease was renewed. */
    final LongAdder renewed = new LongAdder();

    /** How often an acquisition or a renewal failed. */
    final LongAdder failed = new LongAdder();

    private final LongAdder waitedNanos = new LongAdder();
    private final Map<Refusal, LongAdder> refusals = new EnumMap<>(Refusal.class);

    /** The highest number of IDs reported so far: the estimate may fall later, but the reported number must not. */
    private final AtomicLong issued = new AtomicLong();

    StatisticsRecorder() {
        for (Refusal reason : Refusal.values()) {
            refusals.put(reason, new LongAdder());
        }
    }

    void waited(long nanos) {
        waitedNanos.add(nanos);
    }

    /** Counts a caller that gets no ID, and returns the exception to throw. */
    <E extends SnowflakeException> E refused(Refusal reason, E exception) {
        refused(reason);
        return exception;
    }

    /** Counts a caller that gets no ID. */
    void refused(Refusal reason) {
        Objects.requireNonNull(refusals.get(reason)).increment();
    }

    /** @param issuedNow an estimate of how many IDs were issued */
    GeneratorStatistics statistics(long issuedNow, Duration drift, boolean tickerRunning) {
        Map<Refusal, Long> counts = new EnumMap<>(Refusal.class);
        refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
        return new StatisticsValues(
                issued.accumulateAndGet(issuedNow, Math::max),
                Duration.ofNanos(waitedNanos.sum()),
                Collections.unmodifiableMap(counts),
                drift,
                tickerRunning,
                acquired.sum(),
                renewed.sum(),
                failed.sum());
    }
}
