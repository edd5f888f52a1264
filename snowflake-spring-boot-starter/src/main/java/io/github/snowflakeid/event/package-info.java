/**
 * Application events about the leases of worker IDs, for {@code @EventListener} methods. Start with {@link
 * io.github.snowflakeid.event.SnowflakeLeaseEvent}.
 */
@NullMarked
package io.github.snowflakeid.event;

import org.jspecify.annotations.NullMarked;
