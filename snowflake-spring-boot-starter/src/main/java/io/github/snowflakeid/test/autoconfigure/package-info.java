/** Predictable IDs in tests with Spring's test framework. */
@NullMarked
package io.github.snowflakeid.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
