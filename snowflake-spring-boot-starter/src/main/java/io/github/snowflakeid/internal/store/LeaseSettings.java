package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.IdLayout;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The settings of a generator that a {@link LeaseStore} needs.
 *
 * @param store the settings that any store needs
 * @param namespace the name under which processes share worker IDs
 * @param layout the layout of the IDs
 * @param datacenterId the only datacenter ID whose worker IDs are leased, or empty
 * @param furthest how far ahead of the store's clock time may be reserved
 * @param longestAnswer how long a call to the store may take, so that another call can follow before a lease ends
 * @param howToSetWorkerId advice for users who cannot lease, with lines that can be pasted
 */
public record LeaseSettings(
        StoreSettings store,
        String namespace,
        IdLayout layout,
        OptionalInt datacenterId,
        Duration furthest,
        Duration longestAnswer,
        String howToSetWorkerId) {}
