package io.github.snowflakeid;

import java.time.Instant;

/**
 * What an id says: when and by whom it was made. {@link IdLayout#decode(long)} takes an id apart into its fields,
 * {@link IdLayout#encode(IdFields)} puts them together again.
 *
 * @param timestamp when the tick began in which the id was made, by the clock of the process that made it
 * @param datacenterId the datacenter of the maker, 0 if the layout has no datacenter bits
 * @param workerId the maker, among those of its datacenter
 * @param sequence the position within the tick, counted from 0
 * @since 0.1.0
 */
public record IdFields(Instant timestamp, int datacenterId, int workerId, int sequence) {}
