package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.HostSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SequenceStart;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorType;
import io.github.snowflakeid.internal.properties.UnsetGroup;
import io.github.snowflakeid.internal.properties.ValueRules;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.core.env.Environment;

/**
 * The properties of a Snowflake generator, unnamed or named.
 *
 * <p>Durations need a unit: Spring Boot would read a plain number as milliseconds, but users often mean seconds. No
 * number can be converted to the unit {@link ChronoUnit#FOREVER}, so binding rejects a plain number.
 *
 * @param enabled Whether to create IdGenerator beans and let persistence libraries use them.
 * @param type Type of numbers that the generator issues. Named generators do not inherit it.
 * @param layout Name of the layout that supplies epoch, tick and bits, unless they are set separately.
 * @param epoch Instant from which the timestamp in an ID counts. Never change it once IDs are stored.
 * @param tick Unit of the timestamp in an ID, a whole number of milliseconds from 1ms to 1h.
 * @param bits Widths of the fields of an ID.
 * @param worker Worker ID of this process.
 * @param datacenter Datacenter ID of this process.
 * @param clock Behavior when the clock steps back, or when callers need more IDs than the layout provides.
 * @param sequence Sequence, the lowest field of an ID.
 */
@ConfigurationProperties(GeneratorName.PREFIX)
record SnowflakeProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("snowflake") GeneratorType type,
        @Nullable String layout,
        @Nullable Instant epoch,
        @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration tick,
        @DefaultValue Bits bits,
        @DefaultValue Worker worker,
        @DefaultValue Datacenter datacenter,
        @DefaultValue Clock clock,
        @DefaultValue Sequence sequence) {

    static final String FIXED = "fixed";

    static final String HOST = "host";

    private static final Duration DAY = Duration.ofDays(1);

    private static final Duration LONGEST_DRIFT = Duration.ofDays(36_500);

    static SnowflakeProperties defaults() {
        Lease lease = new Lease("default", Duration.ofMinutes(1), Duration.ofSeconds(10), Duration.ofSeconds(10));
        return new SnowflakeProperties(
                true,
                GeneratorType.SNOWFLAKE,
                null,
                null,
                null,
                new Bits(null, null, null, null),
                new Worker(null, null, new Host(HostSource.AUTO), lease),
                new Datacenter(null),
                new Clock(null, Duration.ofSeconds(1)),
                new Sequence(Start.ZERO, null));
    }

    /** Creates this group if none of its properties is set. */
    static final class Unset extends UnsetGroup<SnowflakeProperties> {

        Unset(Environment environment) {
            super(environment, SnowflakeProperties.class, SnowflakeProperties::defaults);
        }
    }

    /** Written by hand because Spring calls it for each bean: to generate the methods would add 6 ms to startup. */
    @Override
    public int hashCode() {
        return Objects.hashCode(layout);
    }

    /**
     * Returns the layout that the properties describe: a preset, with the single properties that override it.
     *
     * @param otherwise the layout to start from if the properties name no preset
     */
    IdLayout toLayout(IdLayout otherwise) {
        IdLayout preset = layout == null || layout.isBlank()
                ? otherwise
                : IdLayout.presets().get(layout.toLowerCase(Locale.ROOT).replace('_', '-'));
        if (preset == null) {
            throw Problem.INVALID_LAYOUT.exception(
                    "Property '{snowflake}.layout' names an unknown layout: '%s'.".formatted(layout),
                    "Set one of %s."
                            .formatted(String.join(", ", IdLayout.presets().keySet())));
        }
        IdLayout.Builder changed = preset.toBuilder();
        Optional.ofNullable(epoch).ifPresent(changed::epoch);
        Optional.ofNullable(tick).ifPresent(changed::tick);
        Optional.ofNullable(bits.timestamp()).ifPresent(changed::timestampBits);
        Optional.ofNullable(bits.datacenter()).ifPresent(changed::datacenterBits);
        Optional.ofNullable(bits.worker()).ifPresent(changed::workerBits);
        Optional.ofNullable(bits.sequence()).ifPresent(changed::sequenceBits);
        try {
            return changed.build();
        } catch (IllegalArgumentException e) {
            // The core names the parameters of its builder.
            String message = String.valueOf(e.getMessage())
                    .replaceAll("(\\w+)Bits must", "'{snowflake}.bits.$1' must")
                    .replaceAll("(tick|epoch) must", "'{snowflake}.$1' must")
                    .replace("epoch and end must", "'{snowflake}.epoch' and the end of the layout must")
                    .replace("widths must", "'{snowflake}.bits' must");
            throw Problem.INVALID_LAYOUT.exception(message, """
                    Correct these properties. The default layout is valid:

                    {snowflake}.epoch: 2025-01-01T00:00:00Z
                    {snowflake}.tick: 1ms
                    {snowflake}.bits.timestamp: 41
                    {snowflake}.bits.datacenter: 5
                    {snowflake}.bits.worker: 5
                    {snowflake}.bits.sequence: 12""");
        }
    }

    /**
     * The widths of the fields of an ID.
     *
     * @param timestamp Width of the timestamp in an ID, in bits from 1 to 62.
     * @param datacenter Width of the datacenter ID in an ID, in bits from 0 to 31.
     * @param worker Width of the worker ID in an ID, in bits from 0 to 31.
     * @param sequence Width of the sequence in an ID, in bits from 0 to 31.
     */
    record Bits(
            @Nullable Integer timestamp,
            @Nullable Integer datacenter,
            @Nullable Integer worker,
            @Nullable Integer sequence) {}

    /**
     * The worker ID.
     *
     * @param strategy Source of the worker ID. By default "fixed" if a worker ID is set, otherwise "jdbc" if there is a
     *     DataSource or a JDBC URL, otherwise "host".
     * @param id Worker ID of this process. No two processes may use the same worker ID at the same time.
     * @param host Guessed worker IDs.
     * @param lease Leased worker IDs, for any store.
     */
    record Worker(
            @Nullable String strategy,
            @Nullable Integer id,
            @DefaultValue Host host,
            @DefaultValue Lease lease) {

        Worker {
            strategy = ValueRules.choice(strategy);
        }

        /** Returns whether the worker ID is set here. */
        boolean isFixed() {
            return strategy == null ? id != null : strategy.equals(FIXED);
        }

        /** Returns whether the worker ID is leased if a store is available. */
        boolean mayBeLeased() {
            return !isFixed() && !HOST.equals(strategy);
        }
    }

    /**
     * Guessed worker IDs.
     *
     * @param source Source that strategy "host" guesses the worker ID from.
     */
    record Host(@DefaultValue("auto") HostSource source) {}

    /**
     * Leased worker IDs.
     *
     * @param namespace Name under which processes share worker IDs. All processes that write to the same tables must
     *     use the same name.
     * @param ttl How long a lease lasts without renewal, from 1s to 1d. It is renewed every third of that time; a
     *     process that was killed keeps its worker ID for twice that time.
     * @param acquireTimeout How long to wait for a worker ID after the store was reached, and for its release, from 1ms
     *     to 1d.
     * @param maxClockSkew How far this machine's clock may differ from the store's clock at startup, and how far it may
     *     jump ahead later before renewals rely on the store's clock instead, from 0s to 1d.
     */
    record Lease(
            @DefaultValue("default") String namespace,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("60s")
            Duration ttl,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("10s")
            Duration acquireTimeout,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("10s")
            Duration maxClockSkew) {

        Lease {
            String group = "{snowflake}.worker.lease.";
            ValueRules.requireName(group + "namespace", namespace, "default");
            ValueRules.requireDuration(group + "ttl", ttl, Duration.ofSeconds(1), DAY, "60s");
            ValueRules.requireDuration(group + "acquire-timeout", acquireTimeout, Duration.ofMillis(1), DAY, "10s");
            ValueRules.requireDuration(group + "max-clock-skew", maxClockSkew, Duration.ZERO, DAY, "10s");
        }
    }

    /**
     * The datacenter ID.
     *
     * @param id Datacenter ID of this process. By default 0 with strategy "fixed", guessed with strategy "host", and
     *     leased with other strategies.
     */
    record Datacenter(@Nullable Integer id) {}

    /**
     * The clock.
     *
     * @param maxDrift How far IDs may run ahead of the clock. By default 1s with a lease, otherwise 0: a process
     *     without a lease that is killed and restarted within that time can repeat IDs.
     * @param maxWait How long a caller waits for an ID if the clock is behind by more than max-drift, from 0s to 1d.
     */
    record Clock(
            @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration maxDrift,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("1s")
            Duration maxWait) {

        Clock {
            if (maxDrift != null) {
                ValueRules.requireDuration("{snowflake}.clock.max-drift", maxDrift, Duration.ZERO, LONGEST_DRIFT, "0s");
            }
            ValueRules.requireDuration("{snowflake}.clock.max-wait", maxWait, Duration.ZERO, DAY, "1s");
        }
    }

    /**
     * The sequence.
     *
     * @param start Start of the sequence in a new tick. "random" and "rotating" spread IDs evenly over shards.
     * @param startBound Number of different starts for "random" and "rotating": 0 to start-bound - 1.
     */
    record Sequence(
            @DefaultValue("zero") Start start, @Nullable Integer startBound) {

        private static final int DEFAULT_BOUND = 64;

        /** Returns the start of the sequence in IDs of a layout. */
        SequenceStart toStart(IdLayout layout) {
            int highest = (int) Math.min(layout.maxSequence() + 1L, Integer.MAX_VALUE);
            int usual = Math.min(DEFAULT_BOUND, highest);
            int starts = startBound == null ? usual : startBound;
            if (startBound != null && start == Start.ZERO) {
                throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                        "Property '{snowflake}.sequence.start-bound' is %s, but has no effect: '{snowflake}.sequence.start' is 'zero'."
                                .formatted(startBound),
                        """
                        Remove '{snowflake}.sequence.start-bound', or use it:

                        {snowflake}.sequence.start: rotating""");
            }
            String rule = "be in [1, %s] (%s sequence bits)".formatted(highest, layout.sequenceBits());
            ValueRules.require(
                    starts >= 1 && starts <= highest, "{snowflake}.sequence.start-bound", rule, starts, usual);
            return switch (start) {
                case ZERO -> SequenceStart.zero();
                case RANDOM -> SequenceStart.random(starts);
                case ROTATING -> SequenceStart.rotating(starts);
            };
        }
    }

    /** The start of the sequence in a new tick. */
    enum Start {

        /** Always at 0. */
        ZERO,

        /** At a random number. */
        RANDOM,

        /** At 0, 1, 2 and so on in turn. */
        ROTATING
    }
}
