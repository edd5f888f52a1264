/**
 * Predictable IDs in Spring tests. Start with {@link io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds}.
 */
@NullMarked
package io.github.snowflakeid.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
