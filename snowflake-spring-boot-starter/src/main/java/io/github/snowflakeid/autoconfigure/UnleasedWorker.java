package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.worker.HostSource;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import org.jspecify.annotations.Nullable;

/** Determines a worker ID that is not leased: it is fixed, or guessed from the host. */
final class UnleasedWorker {

    private UnleasedWorker() {}

    static WorkerId assign(GeneratorPlan plan) {
        SnowflakeProperties.Worker worker = plan.properties().worker();
        Integer datacenterId = plan.datacenterId();
        HostSource source = worker.host().source();
        WorkerIdAssigner assigner = worker.id() != null
                ? WorkerIdAssigner.fixed(datacenterId == null ? 0 : datacenterId, worker.id())
                : datacenterId == null ? WorkerIdAssigner.host(source) : WorkerIdAssigner.host(source, datacenterId);
        return assigner.assign(plan.layout());
    }

    /**
     * Checks the numbers that properties set, for leased worker IDs as well.
     *
     * @throws ConfigurationException if IDs of the layout have no bits for them, or if the strategy does not use them
     */
    static void check(SnowflakeProperties.Worker worker, @Nullable Integer datacenterId, IdLayout layout) {
        if (datacenterId != null) {
            checkRange("datacenter", datacenterId, layout.maxDatacenterId(), layout.datacenterBits(), """
                    Remove '{snowflake}.datacenter.id', or set a number from 0 to %s, the same for all processes of a datacenter and different \
                    for each datacenter, through an environment variable:

                    {snowflake}.datacenter.id: ${DATACENTER_ID}""".formatted(
                            layout.maxDatacenterId()));
        }
        if (!worker.isFixed()) {
            rejectWorkerIdWithoutEffect(worker);
        } else if (worker.id() == null) {
            throw Problem.MISSING_WORKER_ID.exception(
                    "Property '{snowflake}.worker.strategy' is 'fixed', but '{snowflake}.worker.id' is not set.",
                    setWorkerId(layout));
        } else {
            checkRange("worker", worker.id(), layout.maxWorkerId(), layout.workerBits(), setWorkerId(layout));
        }
    }

    private static void checkRange(String field, int id, int max, int bits, String action) {
        if (id < 0 || id > max) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '{snowflake}.%s.id' must be in [0, %s] (%s %1$s bits), but was %s."
                            .formatted(field, max, bits, id),
                    action);
        }
    }

    private static void rejectWorkerIdWithoutEffect(SnowflakeProperties.Worker worker) {
        if (worker.id() != null) {
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '{snowflake}.worker.id' is %s, but has no effect: '{snowflake}.worker.strategy' is '%s'."
                            .formatted(worker.id(), worker.strategy()),
                    """
                    Remove '{snowflake}.worker.id' to let the strategy choose. If the configuration gives each process a different \
                    worker ID, use that:

                    {snowflake}.worker.strategy: fixed""");
        }
    }

    /**
     * Returns the advice to set a worker ID. Suggests no concrete number: users would paste it into a configuration
     * that several processes share.
     */
    static String setWorkerId(IdLayout layout) {
        return """
                Give each process that runs at the same time a different worker ID from 0 to %s. Take it from an environment variable whose \
                value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

                {snowflake}.worker.strategy: fixed
                {snowflake}.worker.id: ${{GENERATOR_}WORKER_ID}""".formatted(layout.maxWorkerId());
    }
}
