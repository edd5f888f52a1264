package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SequenceStart;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.TimestampExhaustedException;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Creates a Snowflake generator from its settings, for a given layout, and turns failures into exceptions with an action. */
final class ConfiguredGenerator {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    static final int DEFAULT_BOUND = 64;

    private static final Duration DEFAULT_DRIFT_OF_LEASED = Duration.ofSeconds(1);

    private static final Duration LONGEST_DRIFT = Duration.ofDays(36_500);

    private static final Duration LONGEST_WAIT = Duration.ofDays(1);

    private static final Duration WARNING_AHEAD = Duration.ofDays(5 * 365);

    private final GeneratorSettings settings;
    private final IdLayout layout;

    ConfiguredGenerator(GeneratorSettings settings, IdLayout layout) {
        this.settings = settings;
        this.layout = layout;
    }

    /**
     * Creates a generator with a worker ID that is not leased.
     *
     * @throws ConfigurationException if the assigner has no usable worker ID, the layout is exhausted or begins in the future, or a property
     *     has an invalid value or no effect
     */
    SnowflakeIdGenerator assigned(WorkerIdAssigner worker) {
        return build(SnowflakeIdGenerator.builder().worker(worker), Duration.ZERO, null);
    }

    /**
     * Creates a generator that leases its worker ID. Returns once the worker ID is leased. In a training run, the generator is closed instead.
     *
     * @throws ConfigurationException if no worker ID can be leased, the layout is exhausted or begins in the future, or a property has an
     *     invalid value or no effect
     */
    SnowflakeIdGenerator leased(LeaseTerms terms) {
        return build(SnowflakeIdGenerator.builder().lease(terms), DEFAULT_DRIFT_OF_LEASED, terms.registry());
    }

    /** @param registry the registry that the generator leases from; null if it does not lease */
    private SnowflakeIdGenerator build(
            SnowflakeIdGenerator.Builder builder, Duration defaultMaxDrift, @Nullable WorkerRegistry registry) {
        Instant now = Instant.now();
        SnowflakeProperties properties = settings.properties();
        Duration maxDrift = maxDrift(properties, defaultMaxDrift);
        Duration maxWait = properties.clock().maxWait();
        InvalidValue.rejectBeyond("{snowflake}.clock.max-drift", maxDrift, Duration.ZERO, LONGEST_DRIFT, "0s");
        InvalidValue.rejectBeyond("{snowflake}.clock.max-wait", maxWait, Duration.ZERO, LONGEST_WAIT, "1s");
        rejectEpochAfter(now, layout, settings);
        builder.name(settings.generator().name())
                .layout(layout)
                .maxDrift(maxDrift)
                .maxWait(maxWait)
                .sequenceStart(sequenceStart(properties.sequence(), layout));
        try {
            if (registry != null && GeneratorLifecycle.isTrainingRun()) {
                LOG.info(settings.label() + GeneratorLifecycle.NO_IDS);
                return builder.buildClosed();
            }
            SnowflakeIdGenerator generator = builder.build();
            report(generator, settings, maxDrift, maxWait, now);
            return generator;
        } catch (TimestampExhaustedException e) {
            throw Problem.LAYOUT_ENDED.exception(e, layoutEndedAction(settings, layout));
        } catch (WorkerIdUnavailableException e) {
            throw unavailable(e, settings, layout, registry);
        } catch (IllegalArgumentException e) {
            throw notAssigned(e, layout);
        }
    }

    private static Duration maxDrift(SnowflakeProperties properties, Duration defaultDrift) {
        Duration set = properties.clock().maxDrift();
        return set == null ? defaultDrift : set;
    }

    /** Returns how far IDs of a generator that leases its worker ID may run ahead of the clock. */
    static Duration maxDriftOfLeased(SnowflakeProperties properties) {
        return maxDrift(properties, DEFAULT_DRIFT_OF_LEASED);
    }

    private static String layoutEndedAction(GeneratorSettings settings, IdLayout layout) {
        if (!ConfiguredLayout.isOf(settings, layout)) {
            return "Let the IdLayout bean return a layout that is not exhausted.";
        }
        String fresh = """
                If no IDs are stored yet, use a layout that is not exhausted:

                {snowflake}.layout: default
                %s""".formatted(ConfiguredLayout.resetTo(IdLayout.DEFAULT, settings.properties()))
                .stripTrailing();
        if (layout.toBuilder().epoch(layout.end()).build().end().isBefore(Instant.now())) {
            return fresh;
        }
        return """
                %s

                If IDs of the exhausted layout are stored, set its epoch to its end and use worker IDs that were never used before, \
                for example from %s down, a different one in each process. New IDs then do not repeat old ones, but are smaller:

                {snowflake}.epoch: %s
                {snowflake}.worker.strategy: fixed
                {snowflake}.worker.id: ${{GENERATOR_}WORKER_ID}""".formatted(fresh, layout.maxWorkerId(), layout.end());
    }

    private static ConfigurationException notAssigned(RuntimeException fromWorkerIdAssigner, IdLayout layout) {
        return Problem.INVALID_WORKER_ID.exception(
                "The WorkerIdAssigner bean returns no usable worker ID: " + fromWorkerIdAssigner.getMessage() + ".",
                "Let the bean return a worker ID from 0 to %s and a datacenter ID from 0 to %s, or remove the bean."
                        .formatted(layout.maxWorkerId(), layout.maxDatacenterId()),
                fromWorkerIdAssigner);
    }

    private static ConfigurationException unavailable(
            WorkerIdUnavailableException e,
            GeneratorSettings settings,
            IdLayout layout,
            @Nullable WorkerRegistry registry) {
        if (e.getCause() instanceof ConfigurationException store
                && store.action().isPresent()) {
            boolean isDown = e.reason() == Reason.REGISTRY_UNREACHABLE;
            return store.causing(e, isDown ? "" : "\n\n" + ConfiguredWorker.useFixedWorkerIds(layout));
        }
        return switch (e.reason()) {
            case NOT_ASSIGNED -> notAssigned(e, layout);
            case ALL_LEASED ->
                Problem.ALL_WORKER_IDS_LEASED.exception(
                        e,
                        (settings.properties().datacenter().id() == null
                                        ? "Stop"
                                        : "Remove '{snowflake}.datacenter.id' to lease worker IDs of every datacenter ID, or stop")
                                + " processes that are no longer needed, or wait. If this machine's clock is behind, synchronize it with NTP.");
            case REGISTRY_UNREACHABLE ->
                Problem.STORE_UNREACHABLE.exception(e, "Start the store, and check that this process can reach it.");
            case CANCELLED -> Problem.STARTUP_CANCELLED.exception(e, "Start the application again.");
            case REGISTRY_UNUSABLE ->
                Problem.STORE_UNUSABLE.exception(e, "Repair the store. " + ConfiguredWorker.useFixedWorkerIds(layout));
            case CLOCK_SKEW ->
                Problem.CLOCK_SKEW.exception(e, "Synchronize the clocks of this machine and of the store with NTP.");
            case LAYOUT_MISMATCH -> Problem.LAYOUT_MISMATCH.exception(e, useOneLayout(settings, layout, registry));
        };
    }

    private static String useOneLayout(GeneratorSettings settings, IdLayout layout, @Nullable WorkerRegistry registry) {
        return settings.generator().isNamed() && isForAll(registry, settings)
                ? """
                Give the generator a dedicated registry with another namespace:

                @Bean(defaultCandidate = false)
                @Qualifier("%s")
                WorkerRegistry registry() { ... }""".formatted(settings.generator().name())
                : """
                %sRows that were left behind by mistake can be deleted. If the other processes write to other tables than this one, \
                use a separate namespace:

                {snowflake}.worker.lease.namespace: another""".formatted(layoutOfOthers(settings, layout, registry));
    }

    /** Returns whether the registry is a bean of the application, so that its namespace applies to every generator. */
    private static boolean isForAll(@Nullable WorkerRegistry registry, GeneratorSettings settings) {
        return registry != null
                && !registry.namespace()
                        .equals(settings.properties().worker().lease().namespace());
    }

    /** Returns advice to use the layout of the other processes, with the properties to set if the registry still answers. */
    private static String layoutOfOthers(
            GeneratorSettings settings, IdLayout layout, @Nullable WorkerRegistry registry) {
        if (!ConfiguredLayout.isOf(settings, layout) || registry == null) {
            return "Use the layout of the other processes. ";
        }
        try {
            for (WorkerRegistry.Entry entry : registry.read().entries()) {
                IdLayout theirs = ConfiguredLayout.parse(entry.layout());
                if (theirs != null && !theirs.equals(layout)) {
                    return """
                            Use the layout of the other processes:

                            %s

                            """.formatted(ConfiguredLayout.all(theirs));
                }
            }
        } catch (RuntimeException e) {
            // The advice then omits the properties.
        }
        return "Use the layout of the other processes. ";
    }

    private static SequenceStart sequenceStart(SnowflakeProperties.Sequence sequence, IdLayout layout) {
        @Nullable Integer bound = sequence.startBound();
        int highestBound = (int) Math.min(layout.maxSequence() + 1L, Integer.MAX_VALUE);
        if (bound != null && sequence.start() == SnowflakeProperties.Start.ZERO) {
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '{snowflake}.sequence.start-bound' is %s, but has no effect: '{snowflake}.sequence.start' is 'zero'."
                            .formatted(bound),
                    """
                    Remove '{snowflake}.sequence.start-bound', or use it:

                    {snowflake}.sequence.start: rotating""");
        }
        if (bound != null && (bound < 1 || bound > highestBound)) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '{snowflake}.sequence.start-bound' must be in [1, %s] (%s sequence bits), but was %s."
                            .formatted(highestBound, layout.sequenceBits(), bound),
                    """
                    Set a number in that range, preferably the number of shards:

                    {snowflake}.sequence.start-bound: %s""".formatted(Math.min(DEFAULT_BOUND, highestBound)));
        }
        int starts = bound == null ? Math.min(DEFAULT_BOUND, highestBound) : bound;
        if (sequence.start() == SnowflakeProperties.Start.ZERO) {
            return SequenceStart.zero();
        }
        return sequence.start() == SnowflakeProperties.Start.RANDOM
                ? SequenceStart.random(starts)
                : SequenceStart.rotating(starts);
    }

    private static void rejectEpochAfter(Instant now, IdLayout layout, GeneratorSettings settings) {
        if (layout.epoch().isAfter(now)) {
            String clock = "If that instant has passed, set the clock of this machine, which is at %s.".formatted(now);
            throw Problem.INVALID_LAYOUT.exception(
                    "The epoch of the layout must not be in the future, but is %s.".formatted(layout.epoch()),
                    ConfiguredLayout.isOf(settings, layout)
                            ? """
                            Set an instant in the past, and never change it once IDs are stored:

                            {snowflake}.epoch: %s

                            %s""".formatted(IdLayout.DEFAULT.epoch(), clock)
                            : "Let the IdLayout bean return a layout whose epoch is in the past. " + clock);
        }
    }

    private static void report(
            SnowflakeIdGenerator generator,
            GeneratorSettings settings,
            Duration maxDrift,
            Duration maxWait,
            Instant now) {
        String label = settings.label();
        IdLayout layout = generator.layout();
        WorkerId worker = generator.workerId();
        LOG.info(label + "Generating IDs with worker ID " + worker.workerId() + ", datacenter ID "
                + worker.datacenterId() + " ("
                + worker.origin() + "), " + layout + ", max-drift " + maxDrift.toMillis()
                + "ms, max-wait " + maxWait.toMillis() + "ms");
        if (worker.warning() != null) {
            LOG.warn(label + "Worker ID " + worker.workerId() + " and datacenter ID " + worker.datacenterId() + " are "
                    + worker.warning()
                    + ". Add a DataSource to lease a worker ID, or set '"
                    + new GeneratorName(generator.name()).property("snowflake.worker.id")
                    + "' to a different value in each process");
        }
        generator
                .idsBeginAt()
                .filter(begin -> Duration.between(Instant.now(), begin).compareTo(maxWait) > 0)
                .ifPresent(begin -> LOG.warn(label + "No IDs are issued before " + begin
                        + "; until then, calls fail with a ClockMovedBackwardsException. Another process may have used the"
                        + " current tick of " + layout.tick().toMillis()
                        + "ms with this worker ID. Lease a worker ID, use shorter ticks, or let calls wait with '"
                        + new GeneratorName(generator.name()).property("snowflake.clock.max-wait") + "'"));
        if (layout.end().isBefore(now.plus(WARNING_AHEAD))) {
            LOG.warn(label + "No IDs can be issued from " + layout.end() + " on: the layout is exhausted then");
        }
    }
}
