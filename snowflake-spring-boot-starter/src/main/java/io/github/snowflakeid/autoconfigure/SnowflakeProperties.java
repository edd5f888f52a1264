package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.HostSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * What can be set in {@code application.yml}. Whoever adds a property also adds its name to {@link PropertyNames}.
 *
 * <p>Durations need a unit: a number alone is refused, because Spring Boot would take it as milliseconds where people mean
 * seconds. That is done by the unit {@link ChronoUnit#FOREVER}, which no number can be converted to.
 *
 * <p>What is not set is null when Spring makes a record, which then puts the default in its place. A default in an
 * annotation would be parsed at each start, and cost an application more of it than all else here. So an IDE is told of
 * the defaults by {@code additional-spring-configuration-metadata.json}.
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
        String layout,
        @Nullable Instant epoch,
        @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration tick,
        Bits bits,
        Worker worker,
        Datacenter datacenter,
        Clock clock,
        Sequence sequence)
        implements EnvironmentAware {

    SnowflakeProperties {
        layout = Objects.requireNonNullElse(layout, "default");
        bits = Objects.requireNonNullElse(bits, Bits.UNSET);
        worker = Objects.requireNonNullElse(worker, Worker.UNSET);
        datacenter = Objects.requireNonNullElse(datacenter, Datacenter.UNSET);
        clock = Objects.requireNonNullElse(clock, Clock.USUAL);
        sequence = Objects.requireNonNullElse(sequence, Sequence.USUAL);
    }

    /** By hand, since Spring asks each bean for it at the start, and what is generated is slow the first time. */
    @Override
    public int hashCode() {
        return layout.hashCode();
    }

    /** Spring calls this when the properties are bound, and before anybody gets them. */
    @Override
    public void setEnvironment(Environment environment) {
        PropertyNames.check(environment);
        if (epoch != null) {
            ConfiguredLayout.refuseEpochNumber(environment);
        }
    }

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
            @Nullable Integer sequence) {

        static final Bits UNSET = new Bits(null, null, null, null);
    }

    /**
     * The worker id.
     *
     * @param strategy Where the worker id comes from. By default "fixed" if a worker id is set, otherwise "jdbc" if there
     *     is a DataSource or a url of one, otherwise "host".
     * @param id Worker id of this process. No two processes may use the same one at the same time.
     * @param host Worker ids that are guessed.
     * @param lease Worker ids that are leased, whatever store the leases are kept in.
     * @param jdbc Database table that leases are kept in.
     */
    record Worker(@Nullable Strategy strategy, @Nullable Integer id, Host host, Lease lease, Jdbc jdbc) {

        static final Worker UNSET = new Worker(null, null, Host.USUAL, Lease.USUAL, Jdbc.USUAL);

        Worker {
            host = Objects.requireNonNullElse(host, Host.USUAL);
            lease = Objects.requireNonNullElse(lease, Lease.USUAL);
            jdbc = Objects.requireNonNullElse(jdbc, Jdbc.USUAL);
        }

        /**
         * Guessed worker ids.
         *
         * @param source What to guess the worker id from, with strategy "host".
         */
        record Host(HostSource source) {

            static final Host USUAL = new Host(HostSource.AUTO);

            Host {
                source = Objects.requireNonNullElse(source, HostSource.AUTO);
            }
        }

        /**
         * Leased worker ids.
         *
         * @param namespace Name under which processes share worker ids. All that write the same tables must share it.
         * @param ttl How long a lease lasts without renewal, from 1s to 1d. It is renewed every third of that time; a
         *     process that was killed keeps its worker id for twice that time.
         * @param acquireTimeout How long to wait for a worker id at the start, and for giving it back at the end.
         * @param maxClockSkew How far the clock may be off the store's at the start.
         */
        record Lease(
                String namespace,
                @DurationUnit(ChronoUnit.FOREVER) Duration ttl,
                @DurationUnit(ChronoUnit.FOREVER) Duration acquireTimeout,
                @DurationUnit(ChronoUnit.FOREVER) Duration maxClockSkew) {

            private static final String USUAL_NAMESPACE = "default";
            private static final Duration USUAL_TTL = Duration.ofSeconds(60);
            private static final Duration USUAL_LIMIT = Duration.ofSeconds(10);

            static final Lease USUAL = new Lease(USUAL_NAMESPACE, USUAL_TTL, USUAL_LIMIT, USUAL_LIMIT);

            Lease {
                namespace = Objects.requireNonNullElse(namespace, USUAL_NAMESPACE);
                ttl = Objects.requireNonNullElse(ttl, USUAL_TTL);
                acquireTimeout = Objects.requireNonNullElse(acquireTimeout, USUAL_LIMIT);
                maxClockSkew = Objects.requireNonNullElse(maxClockSkew, USUAL_LIMIT);
            }
        }

        /**
         * Leases in a database.
         *
         * @param url JDBC url of the database that leases are kept in, for a connection outside of the application's pool.
         *     By default, connections come from the DataSource.
         * @param username User name for a connection of the leases' own.
         * @param password Password for a connection of the leases' own.
         * @param driverClassName Driver for a connection of the leases' own. By default found by the url.
         * @param tableName Name of the table that leases are kept in, after a schema and a dot if need be.
         * @param initializeSchema When to create the table, if there is none.
         */
        record Jdbc(
                @Nullable String url,
                @Nullable String username,
                @Nullable String password,
                @Nullable String driverClassName,
                String tableName,
                InitializeSchema initializeSchema) {

            static final Jdbc USUAL =
                    new Jdbc(null, null, null, null, JdbcWorkerRegistry.DEFAULT_TABLE, InitializeSchema.EMBEDDED);

            Jdbc {
                tableName = Objects.requireNonNullElse(tableName, JdbcWorkerRegistry.DEFAULT_TABLE);
                initializeSchema = Objects.requireNonNullElse(initializeSchema, InitializeSchema.EMBEDDED);
            }

            /** Without the password. */
            @Override
            public String toString() {
                return "Jdbc[tableName=" + tableName + ", initializeSchema=" + initializeSchema + "]";
            }
        }
    }

    /** When to create the table of worker ids. */
    enum InitializeSchema {

        /** In a database that lives in the memory of this process. */
        EMBEDDED,

        /** In every database. */
        ALWAYS,

        /** Never, since it is there. */
        NEVER
    }

    /** Where the worker id comes from. */
    enum Strategy {

        /** The worker id that is configured. */
        FIXED,

        /** A guess from the host name and the address. */
        HOST,

        /** A lease of one that no other process has, from a database table. */
        JDBC
    }

    /**
     * The datacenter id.
     *
     * @param id Datacenter id of this process. By default 0 with strategy "fixed", guessed with strategy "host", leased
     *     with strategy "jdbc".
     */
    record Datacenter(@Nullable Integer id) {

        static final Datacenter UNSET = new Datacenter(null);
    }

    /**
     * The clock.
     *
     * @param maxDrift How far ids may run ahead of the clock. By default 1s with a lease, otherwise 0: a process without
     *     a lease that is killed and restarted within that time can repeat ids.
     * @param maxWait How long a caller waits for an id where the clock is behind by more than that.
     */
    record Clock(
            @DurationUnit(ChronoUnit.FOREVER) @Nullable Duration maxDrift,
            @DurationUnit(ChronoUnit.FOREVER) Duration maxWait) {

        private static final Duration USUAL_WAIT = Duration.ofSeconds(1);

        static final Clock USUAL = new Clock(null, USUAL_WAIT);

        Clock {
            maxWait = Objects.requireNonNullElse(maxWait, USUAL_WAIT);
        }
    }

    /**
     * The sequence.
     *
     * @param start Where the sequence of a new tick starts. Anything but "zero" spreads ids evenly over shards.
     * @param bound Number of different starts, with "random" and "rotating": 0 to bound - 1.
     */
    record Sequence(Start start, @Nullable Integer bound) {

        static final Sequence USUAL = new Sequence(Start.ZERO, null);

        Sequence {
            start = Objects.requireNonNullElse(start, Start.ZERO);
        }
    }

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
