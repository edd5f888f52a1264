package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.worker.HostSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What can be said in {@code application.yml}.
 *
 * @param layout Name of the layout that epoch, tick and bits are taken from, unless they are set themselves.
 * @param epoch Instant from which the timestamp in an id counts. Never change it once ids are stored.
 * @param tick Unit of the timestamp in an id, a whole number of milliseconds from 1ms to 1h.
 * @param bits Widths of the fields of an id.
 * @param worker Worker id of this process.
 * @param datacenter Datacenter id of this process.
 * @param clock What to do when the clock steps back, or ids are used up faster than it advances.
 * @param sequence Sequence, the lowest field of an id.
 */
@ConfigurationProperties("snowflake")
record SnowflakeProperties(
        @DefaultValue("default") String layout,
        @Nullable Instant epoch,
        @Nullable Duration tick,
        @DefaultValue Bits bits,
        @DefaultValue Worker worker,
        @DefaultValue Datacenter datacenter,
        @DefaultValue Clock clock,
        @DefaultValue Sequence sequence) {

    /**
     * Widths.
     *
     * @param timestamp Width of the timestamp in an id, in bits from 1 to 62.
     * @param datacenter Width of the datacenter id in an id, in bits from 0 to 31.
     * @param worker Width of the worker id in an id, in bits from 0 to 31.
     * @param sequence Width of the sequence in an id, in bits from 0 to 31.
     */
    record Bits(
            @Nullable Integer timestamp,
            @Nullable Integer datacenter,
            @Nullable Integer worker,
            @Nullable Integer sequence) {}

    /**
     * The worker id.
     *
     * @param strategy Where the worker id comes from. By default "fixed" if a worker id is set, otherwise "host".
     * @param id Worker id of this process. No two processes may use the same one at the same time.
     * @param host Worker ids that are guessed.
     */
    record Worker(
            @Nullable Strategy strategy,
            @Nullable Integer id,
            @DefaultValue Host host) {

        /**
         * Guessed worker ids.
         *
         * @param source What to guess the worker id from, with strategy "host".
         */
        record Host(@DefaultValue("auto") HostSource source) {}
    }

    /** Where the worker id comes from. */
    enum Strategy {

        /** The worker id that is configured. */
        FIXED,

        /** A guess from the host name and the address. */
        HOST
    }

    /**
     * The datacenter id.
     *
     * @param id Datacenter id of this process. By default 0 with strategy "fixed", guessed with strategy "host".
     */
    record Datacenter(@Nullable Integer id) {}

    /**
     * The clock.
     *
     * @param maxDrift How far ids may run ahead of the clock. A process that is killed and restarted within that time
     *     can repeat ids.
     * @param maxWait How long a caller waits for an id where the clock is behind by more than that.
     */
    record Clock(
            @Nullable Duration maxDrift, @DefaultValue("1s") Duration maxWait) {}

    /**
     * The sequence.
     *
     * @param start Where the sequence of a new tick starts. Anything but "zero" spreads ids evenly over shards.
     * @param bound Number of different starts, with "random" and "rotating": 0 to bound - 1.
     */
    record Sequence(
            @DefaultValue("zero") Start start, @Nullable Integer bound) {}

    /** Where a sequence starts. */
    enum Start {

        /** Always at 0. */
        ZERO,

        /** At a random number. */
        RANDOM,

        /** At 0, 1, 2 and so on in turn. */
        ROTATING
    }
}
