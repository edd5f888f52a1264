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
 * How the bits of an id are divided. From the highest to the lowest: timestamp, datacenter id, worker id, sequence. The
 * timestamp counts ticks since the epoch.
 *
 * <p>The widths may add up to 64, as Discord's do; ids are positive all the same, because a layout {@linkplain #end()
 * ends} before its highest bit would be needed. Two generators make comparable ids only with equal layouts: changing any
 * component of a layout whose ids are already stored can repeat them.
 *
 * <p>A value: immutable, safe for use by any number of threads.
 *
 * @param epoch the instant that tick 0 stands for, a whole number of milliseconds
 * @param tick the unit of the timestamp, a whole number of milliseconds from 1 ms to 1 h
 * @param timestampBits the width of the timestamp, from 1 to 62
 * @param datacenterBits the width of the datacenter id, from 0 to 31
 * @param workerBits the width of the worker id, from 0 to 31
 * @param sequenceBits the width of the sequence, from 0 to 31
 * @since 0.1.0
 */
public record IdLayout(
        Instant epoch, Duration tick, int timestampBits, int datacenterBits, int workerBits, int sequenceBits) {

    private static final Duration LONGEST_TICK = Duration.ofHours(1);

    /** 41 + 5 + 5 + 12 bits, milliseconds from 2025-01-01T00:00:00Z: 1024 workers, 4,096,000 ids a second each. */
    public static final IdLayout DEFAULT = builder().build();

    /**
     * Twitter's of 2010, also that of Hutool and MyBatis-Plus: as {@link #DEFAULT}, from 2010-11-04T01:42:54.657Z.
     * Source: {@code IdWorker.scala} of twitter-archive/snowflake.
     */
    public static final IdLayout TWITTER =
            builder().epoch(Instant.ofEpochMilli(1288834974657L)).build();

    /** Meituan's Leaf: Twitter's with one worker id of 10 bits. Source: {@code SnowflakeIDGenImpl} of Leaf. */
    public static final IdLayout LEAF =
            TWITTER.toBuilder().datacenterBits(0).workerBits(10).build();

    /**
     * Apache ShardingSphere's, from 2016-11-01T00:00:00Z. ShardingSphere takes that midnight in the time zone of the
     * JVM; this is the one of UTC. Source: {@code SnowflakeKeyGenerateAlgorithm} of ShardingSphere.
     */
    public static final IdLayout SHARDINGSPHERE =
            LEAF.toBuilder().epoch(Instant.ofEpochMilli(1477958400000L)).build();

    /**
     * The default of Baidu's uid-generator: seconds from 2016-05-20 in China, 22 bits of worker id. It ended at
     * 2024-11-20T13:24:16Z. To go on without repeating an id, let the epoch begin there again, with worker ids that were
     * never used before. Source: {@code DefaultUidGenerator} of uid-generator.
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
     * Discord's, all 64 bits, from 2015-01-01T00:00:00Z; what Discord calls worker and process are datacenter id and
     * worker id here. Source: the reference of Discord's API.
     */
    public static final IdLayout DISCORD = builder()
            .epoch(Instant.ofEpochMilli(1420070400000L))
            .timestampBits(42)
            .build();

    /**
     * 53 bits in all, so that ids survive JavaScript's {@code Number}, whose integers are exact up to 2^53 - 1:
     * milliseconds from 2025-01-01T00:00:00Z, 32 workers, 128,000 ids a second each.
     */
    public static final IdLayout JAVASCRIPT_SAFE =
            DEFAULT.toBuilder().datacenterBits(0).workerBits(5).sequenceBits(7).build();

    private static final Map<String, IdLayout> PRESETS = presetsInOrder();

    /**
     * Makes a layout; {@link #builder()} is easier to read.
     *
     * @param epoch the instant that tick 0 stands for
     * @param tick the unit of the timestamp
     * @param timestampBits the width of the timestamp
     * @param datacenterBits the width of the datacenter id
     * @param workerBits the width of the worker id
     * @param sequenceBits the width of the sequence
     * @throws NullPointerException if {@code epoch} or {@code tick} is null
     * @throws IllegalArgumentException if the layout is not possible; the message says everything that is wrong with it
     */
    public IdLayout {
        Objects.requireNonNull(epoch, "epoch");
        Objects.requireNonNull(tick, "tick");
        List<String> wrong = new ArrayList<>();
        checkWidth(wrong, "timestampBits", timestampBits, 1, 62);
        checkWidth(wrong, "datacenterBits", datacenterBits, 0, 31);
        checkWidth(wrong, "workerBits", workerBits, 0, 31);
        checkWidth(wrong, "sequenceBits", sequenceBits, 0, 31);
        if (tick.compareTo(Duration.ofMillis(1)) < 0
                || tick.compareTo(LONGEST_TICK) > 0
                || tick.toNanosPart() % 1_000_000 != 0) {
            wrong.add("tick must be a whole number of milliseconds from 1 ms to 1 h, but was " + tick);
        }
        if (!epoch.equals(epoch.truncatedTo(ChronoUnit.MILLIS))) {
            wrong.add("epoch must be a whole number of milliseconds, but was " + epoch);
        }
        int sum = timestampBits + datacenterBits + workerBits + sequenceBits;
        if (wrong.isEmpty() && sum > 64) {
            wrong.add(("widths must add up to at most 64 bits, but add up to %d"
                            + " (%d timestamp + %d datacenter + %d worker + %d sequence)")
                    .formatted(sum, timestampBits, datacenterBits, workerBits, sequenceBits));
        }
        if (wrong.isEmpty()) {
            long ticks = endTick(timestampBits, sum - timestampBits);
            try {
                Math.addExact(epoch.toEpochMilli(), Math.multiplyExact(ticks, tick.toMillis()));
            } catch (ArithmeticException e) {
                wrong.add("epoch and end must be within 292,000,000 years of 1970, but %d ticks of %s from %s are not"
                        .formatted(ticks, inWords(tick), epoch));
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("Invalid layout: " + String.join("; ", wrong));
        }
    }

    /**
     * Starts a layout from {@link #DEFAULT}.
     *
     * @return a builder with the values of the default layout
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts a layout from this one.
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
     * The ready-made layouts by the name that configuration uses: {@code default}, {@code twitter}, {@code leaf},
     * {@code shardingsphere}, {@code baidu}, {@code discord}, {@code javascript-safe}.
     *
     * @return an unmodifiable map in this order
     */
    public static Map<String, IdLayout> presets() {
        return PRESETS;
    }

    /**
     * The highest datacenter id.
     *
     * @return {@code 2^datacenterBits - 1}
     */
    public int maxDatacenterId() {
        return (int) mask(datacenterBits);
    }

    /**
     * The highest worker id.
     *
     * @return {@code 2^workerBits - 1}
     */
    public int maxWorkerId() {
        return (int) mask(workerBits);
    }

    /**
     * The highest sequence.
     *
     * @return {@code 2^sequenceBits - 1}
     */
    public int maxSequence() {
        return (int) mask(sequenceBits);
    }

    /**
     * How many ids one worker can make in a second.
     *
     * @return ids per second and worker, rounded down
     */
    public long capacityPerSecond() {
        return (1L << sequenceBits) * 1000 / tick.toMillis();
    }

    /**
     * When this layout's life ends: there are ids for every tick before, none for this instant or later ones.
     *
     * @return the end, exclusive
     */
    public Instant end() {
        return timestampOf(endTick());
    }

    /**
     * Takes an id apart.
     *
     * @param id an id of this layout
     * @return its fields; {@link #encode(IdFields)} makes the same id of them
     * @throws IllegalArgumentException if {@code id} is negative or has more bits than this layout
     */
    public IdFields decode(long id) {
        if (id < 0) {
            throw new IllegalArgumentException("id must not be negative, but was " + id);
        }
        int bits = timestampBits + nodeBits() + sequenceBits;
        if (bits < 63 && id >>> bits != 0) {
            throw new IllegalArgumentException(
                    "id must be less than 2^%d (the layout has %d bits), but was %d".formatted(bits, bits, id));
        }
        return new IdFields(
                timestampOf(id >>> (nodeBits() + sequenceBits)),
                (int) ((id >>> (workerBits + sequenceBits)) & mask(datacenterBits)),
                (int) ((id >>> sequenceBits) & mask(workerBits)),
                (int) (id & mask(sequenceBits)));
    }

    /**
     * Returns the time in an ID: the start of its tick. A tick longer than 1 ms rounds the time down. The time is read from the clock of
     * the process that generated the ID, and may be ahead of that clock by up to {@code max-drift}.
     *
     * @param id an ID of this layout
     * @return the timestamp of {@link #decode(long)}
     * @throws IllegalArgumentException if {@code id} is negative or has more bits than this layout
     */
    public Instant timestamp(long id) {
        return decode(id).timestamp();
    }

    /**
     * Returns the lowest ID that any worker can generate in the tick of an instant: the tick, followed by zero bits. An ID at or above it
     * has the time of this tick or a later time, whatever its datacenter ID and worker ID; an ID below it has an earlier time.
     *
     * @param instant an instant within a tick counts as the start of the tick
     * @return the first ID of the tick
     * @throws IllegalArgumentException if {@code instant} is before the epoch, or not before the {@linkplain #end() end}
     */
    public long firstId(Instant instant) {
        return encode(new IdFields(instant, 0, 0, 0));
    }

    /**
     * Returns the IDs whose {@linkplain #timestamp time} is at or after one instant and before another one, of all datacenters and
     * workers, for queries by ID alone. Spans that follow each other have no ID in common and omit none: an instant within a tick counts
     * as the start of the tick at both ends. If both instants are in the same tick, the range is {@linkplain IdRange#isEmpty() empty}.
     *
     * <p>The range goes by the time in the ID. A row may be committed later than that, and the time may be ahead of the clock by up to
     * {@code max-drift}.
     *
     * @param from the start of the span, inclusive
     * @param to the end of the span, exclusive; at most the {@linkplain #end() end} of this layout
     * @return the IDs from {@code firstId(from)} to {@code firstId(to) - 1}, both inclusive
     * @throws IllegalArgumentException if {@code from} is after {@code to}, or one of them is not in the life of this layout
     */
    public IdRange range(Instant from, Instant to) {
        if (from.isAfter(to)) {
            throw new IllegalArgumentException(
                    "from must not be after to, but from was %s and to was %s".formatted(from, to));
        }
        long behind = to.equals(end()) ? endTick() << (nodeBits() + sequenceBits) : firstId(to);
        return new IdRange(firstId(from), behind - 1);
    }

    /**
     * Puts an ID together. For a bound of a range query, use {@link #firstId(Instant)} or {@link #range(Instant, Instant)}.
     *
     * @param fields the fields; a timestamp within a tick counts as the start of the tick
     * @return the id; {@link #decode(long)} gives the fields back
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

    /** All bits and dates in one line: what a start-up log or an error message says of a layout. */
    @Override
    public String toString() {
        return fingerprint() + " (" + capacityPerSecond() + " ids/s per worker, ends " + end() + ")";
    }

    /** All that ids of this layout depend on: equal for equal layouts only. */
    String fingerprint() {
        return timestampBits + "+" + datacenterBits + "+" + workerBits + "+" + sequenceBits + " bits of "
                + inWords(tick) + " from " + epoch;
    }

    /** The first tick that begins at an instant or later; 0 for what is before the epoch, at most {@link #endTick()}. */
    long tickAtOrAfter(Instant instant) {
        if (!instant.isAfter(epoch)) {
            return 0;
        }
        if (!instant.isBefore(end())) {
            return endTick();
        }
        return Math.floorDiv(instant.toEpochMilli() - epoch.toEpochMilli() - 1, tick.toMillis()) + 1;
    }

    /** The fence that ends the layout's life: the first tick whose ids would not fit or not be positive. */
    long endTick() {
        return endTick(timestampBits, nodeBits() + sequenceBits);
    }

    /** Datacenter id and worker id where they stand in an id, all other bits 0. */
    long nodeOf(int datacenterId, int workerId) {
        check("datacenterId", datacenterId, datacenterBits);
        check("workerId", workerId, workerBits);
        return (((long) datacenterId << workerBits) | workerId) << sequenceBits;
    }

    private int nodeBits() {
        return datacenterBits + workerBits;
    }

    /** When a tick begins. */
    Instant timestampOf(long tickOfId) {
        return Instant.ofEpochMilli(epoch.toEpochMilli() + tickOfId * tick.toMillis());
    }

    private static long endTick(int timestampBits, int bitsBelow) {
        return 1L << Math.min(timestampBits, 63 - bitsBelow);
    }

    private static long mask(int bits) {
        return (1L << bits) - 1;
    }

    private static void checkWidth(List<String> wrong, String name, int bits, int min, int max) {
        if (bits < min || bits > max) {
            wrong.add("%s must be in [%d, %d], but was %d".formatted(name, min, max, bits));
        }
    }

    private static void check(String name, int value, int bits) {
        if (value < 0 || value > mask(bits)) {
            String field = name.endsWith("Id") ? name.substring(0, name.length() - 2) : name;
            throw new IllegalArgumentException(
                    "%s must be in [0, %d] (%d %s bits), but was %d".formatted(name, mask(bits), bits, field, value));
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

    /** Collects the components of a layout; what is not set is as in {@link #DEFAULT}. For use by one thread. */
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
         * @param epoch a whole number of milliseconds; not after the first id to be made
         * @return this
         */
        public Builder epoch(Instant epoch) {
            this.epoch = Objects.requireNonNull(epoch, "epoch");
            return this;
        }

        /**
         * Sets the unit of the timestamp.
         *
         * @param tick a whole number of milliseconds from 1 ms to 1 h
         * @return this
         */
        public Builder tick(Duration tick) {
            this.tick = Objects.requireNonNull(tick, "tick");
            return this;
        }

        /**
         * Sets the width of the timestamp.
         *
         * @param bits from 1 to 62
         * @return this
         */
        public Builder timestampBits(int bits) {
            timestampBits = bits;
            return this;
        }

        /**
         * Sets the width of the datacenter id.
         *
         * @param bits from 0 to 31
         * @return this
         */
        public Builder datacenterBits(int bits) {
            datacenterBits = bits;
            return this;
        }

        /**
         * Sets the width of the worker id.
         *
         * @param bits from 0 to 31
         * @return this
         */
        public Builder workerBits(int bits) {
            workerBits = bits;
            return this;
        }

        /**
         * Sets the width of the sequence.
         *
         * @param bits from 0 to 31
         * @return this
         */
        public Builder sequenceBits(int bits) {
            sequenceBits = bits;
            return this;
        }

        /**
         * Makes the layout.
         *
         * @return the layout
         * @throws IllegalArgumentException if it is not possible; the message says everything that is wrong with it
         */
        public IdLayout build() {
            return new IdLayout(epoch, tick, timestampBits, datacenterBits, workerBits, sequenceBits);
        }
    }
}
