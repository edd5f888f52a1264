package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Strategy;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.HostSource;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Determines the worker ID from the properties: fixed, guessed from the host, or leased on the terms that they describe. */
final class ConfiguredWorker implements WorkerIdAssigner {

    /** How long a database may take to answer, if the lease is long enough. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(8);

    private static final int ANSWERS_PER_TTL = 4;

    /** The longest description of an owner. A long name of the application must not displace the host and the process. */
    private static final int LONGEST_INFO = 255;

    private final SnowflakeProperties.Worker worker;
    private final @Nullable Integer datacenterId;
    private final @Nullable Function<HostSource, WorkerIdAssigner> host;

    /** @param host guesses the worker ID if the properties select that; null to guess it from this host */
    ConfiguredWorker(SnowflakeProperties properties, @Nullable Function<HostSource, WorkerIdAssigner> host) {
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

    /** Returns whether the worker ID is leased if a store is available. */
    boolean mayBeLeased() {
        return worker.strategy() == null
                ? worker.id() == null
                : worker.strategy().leases();
    }

    boolean mayBeLeasedInDatabase() {
        return mayBeLeased() && (worker.strategy() == null || worker.strategy() == Strategy.JDBC);
    }

    LeaseTerms terms(
            WorkerRegistry registry, IdLayout layout, Environment environment, Consumer<WorkerLease> listener) {
        rejectWorkerIdWithoutEffect();
        checkDatacenterId(layout);
        SnowflakeProperties.Lease lease = worker.lease();
        String process = ", " + LeaseTerms.processInfo();
        String name = ControlCharacters.toAscii(environment.getProperty("spring.application.name", "application"));
        String ownerInfo = name.substring(0, Math.min(name.length(), LONGEST_INFO - process.length())) + process;
        try {
            LeaseTerms terms = LeaseTerms.of(bounded(registry, lease.ttl()))
                    .withOwnerInfo(ownerInfo)
                    .withTtl(lease.ttl())
                    .withAcquireTimeout(lease.acquireTimeout())
                    .withMaxClockSkew(lease.maxClockSkew())
                    .withListener(listener);
            return datacenterId == null ? terms : terms.withDatacenterId(datacenterId);
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, """
                    {snowflake}.worker.lease.ttl: 60s
                    {snowflake}.worker.lease.acquire-timeout: 10s
                    {snowflake}.worker.lease.max-clock-skew: 10s""");
        }
    }

    /**
     * Limits the duration of calls to any registry, so that the lease's thread reports in time that the store does not answer. The limit is
     * longer than the timeouts of the library's own stores, because their exceptions explain better why there is no answer.
     */
    private static WorkerRegistry bounded(WorkerRegistry registry, Duration ttl) {
        Duration limit = longestAnswer(ttl).multipliedBy(5).dividedBy(4);
        return registry instanceof BoundedRegistry ? registry : new BoundedRegistry(registry, limit);
    }

    /** Returns how long a call to a store may take. A renewal starts every third of the ttl and must end before the next one starts. */
    static Duration longestAnswer(Duration ttl) {
        Duration share = Duration.ofMillis(Math.max(1, ttl.toMillis() / ANSWERS_PER_TTL));
        return share.compareTo(LONGEST_ANSWER) < 0 ? share : LONGEST_ANSWER;
    }

    @Override
    public WorkerId assign(IdLayout layout) {
        checkDatacenterId(layout);
        Strategy strategy = worker.strategy();
        if (strategy == Strategy.JDBC) {
            throw noDatabase(layout);
        }
        return isFixed() ? fixed(layout) : guessed(layout);
    }

    /** Returns whether the properties set the worker ID. */
    boolean isFixed() {
        return worker.strategy() == Strategy.FIXED || (worker.strategy() == null && worker.id() != null);
    }

    private void checkDatacenterId(IdLayout layout) {
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

    private ConfigurationException noDatabase(IdLayout layout) {
        rejectWorkerIdWithoutEffect();
        return Problem.MISSING_STORE.exception(
                "Property '{snowflake}.worker.strategy' is 'jdbc', but there is neither a DataSource nor a URL of a database.",
                """
                Add the driver of your database, and set its URL:

                {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop

                %s""".formatted(useFixedWorkerIds(layout)));
    }

    private void rejectWorkerIdWithoutEffect() {
        if (worker.id() != null) {
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '{snowflake}.worker.id' is %s, but has no effect: '{snowflake}.worker.strategy' is '%s'."
                            .formatted(
                                    worker.id(),
                                    worker.strategy() == null
                                            ? null
                                            : worker.strategy().value()),
                    """
                    Remove '{snowflake}.worker.id' to let the strategy choose. If the configuration gives each process a different \
                    worker ID, use that:

                    {snowflake}.worker.strategy: fixed""");
        }
    }

    private WorkerId guessed(IdLayout layout) {
        rejectWorkerIdWithoutEffect();
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

    /** Returns the advice to use fixed worker IDs, in all processes at once: another process could lease a fixed worker ID. */
    static String useFixedWorkerIds(IdLayout layout) {
        return "Alternatively, use fixed worker IDs in every process that writes to the same tables. "
                + setWorkerId(layout);
    }

    /** Returns the advice to set a worker ID that the layout permits. */
    static String setWorkerId(IdLayout layout) {
        return setWorkerId(" from 0 to " + layout.maxWorkerId());
    }

    /** Suggests no concrete number: users would paste it into a configuration that several processes share. */
    static String setWorkerId(String range) {
        return """
                Give each process that runs at the same time a different worker ID%s. Take it from an environment variable whose \
                value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

                {snowflake}.worker.strategy: fixed
                {snowflake}.worker.id: ${{GENERATOR_}WORKER_ID}""".formatted(range);
    }

    /** Returns the advice to set a datacenter ID. */
    static String setDatacenterId(String number) {
        return """
                %s, the same for all processes of a datacenter and different for each datacenter, through an environment variable:

                {snowflake}.datacenter.id: ${DATACENTER_ID}""".formatted(number);
    }
}
