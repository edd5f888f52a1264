package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.mapping.IdGenerators;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;

/**
 * Closes the auto-configured generators, leased or not, when the context destroys its beans: after every bean that may need IDs, and before
 * the {@code DataSource} or another store that leases are released to. Spring destroys beans in reverse order of creation, so the
 * generators' own {@code close} methods could be called too early: an {@code EntityManagerFactory} may be created before the
 * generator, but must be destroyed before it, too.
 *
 * <p>When the context is only stopped, for example before a checkpoint, leases are released, also those of generators that the
 * application defines. They are acquired again when the context is started again.
 */
final class GeneratorLifecycle implements SmartInitializingSingleton, SmartLifecycle, DisposableBean {

    /** The last phase before that of connection pools, so that all others may ask for ids while they stop. */
    private static final int ABOVE_CONNECTION_POOLS = 1;

    /** Does so before checkpoints, and wherever else the context stops. */
    private static final String SUSPENDS_POOLS = "org.springframework.boot.jdbc.HikariCheckpointRestoreLifecycle";

    private final ConfigurableApplicationContext context;
    private final ObjectProvider<WorkerRegistry> registriesToLeaseFrom;
    private final ObjectProvider<IdLayout> layout;

    // Beans may be made by several threads.
    private final List<SnowflakeIdGenerator> generators = new CopyOnWriteArrayList<>();
    private final List<SnowflakeIdGenerator> fixed = new CopyOnWriteArrayList<>();

    /** {@link SegmentIdGenerator}s, whose class is loaded only where there are some: so no method has one. */
    private final List<IdGenerator> segments = new CopyOnWriteArrayList<>();

    private final List<AutoCloseable> registries = new CopyOnWriteArrayList<>();
    private final Map<String, SnowflakeProperties> properties = new ConcurrentHashMap<>();
    private final LeaseWatch watch = new LeaseWatch();
    private final LeaseEvents events;

    private volatile boolean running;

    /**
     * @param registriesToLeaseFrom those that serve every generator
     * @param layout that of the unnamed generator
     */
    GeneratorLifecycle(
            ConfigurableApplicationContext context,
            ObjectProvider<WorkerRegistry> registriesToLeaseFrom,
            ObjectProvider<IdLayout> layout) {
        this.context = context;
        this.registriesToLeaseFrom = registriesToLeaseFrom;
        this.layout = layout;
        events = new LeaseEvents(context);
    }

    /** Of the generator. */
    ConfigurableApplicationContext context() {
        return context;
    }

    /** Those that serve every generator. */
    ObjectProvider<WorkerRegistry> registriesToLeaseFrom() {
        return registriesToLeaseFrom;
    }

    /** Those of the unnamed generator. */
    SnowflakeProperties properties() {
        return context.getBean(SnowflakeProperties.class);
    }

    /** That of the unnamed generator. */
    IdLayout layout() {
        return layout.getObject();
    }

    /** Those of a named generator. It shares them with its registry, since it takes some milliseconds to bind them. */
    SnowflakeProperties properties(GeneratorName generator, IdLayout inheritedLayout) {
        SnowflakeProperties bound = properties.get(generator.name());
        if (bound == null) {
            bound = SnowflakeProperties.named(generator, inheritedLayout, context.getEnvironment());
            if (NamedGenerators.layout(bound, context.getBeanFactory()).datacenterBits() == 0
                    && !context.getEnvironment().containsProperty(generator.property("snowflake.datacenter.id"))) {
                // An inherited one has no place in such ids.
                bound.getDatacenter().setId(null);
            }
            properties.put(generator.name(), bound);
        }
        return bound;
    }

    /** Takes charge of an auto-configured generator. */
    SnowflakeIdGenerator ends(SnowflakeIdGenerator generator) {
        generators.add(generator);
        return generator;
    }

    /** Takes charge of an auto-configured generator whose numbers are of segments. */
    <G extends IdGenerator> G endsSegments(G generator) {
        segments.add(generator);
        return generator;
    }

    /** Closes a store of ours, if it can be closed, after all generators. */
    void closesAfterGenerators(Object store) {
        if (store instanceof AutoCloseable closeable) {
            registries.add(closeable);
        }
    }

    /** What is told of the lease of a generator that is to be made. */
    LeaseLog log(SnowflakeProperties generator, Duration ttl) {
        return new LeaseLog(generator.generator().name(), generator.label(), ttl, Clock.systemUTC(), events);
    }

    /** Takes charge of an auto-configured generator whose worker id is leased. */
    SnowflakeIdGenerator watches(SnowflakeIdGenerator generator, LeaseLog log) {
        watch.add(log.of(generator));
        return ends(generator);
    }

    /** Takes charge of an auto-configured generator whose worker id is configured. */
    SnowflakeIdGenerator endsFixed(SnowflakeIdGenerator generator) {
        fixed.add(generator);
        return ends(generator);
    }

    /** Those whose worker ids are configured. */
    List<SnowflakeIdGenerator> fixed() {
        return fixed;
    }

    /**
     * Sees to it that generators are ended before their registry. One of ours, which may have a connection of its own, is
     * closed here.
     *
     * @param ours bean name of a registry of ours
     */
    @Nullable
    WorkerRegistry endsBefore(@Nullable WorkerRegistry registry, String ours) {
        if (registry instanceof AutoCloseable closeable
                && context.getBeanFactory().containsLocalBean(ours)) {
            registries.add(closeable);
        } else if (registry != null) {
            endsBefore(registry, WorkerRegistry.class, context.getBeanFactory());
        }
        return registry;
    }

    /** Sees to it that the generator is ended before a bean of this context that it leases from is destroyed. */
    @SuppressWarnings("ReferenceEquality") // Only the bean itself has the name that is looked for.
    static <T> void endsBefore(T store, Class<T> type, ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(type, true, false)) {
            @Nullable Object made = beans.getSingleton(name);
            // To ask a factory for what it has made may make it. To end before too many does no harm.
            if (made == store || made instanceof FactoryBean) {
                beans.registerDependentBean(name, IdGenerators.LIFECYCLE);
            }
        }
    }

    /**
     * Spring takes a checkpoint of its own before it starts anything, and so stops nothing for it. It may be restored many times:
     * no lease must be in it.
     */
    @Override
    public void afterSingletonsInstantiated() {
        String checkpoint = SpringProperties.getProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME);
        if (DefaultLifecycleProcessor.ON_REFRESH_VALUE.equalsIgnoreCase(checkpoint)) {
            closeAll(all(leased(), ofSegments()));
            events.stop();
        }
    }

    @Override
    public void start() {
        for (SnowflakeIdGenerator each : leased()) {
            each.reopen();
        }
        for (IdGenerator each : ofSegments()) {
            ((SegmentIdGenerator) each).reopen();
        }
        events.start();
        watch.start();
        running = true;
    }

    @Override
    public void stop() {
        // While the context closes, or cannot start, beans that may ask for ids are still to be destroyed.
        if (context.isRunning() && !context.isClosed()) {
            running = false;
            watch.stop();
            closeAll(all(leased(), ofSegments()));
            events.stop();
        }
    }

    private List<SnowflakeIdGenerator> leased() {
        List<SnowflakeIdGenerator> leased = new ArrayList<>();
        for (SnowflakeIdGenerator each : IdGenerators.made(SnowflakeIdGenerator.class, context.getBeanFactory())
                .values()) {
            if (each.lease().isPresent()) {
                leased.add(each);
            }
        }
        return leased;
    }

    /** Those of segments, also of the application: what is in a checkpoint, each process restored from it would issue. */
    private List<IdGenerator> ofSegments() {
        List<IdGenerator> found = new ArrayList<>();
        for (IdGenerator each :
                IdGenerators.made(IdGenerator.class, context.getBeanFactory()).values()) {
            // In this order: the class of segments is loaded only where there may be one.
            if (!(each instanceof SnowflakeIdGenerator) && each instanceof SegmentIdGenerator) {
                found.add(each);
            }
        }
        return found;
    }

    /** Nothing could be given back to a suspended pool: who asks it for a connection waits without end. */
    private void resumePools() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        for (String name : beans.getSingletonNames()) {
            if (beans.getSingleton(name) instanceof Lifecycle pool
                    && pool.getClass().getName().equals(SUSPENDS_POOLS)) {
                try {
                    pool.start();
                } catch (RuntimeException e) {
                    // Then it is not suspended.
                }
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return ABOVE_CONNECTION_POOLS;
    }

    /**
     * Spring 7 pauses cached contexts between tests; a worker id is not worth giving back for that. No override, since
     * Spring 6 does not ask.
     *
     * @return false
     */
    public boolean isPauseable() {
        return false;
    }

    /** All at once, since each may take long where a database is away. */
    private static void closeAll(List<IdGenerator> generators) {
        List<Thread> closing = new ArrayList<>();
        for (IdGenerator each : generators.subList(Math.min(1, generators.size()), generators.size())) {
            Thread thread = new Thread(() -> close(each), "snowflake-close" + name(each));
            try {
                thread.start();
                closing.add(thread);
            } catch (OutOfMemoryError e) {
                // No thread could be started.
                close(each);
            }
        }
        if (!generators.isEmpty()) {
            close(generators.get(0));
        }
        closing.forEach(GeneratorLifecycle::join);
    }

    private static List<IdGenerator> all(List<SnowflakeIdGenerator> snowflakes, List<IdGenerator> segments) {
        List<IdGenerator> all = new ArrayList<>(snowflakes);
        all.addAll(segments);
        return all;
    }

    private static void close(IdGenerator generator) {
        if (generator instanceof SnowflakeIdGenerator snowflakes) {
            snowflakes.close();
        } else {
            ((SegmentIdGenerator) generator).close();
        }
    }

    private static String name(IdGenerator generator) {
        String name = generator instanceof SnowflakeIdGenerator snowflakes
                ? snowflakes.name()
                : ((SegmentIdGenerator) generator).name();
        return name.isEmpty() ? "" : "-" + name;
    }

    private static void join(Thread closing) {
        boolean interrupted = false;
        while (closing.isAlive()) {
            try {
                closing.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void destroy() {
        watch.stop();
        events.stop();
        resumePools();
        try {
            closeAll(all(generators, segments));
        } finally {
            registries.forEach(GeneratorLifecycle::close);
        }
    }

    private static void close(AutoCloseable registry) {
        try {
            registry.close();
        } catch (Exception e) {
            LogFactory.getLog(SnowflakeIdGenerator.class).warn("A store of leases or counters was not closed", e);
        }
    }
}
