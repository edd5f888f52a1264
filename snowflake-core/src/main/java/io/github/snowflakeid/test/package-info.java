/** For tests of applications: predictable IDs, and a clock that stands still. */
@NullMarked
package io.github.snowflakeid.test;

import org.jspecify.annotations.NullMarked;
