/**
 * 64-bit, time-ordered ids, made in the application itself.
 *
 * <p>Start at {@link io.github.snowflakeid.SnowflakeIdGenerator}: it makes ids. {@link io.github.snowflakeid.IdLayout}
 * says how the bits of an id are divided, and takes ids apart again.
 */
@NullMarked
package io.github.snowflakeid;

import org.jspecify.annotations.NullMarked;
