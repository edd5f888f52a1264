package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SequenceStart;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.TimestampExhaustedException;
import io.github.snowflakeid.WorkerIdUnavailableException;
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
        Instant now = Instant.now();
        Duration maxDrift = properties.clock().maxDrift() == null
                ? Duration.ZERO
                : properties.clock().maxDrift();
        Duration maxWait = properties.clock().maxWait();
        refuseNegative("snowflake.clock.max-drift", maxDrift, "0ms");
        refuseNegative("snowflake.clock.max-wait", maxWait, "1s");
        refuseEpochAfter(now, layout);
        SnowflakeIdGenerator.Builder builder = SnowflakeIdGenerator.builder()
                .layout(layout)
                .worker(worker)
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
        } catch (WorkerIdUnavailableException | IllegalArgumentException fromWorkerIdAssigner) {
            throw new StartupFailure(
                    "The WorkerIdAssigner bean gives no usable worker id: " + fromWorkerIdAssigner.getMessage() + ".",
                    "Change the bean, or remove it. " + ConfiguredWorker.setWorkerId(layout),
                    fromWorkerIdAssigner);
        }
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
