/**
 * Worker IDs, which keep the IDs of different processes apart, and the ways a process gets one. A
 * {@link io.github.snowflakeid.worker.WorkerIdAssigner} chooses a fixed worker ID; {@link io.github.snowflakeid.worker.LeaseTerms} and
 * {@link io.github.snowflakeid.worker.WorkerRegistry} describe how a worker ID is leased. Read
 * {@link io.github.snowflakeid.worker.WorkerRegistry} first.
 */
@NullMarked
package io.github.snowflakeid.worker;

import org.jspecify.annotations.NullMarked;
