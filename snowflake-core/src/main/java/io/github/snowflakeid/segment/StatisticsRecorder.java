package io.github.snowflakeid.segment;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts what is rare: what callers wait for, and what becomes of fetches. Safe for use by any number of threads. */
final class StatisticsRecorder {

    final LongAdder waitedNanos = new LongAdder();

    /** How often a caller got no number. */
    final LongAdder refused = new LongAdder();

    /** How many segments were taken. */
    final LongAdder fetches = new LongAdder();

    /** How often no store gave a segment. */
    final LongAdder failures = new LongAdder();

    SegmentStatistics statistics(long step, long last, SegmentBuffer stock) {
        return new SegmentStatistics(
                stock.issued(),
                Duration.ofNanos(waitedNanos.sum()),
                refused.sum(),
                fetches.sum(),
                failures.sum(),
                step,
                stock.remaining(),
                last);
    }
}
