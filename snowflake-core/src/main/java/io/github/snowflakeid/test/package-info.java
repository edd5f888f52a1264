/**
 * Support for tests of applications that generate IDs. {@link io.github.snowflakeid.test.TestIdGenerator} issues
 * predictable IDs, and {@link io.github.snowflakeid.test.SettableClock} is a clock that tests control.
 */
@NullMarked
package io.github.snowflakeid.test;

import org.jspecify.annotations.NullMarked;
