package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.internal.log.LeaseEvents;
import io.github.snowflakeid.internal.store.GeneratorStores;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;

/**
 * Waits for the leases of the auto-configured generators when all singletons exist.
 *
 * <p>Closes the generators, then their stores, when the context destroys its beans. This happens after the destruction
 * of every bean that may need IDs, and before the destruction of the {@code DataSource} or client that a store uses.
 * The generators' own {@code close} methods are not destroy methods, because Spring destroys beans in reverse order of
 * creation: an {@code EntityManagerFactory} may be created before the generator, but must be destroyed before it, too.
 * The same applies to stores.
 *
 * <p>When the context is stopped without being closed, for example before a checkpoint, all generators are closed,
 * including generator beans of the application. Otherwise every process that is restored from the checkpoint would
 * issue the same IDs. Starting the context reopens them.
 */
final class GeneratorLifecycle implements SmartInitializingSingleton, SmartLifecycle, DisposableBean {

    static final String NO_IDS = "No IDs are issued in this training run ('spring.context.exit' is 'onRefresh')";

    /**
     * The phase above connection pools. Generators stop right before the pools, so all other beans get IDs while they
     * stop.
     */
    private static final int ABOVE_CONNECTION_POOLS = 1;

    private final ConfigurableApplicationContext context;
    private final SnowflakeGenerators all;
    private final LeaseEvents events;

    /** The auto-configured generators. Thread-safe, because several threads may create beans. */
    private final List<ManagedIdGenerator> created = new CopyOnWriteArrayList<>();

    private final List<GeneratorStores<?>> stores = new CopyOnWriteArrayList<>();

    /** Each waits for the lease of a generator. Thread-safe, like the list of generators. */
    private final Queue<Runnable> leases = new ConcurrentLinkedQueue<>();

    /** Whether all singletons exist, so that a generator that is created now may be used by requests. */
    private volatile boolean isComplete;

    private volatile boolean running;

    /** Whether Spring takes a checkpoint before it starts the beans of this context. */
    private volatile boolean isCheckpointDue;

    GeneratorLifecycle(ConfigurableApplicationContext context, SnowflakeGenerators all, LeaseEvents events) {
        this.context = context;
        this.all = all;
        this.events = events;
    }

    /**
     * Returns whether Spring ends the process before it starts the beans, as in a training run for a CDS archive or an
     * AOT cache. It halts the JVM without shutdown hooks, so nothing could be released.
     */
    static boolean isTrainingRun() {
        return isOnRefresh(DefaultLifecycleProcessor.EXIT_PROPERTY_NAME);
    }

    private static boolean isOnRefresh(String property) {
        return DefaultLifecycleProcessor.ON_REFRESH_VALUE.equalsIgnoreCase(SpringProperties.getProperty(property));
    }

    /**
     * Waits until a generator is open by the time all singletons exist, so that other beans are created while its
     * worker ID is leased. Closes it when the context is closed.
     *
     * @param lease waits for the lease of the generator
     */
    <G extends ManagedIdGenerator> G awaitAtStartup(G generator, Runnable lease) {
        created.add(generator);
        if (!isTrainingRun()) {
            leases.add(lease);
        }
        if (isComplete && leases.remove(lease)) {
            try {
                lease.run();
            } catch (Throwable e) {
                // Each attempt to create a bean on demand creates another generator.
                created.remove(generator);
                throw e;
            }
        }
        if (isCheckpointDue) {
            generator.close();
        }
        return generator;
    }

    /**
     * Waits for the leases of the generators so far. They are acquired one after another, so that each sees the leases
     * before.
     */
    void awaitLeases() {
        for (Runnable lease = leases.poll(); lease != null; lease = leases.poll()) {
            lease.run();
        }
    }

    /** Closes a store when the context is closed, after all generators. */
    <S> GeneratorStores<S> closeAtShutdown(GeneratorStores<S> store) {
        stores.add(store);
        return store;
    }

    /**
     * Waits for the leases: requests, listeners and runners follow. Then closes the generators if Spring takes a
     * checkpoint on refresh: this precedes all starts and stops, and must contain no lease.
     */
    @Override
    public void afterSingletonsInstantiated() {
        isComplete = true;
        awaitLeases();
        if (isOnRefresh(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME)) {
            isCheckpointDue = true;
            closeAll(all.managed().values());
            events.stop();
        }
    }

    @Override
    public void start() {
        isCheckpointDue = false;
        all.managed().values().forEach(ManagedIdGenerator::reopen);
        events.start();
        running = true;
    }

    @Override
    public void stop() {
        // If the context is closing or could not start, beans that may need IDs are destroyed later.
        if (context.isRunning() && !context.isClosed()) {
            running = false;
            closeAll(all.managed().values());
            events.stop();
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
     * Returns false, so that generators keep their worker IDs while Spring 7 pauses a cached context between tests.
     * Overrides nothing on Spring 6.
     *
     * @return false
     */
    public boolean isPauseable() {
        return false;
    }

    @Override
    public void destroy() {
        events.stop();
        try {
            closeAll(created);
        } finally {
            stores.forEach(GeneratorStores::close);
        }
    }

    /** Closes generators in parallel, because each may have to wait for its store. No thread outlives this. */
    private static void closeAll(Collection<ManagedIdGenerator> generators) {
        List<Thread> closing = generators.stream()
                .map(each -> new Thread(each::close, "snowflake-close-" + each.name()))
                .toList();
        closing.forEach(Thread::start);
        boolean interrupted = false;
        for (Thread each : closing) {
            while (each.isAlive()) {
                try {
                    each.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
