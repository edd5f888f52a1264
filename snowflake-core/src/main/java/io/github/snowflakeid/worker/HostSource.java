package io.github.snowflakeid.worker;

/**
 * What {@link WorkerIdAssigner#host(HostSource)} guesses a worker id from.
 *
 * @since 0.1.0
 */
public enum HostSource {
    /** The worker id from the host name, the datacenter id from the address. */
    AUTO,
    /** Both from the host name: the datacenter id continues the worker id in the higher bits. */
    NAME
}
