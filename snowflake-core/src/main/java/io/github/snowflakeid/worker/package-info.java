/**
 * Registries of worker IDs for your own store. Read {@link io.github.snowflakeid.WorkerRegistry} first. A
 * {@link io.github.snowflakeid.worker.DocumentRegistry} keeps leases in any store that can replace a document
 * conditionally. A {@link io.github.snowflakeid.worker.BoundedRegistry} limits how long calls to a registry may take.
 */
@NullMarked
package io.github.snowflakeid.worker;

import org.jspecify.annotations.NullMarked;
