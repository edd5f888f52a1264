package io.github.snowflakeid.segment;

import java.time.Duration;

/** The values of {@link SegmentStatistics}. */
record SegmentValues(
        long issued, Duration waited, long refused, long fetches, long failures, long step, long remaining, long last)
        implements SegmentStatistics {}
