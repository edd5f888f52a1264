package io.github.snowflakeid.segment;

import java.time.Duration;

/**
 * What a {@link SegmentIdGenerator} has done since it was made, and how it stands. Immutable. Figures are read one after the other
 * while others take numbers.
 *
 * @param issued how many numbers callers got
 * @param waited how long callers have waited for a segment, all together
 * @param refused how often a caller got no number
 * @param fetches how many segments were taken from a store
 * @param failures how often a store failed when a segment was to be taken
 * @param step how many numbers the segment was to have that was asked for last
 * @param remaining how many numbers are at hand
 * @param last the last number that was taken from a store; one less than the start if none was
 */
public record SegmentStatistics(
        long issued,
        Duration waited,
        long refused,
        long fetches,
        long failures,
        long step,
        long remaining,
        long last) {}
