/**
 * Short numbers without a clock: ranges of a counter that a store keeps.
 */
@NullMarked
package io.github.snowflakeid.segment;

import org.jspecify.annotations.NullMarked;
