/**
 * Sequential numbers (segment mode): short numbers that need no clock. A
 * {@link io.github.snowflakeid.segment.SegmentIdGenerator}, the class to read first, reserves ranges of a counter in a
 * {@link io.github.snowflakeid.segment.SegmentStore} and issues their numbers from memory.
 */
@NullMarked
package io.github.snowflakeid.segment;

import org.jspecify.annotations.NullMarked;
