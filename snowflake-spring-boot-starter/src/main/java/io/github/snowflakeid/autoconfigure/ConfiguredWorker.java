package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Strategy;
import io.github.snowflakeid.worker.HostSource;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** The worker id that the properties describe. */
final class ConfiguredWorker implements WorkerIdAssigner {

    private final SnowflakeProperties.Worker worker;
    private final @Nullable Integer datacenterId;
    private final WorkerIdAssigner host;

    /** @param host what guesses, where that is what the properties ask for */
    ConfiguredWorker(SnowflakeProperties properties, WorkerIdAssigner host) {
        worker = properties.worker();
        datacenterId = properties.datacenter().id();
        this.host = host;
    }

    static ConfiguredWorker of(SnowflakeProperties properties) {
        HostSource source = properties.worker().host().source();
        @Nullable Integer datacenterId = properties.datacenter().id();
        return new ConfiguredWorker(
                properties,
                datacenterId == null ? WorkerIdAssigner.host(source) : WorkerIdAssigner.host(source, datacenterId));
    }

    /** Whether the worker id is to be leased, if there is where to lease it. */
    boolean mayBeLeased() {
        return worker.strategy() == Strategy.JDBC || (worker.strategy() == null && worker.id() == null);
    }

    LeaseTerms terms(WorkerRegistry registry, IdLayout layout, Environment environment) {
        refuseWorkerIdWithoutEffect();
        checkDatacenterId(layout);
        LeaseTerms terms = durations(LeaseTerms.of(registry), worker.lease())
                .ownerInfo(environment.getProperty("spring.application.name", "application") + ", "
                        + LeaseTerms.processInfo())
                .listener(new LeaseLog());
        return datacenterId == null ? terms : terms.datacenterId(datacenterId);
    }

    private static LeaseTerms durations(LeaseTerms terms, SnowflakeProperties.Worker.Lease lease) {
        try {
            return terms.ttl(lease.ttl()).acquireTimeout(lease.acquireTimeout()).maxClockSkew(lease.maxClockSkew());
        } catch (IllegalArgumentException invalid) {
            throw new StartupFailure("Invalid 'snowflake.worker.lease': " + invalid.getMessage() + ".", """
                    Set durations in that range, for example:

                    snowflake.worker.lease.ttl: 60s
                    snowflake.worker.lease.acquire-timeout: 10s
                    snowflake.worker.lease.max-clock-skew: 10s""", invalid);
        }
    }

    @Override
    public WorkerId assign(IdLayout layout) {
        checkDatacenterId(layout);
        Strategy unlessSet = worker.id() == null ? Strategy.HOST : Strategy.FIXED;
        return switch (worker.strategy() == null ? unlessSet : worker.strategy()) {
            case FIXED -> fixed(layout);
            case HOST -> guessed(layout);
            case JDBC -> throw noDatabase(layout);
        };
    }

    private void checkDatacenterId(IdLayout layout) {
        if (datacenterId != null && (datacenterId < 0 || datacenterId > layout.maxDatacenterId())) {
            throw outOfRange("datacenter", datacenterId, layout.maxDatacenterId(), layout.datacenterBits(), """
                    Set a datacenter id in that range:

                    snowflake.datacenter.id: 0""");
        }
    }

    private WorkerId fixed(IdLayout layout) {
        Integer id = worker.id();
        if (id == null) {
            throw new StartupFailure(
                    "Property 'snowflake.worker.strategy' is 'fixed', but 'snowflake.worker.id' is not set.",
                    setWorkerId(layout));
        }
        if (id < 0 || id > layout.maxWorkerId()) {
            throw outOfRange("worker", id, layout.maxWorkerId(), layout.workerBits(), setWorkerId(layout));
        }
        return WorkerIdAssigner.fixed(datacenterId == null ? 0 : datacenterId, id)
                .assign(layout);
    }

    private StartupFailure noDatabase(IdLayout layout) {
        refuseWorkerIdWithoutEffect();
        return new StartupFailure(
                "Property 'snowflake.worker.strategy' is 'jdbc', but there is neither a DataSource nor a url of a database.",
                """
                Add the driver of your database, and set where it is:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop

                or do without a lease: remove 'snowflake.worker.strategy'. %s""".formatted(setWorkerId(layout)));
    }

    private void refuseWorkerIdWithoutEffect() {
        if (worker.id() != null) {
            throw new StartupFailure(
                    "Property 'snowflake.worker.id' is %d, but without effect: 'snowflake.worker.strategy' is '%s'."
                            .formatted(
                                    worker.id(),
                                    String.valueOf(worker.strategy()).toLowerCase(Locale.ROOT)),
                    """
                    Remove 'snowflake.worker.id', or use it:

                    snowflake.worker.strategy: fixed""");
        }
    }

    private WorkerId guessed(IdLayout layout) {
        refuseWorkerIdWithoutEffect();
        try {
            return host.assign(layout);
        } catch (WorkerIdUnavailableException nothingToGuessFrom) {
            throw new StartupFailure(nothingToGuessFrom.getMessage() + ".", setWorkerId(layout), nothingToGuessFrom);
        }
    }

    private static StartupFailure outOfRange(String field, int id, int max, int bits, String action) {
        return new StartupFailure(
                "Property 'snowflake.%s.id' must be in [0, %d] (%d %1$s bits), but was %d."
                        .formatted(field, max, bits, id),
                action);
    }

    /** Advice for whoever has no worker id, or one of no use. */
    static String setWorkerId(IdLayout layout) {
        return """
                Set a worker id from 0 to %d, a different one for each process that runs at the same time:

                snowflake.worker.id: 0""".formatted(layout.maxWorkerId());
    }
}
