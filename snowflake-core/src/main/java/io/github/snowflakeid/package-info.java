/**
 * Generates 64-bit, time-ordered IDs inside the application, without a call to a server for each ID.
 *
 * <p>Read {@link io.github.snowflakeid.SnowflakeIdGenerator} first: it generates the IDs. {@link
 * io.github.snowflakeid.IdLayout} defines how the bits of an ID are divided, and decodes IDs. Worker IDs keep the IDs
 * of different processes apart: a {@link io.github.snowflakeid.WorkerIdAssigner} chooses a worker ID, or the generator
 * leases one from a {@link io.github.snowflakeid.WorkerRegistry}, on {@link io.github.snowflakeid.LeaseTerms}. Of the
 * other packages, this one uses only {@code internal}.
 */
@NullMarked
package io.github.snowflakeid;

import org.jspecify.annotations.NullMarked;
