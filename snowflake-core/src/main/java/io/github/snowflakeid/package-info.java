/**
 * Generates 64-bit, time-ordered IDs inside the application, without a call to a server for each ID.
 *
 * <p>Read {@link io.github.snowflakeid.SnowflakeIdGenerator} first: it generates the IDs.
 * {@link io.github.snowflakeid.IdLayout} defines how the bits of an ID are divided, and decodes IDs. The
 * {@link io.github.snowflakeid.worker worker} package assigns or leases the worker IDs that keep the IDs of different
 * processes apart.
 */
@NullMarked
package io.github.snowflakeid;

import org.jspecify.annotations.NullMarked;
