package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SequenceStart;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.TimestampExhaustedException;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** The generator that the properties describe, for the layout and the worker of this context. */
final class ConfiguredGenerator {

    private static final Log LOG = LogFactory.getLog(SnowflakeAutoConfiguration.class);

    private static final int USUAL_BOUND = 64;
    private static final int YEARS_TO_WARN_AHEAD = 5;

    private ConfiguredGenerator() {}

    static SnowflakeIdGenerator of(SnowflakeProperties properties, IdLayout layout, WorkerIdAssigner worker) {
        return build(properties, layout, SnowflakeIdGenerator.builder().worker(worker), Duration.ZERO);
    }

    static SnowflakeIdGenerator leased(SnowflakeProperties properties, IdLayout layout, LeaseTerms terms) {
        return build(properties, layout, SnowflakeIdGenerator.builder().lease(terms), Duration.ofSeconds(1));
    }

    private static SnowflakeIdGenerator build(
            SnowflakeProperties properties,
            IdLayout layout,
            SnowflakeIdGenerator.Builder builder,
            Duration usualMaxDrift) {
        Instant now = Instant.now();
        Duration maxDrift = properties.clock().maxDrift() == null
                ? usualMaxDrift
                : properties.clock().maxDrift();
        Duration maxWait = properties.clock().maxWait();
        refuseNegative("snowflake.clock.max-drift", maxDrift, "0ms");
        refuseNegative("snowflake.clock.max-wait", maxWait, "1s");
        refuseEpochAfter(now, layout);
        builder.layout(layout)
                .maxDrift(maxDrift)
                .maxWait(maxWait)
                .sequenceStart(sequenceStart(properties.sequence(), layout));
        SnowflakeIdGenerator generator = build(builder, layout);
        report(generator, maxDrift, maxWait, now);
        return generator;
    }

    private static SnowflakeIdGenerator build(SnowflakeIdGenerator.Builder builder, IdLayout layout) {
        try {
            return builder.build();
        } catch (TimestampExhaustedException ended) {
            throw new StartupFailure(
                    ended.getMessage() + ".", """
                    Where no ids are stored yet, use a layout that has time left:

                    snowflake.layout: default

                    Where ids of the ended layout are stored, let its time start again at its end, with a worker id that was \
                    never used before; new ids do not repeat old ones then, but are smaller:

                    snowflake.epoch: %s
                    snowflake.worker.id: %d""".formatted(layout.end(), layout.maxWorkerId()), ended);
        } catch (WorkerIdUnavailableException none) {
            throw none.reason() == Reason.NOT_ASSIGNED ? notAssigned(none, layout) : failure(none, layout);
        } catch (IllegalArgumentException doesNotFit) {
            throw notAssigned(doesNotFit, layout);
        }
    }

    private static StartupFailure notAssigned(RuntimeException fromWorkerIdAssigner, IdLayout layout) {
        return new StartupFailure(
                "The WorkerIdAssigner bean gives no usable worker id: " + fromWorkerIdAssigner.getMessage() + ".",
                "Change the bean, or remove it. " + ConfiguredWorker.setWorkerId(layout),
                fromWorkerIdAssigner);
    }

    static StartupFailure failure(WorkerIdUnavailableException none, IdLayout layout) {
        @Nullable String advice = DatabaseAdvice.of(none.getCause());
        return new StartupFailure(
                none.getMessage() + ".",
                advice == null ? whatToDo(none.reason(), layout) : advice + "\n\n" + withoutLease(layout),
                none);
    }

    private static String whatToDo(Reason reason, IdLayout layout) {
        return switch (reason) {
            case NOT_ASSIGNED -> ConfiguredWorker.setWorkerId(layout);
            case ALL_LEASED ->
                "Stop processes of the namespace that are no longer needed, or wait. Where the clock is behind, let NTP set it.";
            case REGISTRY_UNREACHABLE ->
                "Start the database, and check that this process reaches it. To start without it: "
                        + ConfiguredWorker.setWorkerId(layout);
            case REGISTRY_UNUSABLE -> withoutLease(layout);
            case CLOCK_SKEW -> "Let NTP set the clock of this machine, or that of the database.";
            case LAYOUT_MISMATCH -> """
                Configure the layout that the other processes of the namespace have; rows that a mistake has left behind can be \
                deleted. Where they write other tables than this process, use a namespace of its own:

                snowflake.worker.lease.namespace: another""";
        };
    }

    private static String withoutLease(IdLayout layout) {
        return "To do without a lease: " + ConfiguredWorker.setWorkerId(layout);
    }

    private static SequenceStart sequenceStart(SnowflakeProperties.Sequence sequence, IdLayout layout) {
        @Nullable Integer bound = sequence.bound();
        int highestBound = (int) Math.min(layout.maxSequence() + 1L, Integer.MAX_VALUE);
        if (bound != null && sequence.start() == SnowflakeProperties.Start.ZERO) {
            throw new StartupFailure(
                    "Property 'snowflake.sequence.bound' is %d, but without effect: 'snowflake.sequence.start' is 'zero'."
                            .formatted(bound),
                    """
                    Remove 'snowflake.sequence.bound', or use it:

                    snowflake.sequence.start: rotating""");
        }
        if (bound != null && (bound < 1 || bound > highestBound)) {
            throw new StartupFailure(
                    "Property 'snowflake.sequence.bound' must be in [1, %d] (%d sequence bits), but was %d."
                            .formatted(highestBound, layout.sequenceBits(), bound),
                    """
                    Set a number in that range, best the number of shards:

                    snowflake.sequence.bound: %d""".formatted(Math.min(USUAL_BOUND, highestBound)));
        }
        int starts = bound == null ? Math.min(USUAL_BOUND, highestBound) : bound;
        return switch (sequence.start()) {
            case ZERO -> SequenceStart.zero();
            case RANDOM -> SequenceStart.random(starts);
            case ROTATING -> SequenceStart.rotating(starts);
        };
    }

    private static void refuseNegative(String property, Duration duration, String usual) {
        if (duration.isNegative()) {
            throw new StartupFailure(
                    "Property '%s' must not be negative, but was %s."
                            .formatted(property, DurationStyle.SIMPLE.print(duration)),
                    """
                    Set a duration of zero or more:

                    %s: %s""".formatted(property, usual));
        }
    }

    private static void refuseEpochAfter(Instant now, IdLayout layout) {
        if (layout.epoch().isAfter(now)) {
            throw new StartupFailure(
                    "The epoch of the layout is in the future: %s.".formatted(layout.epoch()),
                    """
                    Set an instant in the past, and never change it once ids are stored:

                    snowflake.epoch: %s

                    If it is in the past, set the clock of this machine, which says %s.""".formatted(IdLayout.DEFAULT.epoch(), now));
        }
    }

    private static void report(SnowflakeIdGenerator generator, Duration maxDrift, Duration maxWait, Instant now) {
        IdLayout layout = generator.layout();
        WorkerId worker = generator.workerId();
        LOG.info("Snowflake ids with worker id %d, datacenter id %d (%s), %s, max-drift %s, max-wait %s"
                .formatted(
                        worker.workerId(),
                        worker.datacenterId(),
                        worker.origin(),
                        layout,
                        DurationStyle.SIMPLE.print(maxDrift),
                        DurationStyle.SIMPLE.print(maxWait)));
        if (worker.warning() != null) {
            LOG.warn("Set 'snowflake.worker.id', different for each process: worker id %d and datacenter id %d are %s"
                    .formatted(worker.workerId(), worker.datacenterId(), worker.warning()));
        }
        if (layout.end()
                .isBefore(now.atOffset(ZoneOffset.UTC)
                        .plusYears(YEARS_TO_WARN_AHEAD)
                        .toInstant())) {
            LOG.warn("Layout ends at %s; no ids can be made from then on".formatted(layout.end()));
        }
    }
}
