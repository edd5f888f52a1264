package io.github.snowflakeid.internal.actuate;

import io.github.snowflakeid.GeneratorStatistics;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.numbers.SeriesStatistics;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStatistics;
import io.github.snowflakeid.segment.SegmentStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator, for health, info and the endpoint. Contains no secrets.
 *
 * @hidden
 * @param condition whether the generator can issue IDs
 * @param details the details by name, numbers and texts only; durations are in ISO-8601 format, such as {@code PT41.5S}
 */
public record GeneratorReport(Condition condition, Map<String, Object> details) {

    /** Whether a generator can issue IDs. */
    public enum Condition {
        /** It issues IDs. */
        UP,
        /** It issues IDs, but its lease was not renewed in time. */
        EXPIRING,
        /** It issues no IDs. */
        DOWN
    }

    /**
     * Reports the state of a generator. Does not access its store.
     *
     * @param generator a Snowflake generator or a generator of sequential numbers
     * @param now the current time
     * @return a snapshot of the state
     */
    public static GeneratorReport of(ManagedIdGenerator generator, Instant now) {
        return generator instanceof SegmentIdGenerator segments
                ? ofSegments(segments)
                : ofSnowflakes((SnowflakeIdGenerator) generator, now);
    }

    /**
     * Reports the state of a series of document numbers. Does not access its database.
     *
     * @param series the statistics of the series
     * @return a snapshot of the state
     */
    public static GeneratorReport of(SeriesStatistics series) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("taken", series.taken());
        details.put("conflicts", series.conflicts());
        details.put("failures", series.failures());
        details.put("waiting", series.waiting());
        String reason = series.reason();
        if (reason != null) {
            details.put("reason", reason);
        }
        return new GeneratorReport(reason == null ? Condition.UP : Condition.DOWN, details);
    }

    private static GeneratorReport ofSegments(SegmentIdGenerator generator) {
        Map<String, Object> details = counter(generator);
        SegmentStatistics statistics = generator.statistics();
        details.put("last", statistics.last());
        details.put("remaining", statistics.remaining());
        details.put("step", statistics.step());
        if (!generator.excludedStores().isEmpty()) {
            details.put("excludedStores", String.join(", ", generator.excludedStores()));
        }
        @Nullable
        String reason = generator
                .unavailability()
                .map(trouble -> String.valueOf(trouble.getMessage()))
                .orElse(generator.isClosed() ? "the generator is closed" : null);
        if (reason != null) {
            details.put("reason", reason);
        }
        details.put("issuesIds", reason == null);
        return new GeneratorReport(reason == null ? Condition.UP : Condition.DOWN, details);
    }

    private static GeneratorReport ofSnowflakes(SnowflakeIdGenerator generator, Instant now) {
        Map<String, Object> details = worker(generator);
        Condition condition = Condition.UP;
        WorkerLease lease = generator.lease().orElse(null);
        if (lease != null) {
            condition = conditionOf(lease, now);
            details.put("lease", details(lease, now));
        }
        GeneratorStatistics statistics = generator.statistics();
        details.put("drift", statistics.drift().toString());
        Instant end = generator.layout().end();
        details.put("layoutEnds", end.toString());
        if (!now.isBefore(end)) {
            condition = Condition.DOWN;
            details.put("reason", "the layout is exhausted");
        } else if (statistics.drift().compareTo(generator.toleratedDrift()) > 0) {
            condition = Condition.DOWN;
            details.put(
                    "reason",
                    "the clock is behind the last ID by more than the tolerated " + generator.toleratedDrift()
                            + (lease == null
                                    ? "; IDs resume when it has caught up"
                                    : "; IDs resume when it has caught up, or when this instance is restarted"));
        }
        details.put("issuesIds", condition != Condition.DOWN);
        return new GeneratorReport(condition, details);
    }

    /**
     * Describes the attributes of a generator that do not depend on its state.
     *
     * @param generator a Snowflake generator or a generator of sequential numbers
     * @return the details by name
     */
    public static Map<String, Object> identity(ManagedIdGenerator generator) {
        if (generator instanceof SegmentIdGenerator segments) {
            return counter(segments);
        }
        SnowflakeIdGenerator snowflakes = (SnowflakeIdGenerator) generator;
        Map<String, Object> details = worker(snowflakes);
        details.put("layout", details(snowflakes.layout()));
        return details;
    }

    private static Map<String, Object> counter(SegmentIdGenerator generator) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("type", "segment");
        details.put("counter", generator.name());
        details.put(
                "stores",
                generator.stores().stream().map(SegmentStore::description).collect(Collectors.joining(", ")));
        details.put("initialValue", generator.initialValue());
        details.put("maxValue", generator.maxId());
        return details;
    }

    private static Map<String, Object> worker(SnowflakeIdGenerator generator) {
        WorkerId worker = generator.workerId();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("workerId", worker.workerId());
        details.put("datacenterId", worker.datacenterId());
        details.put("strategy", GeneratorLabels.strategy(generator));
        details.put("origin", worker.origin());
        return details;
    }

    private static Condition conditionOf(WorkerLease lease, Instant now) {
        if (GeneratorLabels.remaining(lease, now).isZero()) {
            return Condition.DOWN;
        }
        return lease.state() == State.HELD ? Condition.UP : Condition.EXPIRING;
    }

    private static Map<String, Object> details(WorkerLease lease, Instant now) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", lease.state().name().toLowerCase(Locale.ROOT));
        if (lease.reason() != null) {
            details.put("reason", lease.reason());
        }
        details.put("remaining", GeneratorLabels.remaining(lease, now).toString());
        details.put("idsEndBefore", lease.fence().toString());
        details.put("renewed", lease.renewedAt().toString());
        details.put("clockSkew", lease.clockSkew().toString());
        details.put("clockRead", lease.clockReadAt().toString());
        return details;
    }

    /**
     * Describes a layout.
     *
     * @param layout the layout
     * @return the details by name
     */
    public static Map<String, Object> details(IdLayout layout) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("epoch", layout.epoch().toString());
        details.put("tick", layout.tick().toString());
        Map<String, Object> bits = new LinkedHashMap<>();
        bits.put("timestamp", layout.timestampBits());
        bits.put("datacenter", layout.datacenterBits());
        bits.put("worker", layout.workerBits());
        bits.put("sequence", layout.sequenceBits());
        details.put("bits", bits);
        details.put("ends", layout.end().toString());
        return details;
    }
}
