/**
 * Support for tests of applications that generate IDs. {@link io.github.snowflakeid.test.TestIdGenerator} issues predictable IDs,
 * {@link io.github.snowflakeid.test.SettableClock} is a clock that tests control, and {@link io.github.snowflakeid.test.IdChecks} finds
 * duplicate and unordered IDs.
 */
@NullMarked
package io.github.snowflakeid.test;

import org.jspecify.annotations.NullMarked;
