package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.IdLayout;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The settings of a generator that a {@link WorkerRegistryFactory} needs.
 *
 * @param store the settings that every store needs
 * @param namespace the name under which processes share worker IDs
 * @param layout the layout of the IDs
 * @param datacenterId the datacenter ID whose worker IDs may be leased, or empty if any may
 * @param furthest how far ahead of the store's clock a reservation may end
 * @param longestAnswer the longest time that a call to the store may take, so that it can be repeated before the lease
 *     expires
 * @param howToSetWorkerId advice for applications that cannot use leases, with lines to paste
 */
public record LeaseSettings(
        StoreSettings store,
        String namespace,
        IdLayout layout,
        OptionalInt datacenterId,
        Duration furthest,
        Duration longestAnswer,
        String howToSetWorkerId) {}
