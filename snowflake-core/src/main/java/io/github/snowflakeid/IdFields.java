package io.github.snowflakeid;

import java.time.Instant;

/**
 * The fields of an ID: when it was generated, and with which worker ID. {@link IdLayout#decode(long)} decodes an ID
 * into its fields, {@link IdLayout#encode(IdFields)} encodes fields as an ID.
 *
 * @param timestamp the start of the ID's tick, by the clock of the process that generated the ID
 * @param datacenterId the datacenter ID; 0 if the layout has no datacenter bits
 * @param workerId the worker ID, which is unique within its datacenter ID
 * @param sequence the position within the tick, counted from 0
 * @since 1.0
 */
public record IdFields(Instant timestamp, int datacenterId, int workerId, int sequence) {}
