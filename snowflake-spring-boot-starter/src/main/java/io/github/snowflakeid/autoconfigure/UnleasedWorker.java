package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.worker.HostSource;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Determines a worker ID that is not leased: it is fixed, or guessed from the host. */
final class UnleasedWorker implements WorkerIdAssigner {

    private final SnowflakeProperties.Worker worker;
    private final @Nullable Integer datacenterId;
    private final @Nullable Function<HostSource, WorkerIdAssigner> host;

    /** @param host guesses the worker ID if the properties select that; null to guess it from this host */
    UnleasedWorker(SnowflakeProperties properties, @Nullable Function<HostSource, WorkerIdAssigner> host) {
        worker = properties.worker();
        datacenterId = properties.datacenter().id();
        this.host = host;
    }

    private WorkerIdAssigner host(HostSource source) {
        if (host != null) {
            return host.apply(source);
        }
        return datacenterId == null ? WorkerIdAssigner.host(source) : WorkerIdAssigner.host(source, datacenterId);
    }

    @Override
    public WorkerId assign(IdLayout layout) {
        checkDatacenterId(datacenterId, layout);
        return worker.isFixed() ? fixed(layout) : guessed(layout);
    }

    /** @throws ConfigurationException if IDs of the layout have no bits for the datacenter ID */
    static void checkDatacenterId(@Nullable Integer datacenterId, IdLayout layout) {
        if (datacenterId != null && (datacenterId < 0 || datacenterId > layout.maxDatacenterId())) {
            throw outOfRange(
                    "datacenter",
                    datacenterId,
                    layout.maxDatacenterId(),
                    layout.datacenterBits(),
                    layout.datacenterBits() == 0
                            ? "Remove '{snowflake}.datacenter.id': IDs of this layout have no datacenter ID."
                            : setDatacenterId("Set a number from 0 to " + layout.maxDatacenterId()));
        }
    }

    private WorkerId fixed(IdLayout layout) {
        Integer id = worker.id();
        if (id == null) {
            throw Problem.MISSING_WORKER_ID.exception(
                    "Property '{snowflake}.worker.strategy' is 'fixed', but '{snowflake}.worker.id' is not set.",
                    setWorkerId(layout));
        }
        if (id < 0 || id > layout.maxWorkerId()) {
            throw outOfRange("worker", id, layout.maxWorkerId(), layout.workerBits(), setWorkerId(layout));
        }
        return WorkerIdAssigner.fixed(datacenterId == null ? 0 : datacenterId, id)
                .assign(layout);
    }

    /** @throws ConfigurationException if a worker ID is set although the strategy chooses one */
    static void rejectWorkerIdWithoutEffect(SnowflakeProperties.Worker worker) {
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

    private WorkerId guessed(IdLayout layout) {
        rejectWorkerIdWithoutEffect(worker);
        try {
            return host(worker.host().source()).assign(layout);
        } catch (WorkerIdUnavailableException e) {
            throw Problem.MISSING_WORKER_ID.exception(e, useHostName(layout) + setWorkerId(layout));
        }
    }

    /** Returns the advice for a machine without a network; empty if the host name is of no use either. */
    private String useHostName(IdLayout layout) {
        try {
            host(HostSource.NAME).assign(layout);
        } catch (WorkerIdUnavailableException e) {
            return "";
        }
        return """
                Derive both numbers from the host name:

                {snowflake}.worker.host.source: name

                or use fixed worker IDs.\s""";
    }

    private static ConfigurationException outOfRange(String field, int id, int max, int bits, String action) {
        return Problem.INVALID_PROPERTY.exception(
                "Property '{snowflake}.%s.id' must be in [0, %s] (%s %1$s bits), but was %s."
                        .formatted(field, max, bits, id),
                action);
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

    /** Returns the advice to set a datacenter ID. */
    private static String setDatacenterId(String number) {
        return """
                %s, the same for all processes of a datacenter and different for each datacenter, through an environment variable:

                {snowflake}.datacenter.id: ${DATACENTER_ID}""".formatted(number);
    }
}
