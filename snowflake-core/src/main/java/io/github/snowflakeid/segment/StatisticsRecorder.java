package io.github.snowflakeid.segment;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is rare: what callers wait for, and what becomes of fetches. Safe for use by any number of threads. */
final class StatisticsRecorder {

    private final AtomicLong waitedNanos = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong fetches = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /** A caller has waited for a segment. */
    void waited(long nanos) {
        waitedNanos.addAndGet(nanos);
    }

    /** A caller gets no number. */
    void refused() {
        refused.incrementAndGet();
    }

    /** A segment was taken. */
    void fetched() {
        fetches.incrementAndGet();
    }

    /** No store gave a segment. */
    void failed() {
        failures.incrementAndGet();
    }

    SegmentStatistics statistics(long step, long last, SegmentBuffer stock) {
        return new SegmentStatistics(
                stock.issued(),
                Duration.ofNanos(waitedNanos.get()),
                refused.get(),
                fetches.get(),
                failures.get(),
                step,
                stock.remaining(),
                last);
    }
}
