/**
 * Contracts between generators and the stores in which worker IDs are leased and counters are kept. This package knows
 * no store. Read {@link io.github.snowflakeid.internal.store.WorkerRegistryFactory} and
 * {@link io.github.snowflakeid.internal.store.SegmentStoreFactory} first.
 */
@NullMarked
package io.github.snowflakeid.internal.store;

import org.jspecify.annotations.NullMarked;
