package io.github.snowflakeid.worker;

import io.github.snowflakeid.IdLayout;
import java.util.OptionalInt;

/**
 * Decides which worker id a generator uses. Implement it to take worker ids from a place of your own; it is asked once,
 * when the generator is built.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WorkerIdAssigner {

    /**
     * Chooses the datacenter id and the worker id of this process.
     *
     * @param layout the layout of the ids to be made, whose widths bound the two
     * @return the choice; the generator rejects null, and one that does not fit the layout
     * @throws io.github.snowflakeid.WorkerIdUnavailableException if there is none
     */
    WorkerId assign(IdLayout layout);

    /**
     * Always the given ids. That no other process uses them at the same time is up to the caller.
     *
     * @param datacenterId the datacenter id; 0 for a layout without datacenter bits
     * @param workerId the worker id
     * @return an assigner of just these
     */
    static WorkerIdAssigner fixed(int datacenterId, int workerId) {
        WorkerId fixed = new WorkerId(datacenterId, workerId, "configured");
        return layout -> fixed;
    }

    /**
     * Guesses from the name and the address of this machine. A guess can collide: {@link WorkerId#warning()} says how
     * likely. Nothing is looked up in a network.
     *
     * @param source what to guess from
     * @return an assigner that throws {@link io.github.snowflakeid.WorkerIdUnavailableException} where there is no
     *     usable name or address
     */
    static WorkerIdAssigner host(HostSource source) {
        return new HostWorkerIdAssigner(source, OptionalInt.empty(), Host::local);
    }

    /**
     * As {@link #host(HostSource)}, with a datacenter id that is known; only the worker id is guessed.
     *
     * @param source what to guess from
     * @param datacenterId the datacenter id
     * @return an assigner that throws {@link io.github.snowflakeid.WorkerIdUnavailableException} where there is no
     *     usable name or address
     */
    static WorkerIdAssigner host(HostSource source, int datacenterId) {
        return new HostWorkerIdAssigner(source, OptionalInt.of(datacenterId), Host::local);
    }
}
