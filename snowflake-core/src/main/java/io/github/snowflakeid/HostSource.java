package io.github.snowflakeid;

/**
 * The properties of the host from which {@link WorkerIdAssigner#host(HostSource)} derives the worker ID and the
 * datacenter ID.
 *
 * @since 1.0
 */
public enum HostSource {
    /** Derives the worker ID from the host name and the datacenter ID from the network address. */
    AUTO,
    /** Derives both from the host name. The datacenter ID consists of the bits above the worker ID. */
    NAME
}
