package io.github.snowflakeid;

import java.util.OptionalInt;

/**
 * Chooses the worker ID of a generator. Implement it to get worker IDs from a source that the library does not support.
 * It is called once, when the generator is built.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface WorkerIdAssigner {

    /**
     * Chooses the datacenter ID and the worker ID of this process.
     *
     * @param layout the layout of the IDs, whose widths limit both values
     * @return the choice; the generator rejects null and values that do not fit the layout
     * @throws WorkerIdUnavailableException if no worker ID is available
     */
    WorkerId assign(IdLayout layout);

    /**
     * Returns an assigner that always chooses the given IDs. The caller must ensure that no other process uses them at
     * the same time.
     *
     * @param datacenterId the datacenter ID; 0 for a layout without datacenter bits
     * @param workerId the worker ID
     * @return the assigner
     */
    static WorkerIdAssigner fixed(int datacenterId, int workerId) {
        WorkerId fixed = new WorkerId(datacenterId, workerId, "configured");
        return layout -> fixed;
    }

    /**
     * Returns an assigner that derives both IDs from the name and the network address of this machine, without any
     * network request. Two machines can derive the same IDs: {@link WorkerId#warning()} contains the probability.
     *
     * @param source the properties of the host to use
     * @return an assigner that throws {@link WorkerIdUnavailableException} if there is no usable
     *     name or address
     */
    static WorkerIdAssigner host(HostSource source) {
        return new HostWorkerIdAssigner(source, OptionalInt.empty(), Host::local);
    }

    /**
     * Returns an assigner that derives only the worker ID, as {@link #host(HostSource)} does, and uses a given
     * datacenter ID.
     *
     * @param source the properties of the host to use
     * @param datacenterId the datacenter ID
     * @return an assigner that throws {@link WorkerIdUnavailableException} if there is no usable
     *     name
     */
    static WorkerIdAssigner host(HostSource source, int datacenterId) {
        return new HostWorkerIdAssigner(source, OptionalInt.of(datacenterId), Host::local);
    }
}
