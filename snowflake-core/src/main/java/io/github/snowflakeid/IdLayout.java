package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The division of an ID's bits into fields. From the highest to the lowest bits, these are timestamp, datacenter ID,
 * worker ID and sequence. The timestamp counts ticks since the epoch.
 *
 * <p>The widths may add up to 64 bits, as in {@linkplain #DISCORD Discord's} layout. IDs are never negative, because a
 * layout {@linkplain #end() ends} before its highest bit would be needed.
 *
 * <p>Never change a component of a layout whose IDs are already stored: the changed layout can repeat them. IDs of
 * different layouts cannot be compared.
 *
 * <p>Immutable, and so safe for use by any number of threads.
 *
 * @param epoch the instant that tick 0 stands for, a whole number of milliseconds
 * @param tick the unit of the timestamp, a whole number of milliseconds from 1 ms to 1 h
 * @param timestampBits the width of the timestamp, from 1 to 62
 * @param datacenterBits the width of the datacenter ID, from 0 to 31
 * @param workerBits the width of the worker ID, from 0 to 31
 * @param sequenceBits the width of the sequence, from 0 to 31
 * @since 1.0
 */
public record IdLayout(
        Instant epoch, Duration tick, int timestampBits, int datacenterBits, int workerBits, int sequenceBits) {

    private static final Duration LONGEST_TICK = Duration.ofHours(1);

    /**
     * The default layout: 41 + 5 + 5 + 12 bits, milliseconds since 2025-01-01T00:00:00Z. It has 1024 worker IDs, each
     * of which can generate 4,096,000 IDs per second.
     */
    public static final IdLayout DEFAULT = builder().build();

    /**
     * The layout that Twitter published in 2010, also used by Hutool and MyBatis-Plus: like {@link #DEFAULT}, but with
     * the epoch 2010-11-04T01:42:54.657Z. Source: {@code IdWorker.scala} of twitter-archive/snowflake.
     */
    public static final IdLayout TWITTER =
            builder().epoch(Instant.ofEpochMilli(1288834974657L)).build();

    /**
     * The layout of Meituan's Leaf: like {@link #TWITTER}, but with a worker ID of 10 bits and no datacenter ID.
     * Source: {@code SnowflakeIDGenImpl} of Leaf.
     */
    public static final IdLayout LEAF =
            TWITTER.toBuilder().datacenterBits(0).workerBits(10).build();

    /**
     * The layout of Apache ShardingSphere: like {@link #LEAF}, but with the epoch 2016-11-01T00:00:00Z. ShardingSphere
     * uses midnight in the time zone of the JVM; this is midnight in UTC. Source: {@code SnowflakeKeyGenerateAlgorithm}
     * of ShardingSphere.
     */
    public static final IdLayout SHARDINGSPHERE =
            LEAF.toBuilder().epoch(Instant.ofEpochMilli(1477958400000L)).build();

    /**
     * The default layout of Baidu's uid-generator: seconds since 2016-05-20T00:00:00 in China, and a worker ID of 22
     * bits. This layout ended at 2024-11-20T13:24:16Z. To continue without repeating an ID, set the epoch to that
     * instant and use worker IDs that were never used before. Source: {@code DefaultUidGenerator} of uid-generator.
     */
    public static final IdLayout BAIDU = builder()
            .epoch(Instant.ofEpochMilli(1463673600000L))
            .tick(Duration.ofSeconds(1))
            .timestampBits(28)
            .datacenterBits(0)
            .workerBits(22)
            .sequenceBits(13)
            .build();

    /**
     * The layout of Discord: 64 bits, milliseconds since 2015-01-01T00:00:00Z. Discord's worker ID and process ID are
     * called datacenter ID and worker ID here. Source: Discord's API reference.
     */
    public static final IdLayout DISCORD = builder()
            .epoch(Instant.ofEpochMilli(1420070400000L))
            .timestampBits(42)
            .build();

    /**
     * A layout of 53 bits, for IDs that JavaScript reads as {@code Number}, which represents integers exactly up to
     * 2^53 - 1. Milliseconds since 2025-01-01T00:00:00Z, 32 worker IDs, each of which can generate 128,000 IDs per
     * second.
     */
    public static final IdLayout JAVASCRIPT_SAFE =
            DEFAULT.toBuilder().datacenterBits(0).workerBits(5).sequenceBits(7).build();

    private static final Map<String, IdLayout> PRESETS = presetsInOrder();

    /**
     * Creates a layout; calls to the {@link #builder()} are easier to read.
     *
     * @param epoch the instant that tick 0 stands for
     * @param tick the unit of the timestamp
     * @param timestampBits the width of the timestamp
     * @param datacenterBits the width of the datacenter ID
     * @param workerBits the width of the worker ID
     * @param sequenceBits the width of the sequence
     * @throws NullPointerException if {@code epoch} or {@code tick} is null
     * @throws IllegalArgumentException if the layout is invalid; the message lists all problems
     */
    public IdLayout {
        Objects.requireNonNull(epoch, "epoch");
        Objects.requireNonNull(tick, "tick");
        List<String> problems = new ArrayList<>();
        checkWidth(problems, "timestampBits", timestampBits, 1, 62);
        checkWidth(problems, "datacenterBits", datacenterBits, 0, 31);
        checkWidth(problems, "workerBits", workerBits, 0, 31);
        checkWidth(problems, "sequenceBits", sequenceBits, 0, 31);
        if (tick.compareTo(Duration.ofMillis(1)) < 0
                || tick.compareTo(LONGEST_TICK) > 0
                || tick.toNanosPart() % 1_000_000 != 0) {
            problems.add("tick must be a whole number of milliseconds from 1 ms to 1 h, but was " + tick);
        }
        if (!epoch.equals(epoch.truncatedTo(ChronoUnit.MILLIS))) {
            problems.add("epoch must be a whole number of milliseconds, but was " + epoch);
        }
        int sum = timestampBits + datacenterBits + workerBits + sequenceBits;
        if (problems.isEmpty() && sum > 64) {
            problems.add(("widths must add up to at most 64 bits, but add up to %s"
                            + " (%s timestamp + %s datacenter + %s worker + %s sequence)")
                    .formatted(sum, timestampBits, datacenterBits, workerBits, sequenceBits));
        }
        if (problems.isEmpty()) {
            long ticks = endTick(timestampBits, sum - timestampBits);
            try {
                Math.addExact(epoch.toEpochMilli(), Math.multiplyExact(ticks, tick.toMillis()));
            } catch (ArithmeticException e) {
                problems.add(
                        "epoch and end must be within 292,000,000 years of 1970, but %s ticks of %s from %s are not"
                                .formatted(ticks, inWords(tick), epoch));
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Invalid layout: " + String.join("; ", problems));
        }
    }

    /**
     * Creates a builder that starts from {@link #DEFAULT}.
     *
     * @return a builder with the values of the default layout
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Creates a builder that starts from this layout.
     *
     * @return a builder with the values of this layout
     */
    public Builder toBuilder() {
        return builder()
                .epoch(epoch)
                .tick(tick)
                .timestampBits(timestampBits)
                .datacenterBits(datacenterBits)
                .workerBits(workerBits)
                .sequenceBits(sequenceBits);
    }

    /**
     * Returns the predefined layouts by the names that configuration uses: {@code default}, {@code twitter},
     * {@code leaf}, {@code shardingsphere}, {@code baidu}, {@code discord}, {@code javascript-safe}.
     *
     * @return an unmodifiable map, in this order
     */
    public static Map<String, IdLayout> presets() {
        return PRESETS;
    }

    /**
     * Returns the highest datacenter ID.
     *
     * @return {@code 2^datacenterBits - 1}
     */
    public int maxDatacenterId() {
        return (int) mask(datacenterBits);
    }

    /**
     * Returns the highest worker ID.
     *
     * @return {@code 2^workerBits - 1}
     */
    public int maxWorkerId() {
        return (int) mask(workerBits);
    }

    /**
     * Returns the highest sequence number.
     *
     * @return {@code 2^sequenceBits - 1}
     */
    public int maxSequence() {
        return (int) mask(sequenceBits);
    }

    /**
     * Returns how many IDs one worker ID can generate per second.
     *
     * @return IDs per second and worker ID, rounded down
     */
    public long capacityPerSecond() {
        return (1L << sequenceBits) * 1000 / tick.toMillis();
    }

    /**
     * Returns the end of this layout: it has IDs for every tick before this instant, and no IDs for this instant or
     * later ones.
     *
     * @return the end, exclusive
     */
    public Instant end() {
        return timestampOf(endTick());
    }

    /**
     * Decodes an ID into its fields.
     *
     * @param id an ID of this layout
     * @return its fields; {@link #encode(IdFields)} returns the same ID for them
     * @throws IllegalArgumentException if {@code id} is negative or has more bits than this layout
     */
    public IdFields decode(long id) {
        if (id < 0) {
            throw new IllegalArgumentException("ID must not be negative, but was " + id);
        }
        int bits = timestampBits + nodeBits() + sequenceBits;
        if (bits < 63 && id >>> bits != 0) {
            throw new IllegalArgumentException(
                    "ID must be less than 2^%s (the layout has %s bits), but was %s".formatted(bits, bits, id));
        }
        return new IdFields(
                timestampOf(id >>> (nodeBits() + sequenceBits)),
                (int) ((id >>> (workerBits + sequenceBits)) & mask(datacenterBits)),
                (int) ((id >>> sequenceBits) & mask(workerBits)),
                (int) (id & mask(sequenceBits)));
    }

    /**
     * Returns the time in an ID: the start of its tick. A tick longer than 1 ms rounds the time down. The time comes
     * from the clock of the process that generated the ID, and may be ahead of that clock by up to {@code max-drift}.
     *
     * @param id an ID of this layout
     * @return the timestamp of {@link #decode(long)}
     * @throws IllegalArgumentException if {@code id} is negative or has more bits than this layout
     */
    public Instant timestamp(long id) {
        return decode(id).timestamp();
    }

    /**
     * Returns the lowest ID that any worker ID can generate in the tick of an instant: the tick, followed by zero bits.
     * IDs equal to it or greater have the time of this tick or a later time, whatever their datacenter ID and worker
     * ID. Lower IDs have an earlier time.
     *
     * @param instant any instant within a tick; it is rounded down to the start of the tick
     * @return the first ID of the tick
     * @throws IllegalArgumentException if {@code instant} is before the epoch, or not before the
     *     {@linkplain #end() end}
     */
    public long firstId(Instant instant) {
        return encode(new IdFields(instant, 0, 0, 0));
    }

    /**
     * Returns the range of IDs whose {@linkplain #timestamp time} is at or after one instant and before another one,
     * whatever their datacenter ID and worker ID. Use it to select rows by time through the ID column. Both instants
     * are rounded down to the start of their tick, so consecutive spans neither overlap nor leave a gap. If both
     * instants are in the same tick, the range is {@linkplain IdRange#isEmpty() empty}.
     *
     * <p>The range refers to the time in the ID. A row may be committed later, and the time may be ahead of the clock
     * by up to {@code max-drift}.
     *
     * @param from the start of the span, inclusive
     * @param to the end of the span, exclusive; at most the {@linkplain #end() end} of this layout
     * @return the IDs from {@code firstId(from)} to {@code firstId(to) - 1}, both inclusive
     * @throws IllegalArgumentException if {@code from} is after {@code to}, or if one of them is before the epoch or
     *     after the end of this layout
     */
    public IdRange range(Instant from, Instant to) {
        if (from.isAfter(to)) {
            throw new IllegalArgumentException(
                    "from must not be after to, but from was %s and to was %s".formatted(from, to));
        }
        long endId = to.equals(end()) ? endTick() << (nodeBits() + sequenceBits) : firstId(to);
        return new IdRange(firstId(from), endId - 1);
    }

    /**
     * Encodes fields as an ID. For the bounds of a range query, use {@link #firstId(Instant)} or
     * {@link #range(Instant, Instant)}.
     *
     * @param fields the fields; the timestamp is rounded down to the start of its tick
     * @return the ID; {@link #decode(long)} returns the fields for it
     * @throws IllegalArgumentException if a field is out of the range of this layout
     */
    public long encode(IdFields fields) {
        Instant timestamp = fields.timestamp();
        if (timestamp.isBefore(epoch) || !timestamp.isBefore(end())) {
            throw new IllegalArgumentException(
                    "timestamp must be at or after %s and before %s, but was %s".formatted(epoch, end(), timestamp));
        }
        check("sequence", fields.sequence(), sequenceBits);
        long tickOfId = (timestamp.toEpochMilli() - epoch.toEpochMilli()) / tick.toMillis();
        return (tickOfId << (nodeBits() + sequenceBits))
                | nodeOf(fields.datacenterId(), fields.workerId())
                | fields.sequence();
    }

    /** Written by hand because Spring calls it for each bean: to generate the method would add 3 ms to startup. */
    @Override
    public int hashCode() {
        return Objects.hash(epoch, tick, timestampBits, datacenterBits, workerBits, sequenceBits);
    }

    /** Returns all components, the capacity and the end in one line, for the startup log and error messages. */
    @Override
    public String toString() {
        return fingerprint() + " (" + capacityPerSecond() + " IDs/s per worker, ends " + end() + ")";
    }

    /**
     * Returns all components in one line, equal only for equal layouts. Registries store it, so it must never change.
     */
    String fingerprint() {
        return timestampBits + "+" + datacenterBits + "+" + workerBits + "+" + sequenceBits + " bits of "
                + inWords(tick) + " from " + epoch;
    }

    /**
     * Returns the first tick that begins at an instant or later: 0 if the instant is before the epoch, and at most
     * {@link #endTick()}.
     */
    long tickAtOrAfter(Instant instant) {
        if (!instant.isAfter(epoch)) {
            return 0;
        }
        if (!instant.isBefore(end())) {
            return endTick();
        }
        return Math.floorDiv(instant.toEpochMilli() - epoch.toEpochMilli() - 1, tick.toMillis()) + 1;
    }

    /**
     * Returns the end of this layout as a fence: the first tick whose IDs would not fit into the layout, or would be
     * negative.
     */
    long endTick() {
        return endTick(timestampBits, nodeBits() + sequenceBits);
    }

    /** Returns the datacenter ID and the worker ID at their positions in an ID, with all other bits 0. */
    long nodeOf(int datacenterId, int workerId) {
        check("datacenterId", datacenterId, datacenterBits);
        check("workerId", workerId, workerBits);
        return (((long) datacenterId << workerBits) | workerId) << sequenceBits;
    }

    private int nodeBits() {
        return datacenterBits + workerBits;
    }

    /** Returns the start of a tick. */
    Instant timestampOf(long tickOfId) {
        return Instant.ofEpochMilli(epoch.toEpochMilli() + tickOfId * tick.toMillis());
    }

    private static long endTick(int timestampBits, int bitsBelow) {
        return 1L << Math.min(timestampBits, 63 - bitsBelow);
    }

    private static long mask(int bits) {
        return (1L << bits) - 1;
    }

    private static void checkWidth(List<String> problems, String name, int bits, int min, int max) {
        if (bits < min || bits > max) {
            problems.add("%s must be in [%s, %s], but was %s".formatted(name, min, max, bits));
        }
    }

    private static void check(String name, int value, int bits) {
        if (value < 0 || value > mask(bits)) {
            String field = name.endsWith("Id") ? name.substring(0, name.length() - 2) : name;
            throw new IllegalArgumentException(
                    "%s must be in [0, %s] (%s %s bits), but was %s".formatted(name, mask(bits), bits, field, value));
        }
    }

    private static String inWords(Duration tick) {
        return tick.toMillisPart() == 0 ? tick.toSeconds() + " s" : tick.toMillis() + " ms";
    }

    private static Map<String, IdLayout> presetsInOrder() {
        Map<String, IdLayout> presets = new LinkedHashMap<>();
        presets.put("default", DEFAULT);
        presets.put("twitter", TWITTER);
        presets.put("leaf", LEAF);
        presets.put("shardingsphere", SHARDINGSPHERE);
        presets.put("baidu", BAIDU);
        presets.put("discord", DISCORD);
        presets.put("javascript-safe", JAVASCRIPT_SAFE);
        return Collections.unmodifiableMap(presets);
    }

    /**
     * Collects the components of a layout, which default to the components of {@link #DEFAULT}. Not safe for use by
     * several threads.
     */
    public static final class Builder {

        private Instant epoch = Instant.ofEpochMilli(1735689600000L);
        private Duration tick = Duration.ofMillis(1);
        private int timestampBits = 41;
        private int datacenterBits = 5;
        private int workerBits = 5;
        private int sequenceBits = 12;

        private Builder() {}

        /**
         * Sets the instant that tick 0 stands for.
         *
         * @param epoch a whole number of milliseconds since 1970; not after the first ID is generated
         * @return this builder
         */
        public Builder epoch(Instant epoch) {
            this.epoch = Objects.requireNonNull(epoch, "epoch");
            return this;
        }

        /**
         * Sets the unit of the timestamp.
         *
         * @param tick a whole number of milliseconds from 1 ms to 1 h
         * @return this builder
         */
        public Builder tick(Duration tick) {
            this.tick = Objects.requireNonNull(tick, "tick");
            return this;
        }

        /**
         * Sets the width of the timestamp.
         *
         * @param bits from 1 to 62
         * @return this builder
         */
        public Builder timestampBits(int bits) {
            timestampBits = bits;
            return this;
        }

        /**
         * Sets the width of the datacenter ID.
         *
         * @param bits from 0 to 31
         * @return this builder
         */
        public Builder datacenterBits(int bits) {
            datacenterBits = bits;
            return this;
        }

        /**
         * Sets the width of the worker ID.
         *
         * @param bits from 0 to 31
         * @return this builder
         */
        public Builder workerBits(int bits) {
            workerBits = bits;
            return this;
        }

        /**
         * Sets the width of the sequence.
         *
         * @param bits from 0 to 31
         * @return this builder
         */
        public Builder sequenceBits(int bits) {
            sequenceBits = bits;
            return this;
        }

        /**
         * Builds the layout.
         *
         * @return the layout
         * @throws IllegalArgumentException if the layout is invalid; the message lists all problems
         */
        public IdLayout build() {
            return new IdLayout(epoch, tick, timestampBits, datacenterBits, workerBits, sequenceBits);
        }
    }
}
