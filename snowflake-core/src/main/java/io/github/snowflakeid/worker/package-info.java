/**
 * Worker IDs, which keep the IDs of different processes apart, and the ways a process gets one. A
 * {@link io.github.snowflakeid.worker.WorkerIdAssigner} chooses a fixed worker ID;
 * {@link io.github.snowflakeid.worker.LeaseTerms} and {@link io.github.snowflakeid.worker.WorkerRegistry} describe how
 * a worker ID is leased. Read {@link io.github.snowflakeid.worker.WorkerRegistry} first. A
 * {@link io.github.snowflakeid.worker.DocumentRegistry} keeps leases in any store that can replace a document
 * conditionally.
 */
@NullMarked
package io.github.snowflakeid.worker;

import org.jspecify.annotations.NullMarked;
