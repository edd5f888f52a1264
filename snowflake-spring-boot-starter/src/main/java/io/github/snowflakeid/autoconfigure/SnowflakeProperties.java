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
 * The properties of a Snowflake generator, unnamed or named.
 *
 * <p>Durations need a unit: Spring Boot would read a plain number as milliseconds, but users often mean seconds. No number can be converted
 * to the unit {@link ChronoUnit#FOREVER}, so binding rejects a plain number.
 *
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
        @DefaultValue("snowflake") Type type,
        @Nullable String layout,
        @Nullable Instant epoch,
        @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration tick,
        @DefaultValue Bits bits,
        @DefaultValue Worker worker,
        @DefaultValue Datacenter datacenter,
        @DefaultValue Clock clock,
        @DefaultValue Sequence sequence) {

    /** The type of numbers that a generator issues. */
    enum Type {

        /** Time-ordered 64-bit IDs. */
        SNOWFLAKE,

        /** Sequential numbers, which are fetched in ranges from a counter in a store. */
        SEGMENT
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
     * @param strategy Source of the worker ID. By default "fixed" if a worker ID is set, otherwise "jdbc" if there is a DataSource or
     *     a JDBC URL, otherwise "host".
     * @param id Worker ID of this process. No two processes may use the same worker ID at the same time.
     * @param host Guessed worker IDs.
     * @param lease Leased worker IDs, for any store.
     */
    record Worker(
            @Nullable Strategy strategy,
            @Nullable Integer id,
            @DefaultValue Host host,
            @DefaultValue Lease lease) {}

    /**
     * Guessed worker IDs.
     *
     * @param source Source that strategy "host" guesses the worker ID from.
     */
    record Host(@DefaultValue("auto") HostSource source) {}

    /**
     * Leased worker IDs.
     *
     * @param namespace Name under which processes share worker IDs. All processes that write to the same tables must use the same name.
     * @param ttl How long a lease lasts without renewal, from 1s to 1d. It is renewed every third of that time; a process that was
     *     killed keeps its worker ID for twice that time.
     * @param acquireTimeout How long to wait for a worker ID at startup, and for its release at shutdown, from 1ms to 1d.
     * @param maxClockSkew How far this machine's clock may differ from the store's clock at startup, and how far it may jump ahead later
     *     before renewals rely on the store's clock instead, from 0s to 1d.
     */
    record Lease(
            @DefaultValue("default") String namespace,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("60s")
            Duration ttl,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("10s")
            Duration acquireTimeout,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("10s")
            Duration maxClockSkew) {}

    /** The source of the worker ID. */
    enum Strategy {

        /** The configured worker ID. */
        FIXED,

        /** A worker ID that is guessed from the host name and the address. */
        HOST,

        /** A worker ID that is leased from a database table. */
        JDBC(SnowflakeJdbcAutoConfiguration.class),

        /** A worker ID that is leased from Redis. */
        REDIS(SnowflakeRedisAutoConfiguration.class, "Spring Data Redis", """
                <dependency>
                  <groupId>org.springframework.boot</groupId>
                  <artifactId>spring-boot-starter-data-redis</artifactId>
                </dependency>"""),

        /** A worker ID that is leased from ZooKeeper. */
        ZOOKEEPER(SnowflakeZooKeeperAutoConfiguration.class, "Apache Curator", """
                <dependency>
                  <groupId>org.apache.curator</groupId>
                  <artifactId>curator-framework</artifactId>
                  <version>5.9.0</version>
                </dependency>"""),

        /** A worker ID that is leased from a directory, for the processes of one machine. */
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

        /** Returns the configuration of the store; null if worker IDs are not leased. */
        @Nullable
        Class<?> configuration() {
            return configuration;
        }

        /** Returns the library that must be on the class path; empty if none is needed. */
        String library() {
            return library;
        }

        /** Returns the dependency on the {@link #library()}, for a {@code pom.xml}. */
        String dependency() {
            return dependency;
        }

        /** Returns whether worker IDs are leased from a store. */
        boolean leases() {
            return configuration != null;
        }

        /** Returns the value of the property. */
        String value() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The datacenter ID.
     *
     * @param id Datacenter ID of this process. By default 0 with strategy "fixed", guessed with strategy "host", and leased with other
     *     strategies.
     */
    record Datacenter(@Nullable Integer id) {}

    /**
     * The clock.
     *
     * @param maxDrift How far IDs may run ahead of the clock. By default 1s with a lease, otherwise 0: a process without a lease
     *     that is killed and restarted within that time can repeat IDs.
     * @param maxWait How long a caller waits for an ID if the clock is behind by more than max-drift, from 0s to 1d.
     */
    record Clock(
            @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration maxDrift,

            @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("1s")
            Duration maxWait) {}

    /**
     * The sequence.
     *
     * @param start Start of the sequence in a new tick. "random" and "rotating" spread IDs evenly over shards.
     * @param startBound Number of different starts for "random" and "rotating": 0 to start-bound - 1.
     */
    record Sequence(
            @DefaultValue("zero") Start start, @Nullable Integer startBound) {}

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
