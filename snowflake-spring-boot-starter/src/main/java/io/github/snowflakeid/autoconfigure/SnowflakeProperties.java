package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.worker.HostSource;
import io.github.snowflakeid.zookeeper.SnowflakeZooKeeperAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * What can be set in {@code application.yml}, for the unnamed generator or for a named one. Whoever adds a property also adds
 * its name to {@link PropertyNames}.
 *
 * <p>Durations need a unit: a number alone is refused, because Spring Boot would take it as milliseconds where people mean
 * seconds. That is done by the unit {@link ChronoUnit#FOREVER}, which no number can be converted to.
 */
@ConfigurationProperties(PropertyNames.PREFIX)
final class SnowflakeProperties implements EnvironmentAware {

    private final GeneratorName generator;
    private IdLayout inheritedLayout = IdLayout.DEFAULT;
    private boolean several;

    /** Which numbers the generator issues. Named generators do not inherit it. */
    private Type type = Type.SNOWFLAKE;

    /** Name of the layout that epoch, tick and bits are taken from, unless they are set themselves. */
    private @Nullable String layout;

    /** Instant from which the timestamp in an id counts. Never change it once ids are stored. */
    private @Nullable Instant epoch;

    /** Unit of the timestamp in an id, a whole number of milliseconds from 1ms to 1h. */
    @DurationUnit(ChronoUnit.FOREVER)
    private @Nullable Duration tick;

    /** Widths of the fields of an id. */
    private Bits bits = new Bits();

    /** Worker id of this process. */
    private Worker worker = new Worker();

    /** Datacenter id of this process. */
    private Datacenter datacenter = new Datacenter();

    /** What to do when the clock steps back, or ids are used up faster than it advances. */
    private Clock clock = new Clock();

    /** Sequence, the lowest field of an id. */
    private Sequence sequence = new Sequence();

    public Type getType() {
        return type;
    }

    public void setType(Type type) {
        this.type = type;
    }

    public @Nullable String getLayout() {
        return layout;
    }

    public void setLayout(@Nullable String layout) {
        this.layout = layout;
    }

    public @Nullable Instant getEpoch() {
        return epoch;
    }

    public void setEpoch(@Nullable Instant epoch) {
        this.epoch = epoch;
    }

    public @Nullable Duration getTick() {
        return tick;
    }

    public void setTick(@Nullable Duration tick) {
        this.tick = tick;
    }

    public Bits getBits() {
        return bits;
    }

    public Worker getWorker() {
        return worker;
    }

    public Datacenter getDatacenter() {
        return datacenter;
    }

    public Clock getClock() {
        return clock;
    }

    public Sequence getSequence() {
        return sequence;
    }

    /** Spring makes those of the unnamed generator with this. */
    SnowflakeProperties() {
        this(GeneratorName.NONE);
    }

    private SnowflakeProperties(GeneratorName generator) {
        this.generator = generator;
    }

    /**
     * The properties of a named generator: its own, else those of the unnamed one. The worker id is not inherited, since two
     * generators would have it then, and the namespace is the name, since a namespace has one layout.
     *
     * @param inheritedLayout what a layout of its own changes, unless it names another one
     */
    static SnowflakeProperties named(GeneratorName generator, IdLayout inheritedLayout, Environment environment) {
        SnowflakeProperties properties = new SnowflakeProperties(generator);
        Bindable<SnowflakeProperties> bindable = Bindable.ofInstance(properties);
        Binder binder = binder(generator.prefix(), environment);
        binder.bind(PropertyNames.PREFIX, bindable);
        properties.type = Type.SNOWFLAKE;
        properties.layout = null;
        properties.epoch = null;
        properties.tick = null;
        properties.bits = new Bits();
        properties.worker.id = null;
        properties.worker.lease.namespace = generator.name();
        if (environment.containsProperty(generator.property("snowflake.sequence.start"))) {
            properties.sequence.startBound = null;
        }
        binder.bind(generator.prefix(), bindable);
        properties.inheritedLayout = inheritedLayout;
        properties.setEnvironment(environment);
        return properties;
    }

    /** Binds what is below a group, even if the group itself has a value. */
    static Binder binder(String group, Environment environment) {
        return new Binder(
                withoutValuesOfGroups(ConfigurationPropertyName.of(group), environment),
                new PropertySourcesPlaceholdersResolver(environment));
    }

    /**
     * A generator of which nothing is set is there by an empty value, which cannot be bound; nor can an environment variable of
     * somebody else that is called {@code SNOWFLAKE}.
     */
    private static List<ConfigurationPropertySource> withoutValuesOfGroups(
            ConfigurationPropertyName group, Environment environment) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            sources.add(source.filter(name -> !name.equals(group) && name.getNumberOfElements() > 1));
        }
        return sources;
    }

    /** Spring calls this for the unnamed generator, before anybody gets its properties. */
    @Override
    public void setEnvironment(Environment environment) {
        several = !GeneratorNames.in(environment).isEmpty();
        if (!generator.isNamed()) {
            PropertyNames.check(environment);
        }
        ConfiguredLayout.refuseEpochNumber(environment, generator);
    }

    GeneratorName generator() {
        return generator;
    }

    IdLayout inheritedLayout() {
        return inheritedLayout;
    }

    /** How lines of the log begin. */
    String label() {
        return generator.label(several);
    }

    /** The same failure, so that it tells which generator it is about. */
    ConfigurationException explain(ConfigurationException failure) {
        return generator.explain(failure, several);
    }

    /** Which numbers a generator issues. */
    enum Type {

        /** Time-ordered 64-bit IDs. */
        SNOWFLAKE,

        /** Sequential numbers, reserved in ranges of a counter in a store. */
        SEGMENT
    }

    /** Widths. */
    static final class Bits {

        /** Width of the timestamp in an id, in bits from 1 to 62. */
        private @Nullable Integer timestamp;

        /** Width of the datacenter id in an id, in bits from 0 to 31. */
        private @Nullable Integer datacenter;

        /** Width of the worker id in an id, in bits from 0 to 31. */
        private @Nullable Integer worker;

        /** Width of the sequence in an id, in bits from 0 to 31. */
        private @Nullable Integer sequence;

        public @Nullable Integer getTimestamp() {
            return timestamp;
        }

        public void setTimestamp(@Nullable Integer timestamp) {
            this.timestamp = timestamp;
        }

        public @Nullable Integer getDatacenter() {
            return datacenter;
        }

        public void setDatacenter(@Nullable Integer datacenter) {
            this.datacenter = datacenter;
        }

        public @Nullable Integer getWorker() {
            return worker;
        }

        public void setWorker(@Nullable Integer worker) {
            this.worker = worker;
        }

        public @Nullable Integer getSequence() {
            return sequence;
        }

        public void setSequence(@Nullable Integer sequence) {
            this.sequence = sequence;
        }
    }

    /** The worker id. */
    static final class Worker {

        /** Where the worker id comes from. By default "fixed" if a worker id is set, otherwise "jdbc" if there
         * is a DataSource or a url of one, otherwise "host". */
        private @Nullable Strategy strategy;

        /** Worker id of this process. No two processes may use the same one at the same time. */
        private @Nullable Integer id;

        /** Worker ids that are guessed. */
        private Host host = new Host();

        /** Worker ids that are leased, whatever store the leases are kept in. */
        private Lease lease = new Lease();

        public @Nullable Strategy getStrategy() {
            return strategy;
        }

        public void setStrategy(@Nullable Strategy strategy) {
            this.strategy = strategy;
        }

        public @Nullable Integer getId() {
            return id;
        }

        public void setId(@Nullable Integer id) {
            this.id = id;
        }

        public Host getHost() {
            return host;
        }

        public Lease getLease() {
            return lease;
        }

        /** Guessed worker ids. */
        static final class Host {

            /** What to guess the worker id from, with strategy "host". */
            private HostSource source = HostSource.AUTO;

            public HostSource getSource() {
                return source;
            }

            public void setSource(HostSource source) {
                this.source = source;
            }
        }

        /** Leased worker ids. */
        static final class Lease {

            /** Name under which processes share worker ids. All that write the same tables must share it. */
            private String namespace = "default";

            /** How long a lease lasts without renewal, from 1s to 1d. It is renewed every third of that time; a process
             * that was killed keeps its worker id for twice that time. */
            @DurationUnit(ChronoUnit.FOREVER)
            private Duration ttl = Duration.ofSeconds(60);

            /** How long to wait for a worker ID at startup, and for its release at shutdown, 1ms to 1d. */
            @DurationUnit(ChronoUnit.FOREVER)
            private Duration acquireTimeout = Duration.ofSeconds(10);

            /** How far the clock may be off the store's at startup, and may jump ahead later without being distrusted, 0s to 1d. */
            @DurationUnit(ChronoUnit.FOREVER)
            private Duration maxClockSkew = Duration.ofSeconds(10);

            public String getNamespace() {
                return namespace;
            }

            public void setNamespace(String namespace) {
                this.namespace = namespace;
            }

            public Duration getTtl() {
                return ttl;
            }

            public void setTtl(Duration ttl) {
                this.ttl = ttl;
            }

            public Duration getAcquireTimeout() {
                return acquireTimeout;
            }

            public void setAcquireTimeout(Duration acquireTimeout) {
                this.acquireTimeout = acquireTimeout;
            }

            public Duration getMaxClockSkew() {
                return maxClockSkew;
            }

            public void setMaxClockSkew(Duration maxClockSkew) {
                this.maxClockSkew = maxClockSkew;
            }
        }
    }

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

    /** The datacenter id. */
    static final class Datacenter {

        /** Datacenter id of this process. By default 0 with strategy "fixed", guessed with strategy "host", leased with
         * others. */
        private @Nullable Integer id;

        public @Nullable Integer getId() {
            return id;
        }

        public void setId(@Nullable Integer id) {
            this.id = id;
        }
    }

    /** The clock. */
    static final class Clock {

        /** How far ids may run ahead of the clock. By default 1s with a lease, otherwise 0: a process without a lease
         * that is killed and restarted within that time can repeat ids. */
        @DurationUnit(ChronoUnit.FOREVER)
        private @Nullable Duration maxDrift;

        /** How long a caller waits for an id where the clock is behind by more than that. */
        @DurationUnit(ChronoUnit.FOREVER)
        private Duration maxWait = Duration.ofSeconds(1);

        public @Nullable Duration getMaxDrift() {
            return maxDrift;
        }

        public void setMaxDrift(@Nullable Duration maxDrift) {
            this.maxDrift = maxDrift;
        }

        public Duration getMaxWait() {
            return maxWait;
        }

        public void setMaxWait(Duration maxWait) {
            this.maxWait = maxWait;
        }
    }

    /** The sequence. */
    static final class Sequence {

        /** Where the sequence of a new tick starts. Anything but "zero" spreads ids evenly over shards. */
        private Start start = Start.ZERO;

        /** Number of different starts, with "random" and "rotating": 0 to start-bound - 1. */
        private @Nullable Integer startBound;

        public Start getStart() {
            return start;
        }

        public void setStart(Start start) {
            this.start = start;
        }

        public @Nullable Integer getStartBound() {
            return startBound;
        }

        public void setStartBound(@Nullable Integer startBound) {
            this.startBound = startBound;
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
