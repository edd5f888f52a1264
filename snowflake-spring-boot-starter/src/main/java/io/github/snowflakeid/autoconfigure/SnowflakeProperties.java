package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.worker.HostSource;
import io.github.snowflakeid.zookeeper.SnowflakeZooKeeperAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The properties of a Snowflake generator, the unnamed one or a named one.
 *
 * <p>Durations need a unit: Spring Boot would take a number alone as milliseconds, where people mean seconds. The unit {@link
 * ChronoUnit#FOREVER}, which no number can be converted to, makes it reject such a number.
 *
 * @param type Which numbers the generator issues. Named generators do not inherit it.
 * @param layout Name of the layout that epoch, tick and bits are taken from, unless they are set themselves.
 * @param epoch Instant from which the timestamp in an ID counts. Never change it once IDs are stored.
 * @param tick Unit of the timestamp in an ID, a whole number of milliseconds from 1ms to 1h.
 * @param bits Widths of the fields of an ID.
 * @param worker Worker ID of this process.
 * @param datacenter Datacenter ID of this process.
 * @param clock What to do when the clock steps back, or IDs are used up faster than it advances.
 * @param sequence Sequence, the lowest field of an ID.
 */
@ConfigurationProperties(GeneratorName.PREFIX)
record SnowflakeProperties(
        @DefaultValue("snowflake") Type type,
        @Nullable String layout,
        @Nullable Instant epoch,
        @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration tick,
        @DefaultValue Bits bits,
        @DefaultValue Worker worker,
        @DefaultValue Datacenter datacenter,
        @DefaultValue Clock clock,
        @DefaultValue Sequence sequence) {

    /** Which numbers a generator issues. */
    enum Type {

        /** Time-ordered 64-bit IDs. */
        SNOWFLAKE,

        /** Sequential numbers, reserved in ranges of a counter in a store. */
        SEGMENT
    }

    /**
     * Widths.
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
     * @param strategy Where the worker ID comes from. By default "fixed" if a worker ID is set, otherwise "jdbc" if there is a
     *     DataSource or a url of one, otherwise "host".
     * @param id Worker ID of this process. No two processes may use the same one at the same time.
     * @param host Worker IDs that are guessed.
     * @param lease Worker IDs that are leased, whatever store the leases are kept in.
     */
    record Worker(
            @Nullable Strategy strategy,
            @Nullable Integer id,
            @DefaultValue Host host,
            @DefaultValue Lease lease) {}

    /**
     * Guessed worker IDs.
     *
     * @param source What to guess the worker ID from, with strategy "host".
     */
    record Host(@DefaultValue("auto") HostSource source) {}

    /**
     * Leased worker IDs.
     *
     * @param namespace Name under which processes share worker IDs. All that write the same tables must share it.
     * @param ttl How long a lease lasts without renewal, from 1s to 1d. It is renewed every third of that time; a process that was
     *     killed keeps its worker ID for twice that time.
     * @param acquireTimeout How long to wait for a worker ID at startup, and for its release at shutdown, 1ms to 1d.
     * @param maxClockSkew How far the clock may be off the store's at startup, and may jump ahead later without being distrusted,
     *     0s to 1d.
     */
    record Lease(
            @DefaultValue("default") String namespace,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("60s")
            Duration ttl,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("10s")
            Duration acquireTimeout,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("10s")
            Duration maxClockSkew) {}

    /** Where the worker id comes from. */
    enum Strategy {

        /** The worker id that is configured. */
        FIXED,

        /** A guess from the host name and the address. */
        HOST,

        /** A lease of one that no other process has, from a database table. */
        JDBC(SnowflakeJdbcAutoConfiguration.class),

        /** A lease of one that no other process has, from Redis. */
        REDIS(SnowflakeRedisAutoConfiguration.class, "Spring Data Redis", """
                <dependency>
                  <groupId>org.springframework.boot</groupId>
                  <artifactId>spring-boot-starter-data-redis</artifactId>
                </dependency>"""),

        /** A lease of one that no other process has, from ZooKeeper. */
        ZOOKEEPER(SnowflakeZooKeeperAutoConfiguration.class, "Apache Curator", """
                <dependency>
                  <groupId>org.apache.curator</groupId>
                  <artifactId>curator-framework</artifactId>
                  <version>5.9.0</version>
                </dependency>"""),

        /** A lease of one that no other process of this machine has, from a directory. */
        FILE(SnowflakeFileAutoConfiguration.class);

        private final @Nullable Class<?> configuration;
        private final String library;
        private final String dependency;

        Strategy() {
            this(null);
        }

        Strategy(@Nullable Class<?> configuration) {
            this(configuration, "", "");
        }

        Strategy(@Nullable Class<?> configuration, String library, String dependency) {
            this.configuration = configuration;
            this.library = library;
            this.dependency = dependency;
        }

        /** Declares the store that worker IDs are leased in; null if they are not leased. */
        @Nullable
        Class<?> configuration() {
            return configuration;
        }

        /** What an application has to have on its class path; empty if it needs nothing. */
        String library() {
            return library;
        }

        /** What brings the {@link #library()}, for a {@code pom.xml}. */
        String dependency() {
            return dependency;
        }

        /** Whether worker ids are leased in a store. */
        boolean leases() {
            return configuration != null;
        }

        /** As it is written in the configuration. */
        String value() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The datacenter ID.
     *
     * @param id Datacenter ID of this process. By default 0 with strategy "fixed", guessed with strategy "host", leased with others.
     */
    record Datacenter(@Nullable Integer id) {}

    /**
     * The clock.
     *
     * @param maxDrift How far IDs may run ahead of the clock. By default 1s with a lease, otherwise 0: a process without a lease
     *     that is killed and restarted within that time can repeat IDs.
     * @param maxWait How long a caller waits for an ID if the clock is behind by more than that, 0s to 1d.
     */
    record Clock(
            @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration maxDrift,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("1s")
            Duration maxWait) {}

    /**
     * The sequence.
     *
     * @param start Where the sequence of a new tick starts. Anything but "zero" spreads IDs evenly over shards.
     * @param startBound Number of different starts, with "random" and "rotating": 0 to start-bound - 1.
     */
    record Sequence(
            @DefaultValue("zero") Start start, @Nullable Integer startBound) {}

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
