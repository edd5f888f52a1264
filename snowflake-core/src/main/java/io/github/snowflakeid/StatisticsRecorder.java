package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a generator does rarely, when it happens. Safe for use by any number of threads. */
final class StatisticsRecorder {

    /** What becomes of leases. */
    enum Event {
        ACQUIRED,
        RENEWED,
        FAILED
    }

    private final AtomicLong waitedNanos = new AtomicLong();
    private final Map<Refusal, AtomicLong> refusals = new EnumMap<>(Refusal.class);
    private final Map<Event, AtomicLong> events = new EnumMap<>(Event.class);

    /** The highest number of IDs that was reported: an estimate that turns out too high later does not fall. */
    private final AtomicLong issued = new AtomicLong();

    StatisticsRecorder() {
        for (Refusal reason : Refusal.values()) {
            refusals.put(reason, new AtomicLong());
        }
        for (Event event : Event.values()) {
            events.put(event, new AtomicLong());
        }
    }

    void waited(long nanos) {
        waitedNanos.addAndGet(nanos);
    }

    /** Counts a refusal that is about to be thrown. */
    <E extends SnowflakeException> E refused(E refusal) {
        refused(
                refusal instanceof ClockMovedBackwardsException
                        ? Refusal.CLOCK
                        : refusal instanceof TimestampExhaustedException
                                ? Refusal.LAYOUT
                                : refusal instanceof GeneratorClosedException ? Refusal.CLOSED : Refusal.LEASE);
        return refusal;
    }

    void refused(Refusal reason) {
        Objects.requireNonNull(refusals.get(reason)).incrementAndGet();
    }

    void count(Event event) {
        Objects.requireNonNull(events.get(event)).incrementAndGet();
    }

    private long sum(Event event) {
        return Objects.requireNonNull(events.get(event)).get();
    }

    /** @param issuedNow an estimate of how many IDs were issued */
    GeneratorStatistics statistics(long issuedNow, Duration drift, boolean tickerRunning) {
        Map<Refusal, Long> counts = new EnumMap<>(Refusal.class);
        refusals.forEach((reason, count) -> counts.put(reason, count.get()));
        return new GeneratorStatistics(
                issued.accumulateAndGet(issuedNow, Math::max),
                Duration.ofNanos(waitedNanos.get()),
                counts,
                drift,
                tickerRunning,
                sum(Event.ACQUIRED),
                sum(Event.RENEWED),
                sum(Event.FAILED));
    }
}
