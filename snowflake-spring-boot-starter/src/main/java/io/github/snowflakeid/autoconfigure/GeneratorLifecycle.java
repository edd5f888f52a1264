package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.internal.store.OpenedStore;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;

/**
 * Closes the auto-configured generators and then their stores when the context destroys its beans: after every bean that may need IDs, and
 * before the {@code DataSource} or client that a store uses. Spring destroys beans in reverse order of creation, so the generators' own
 * {@code close} methods could be called too early: an {@code EntityManagerFactory} may be created before the generator, but must be
 * destroyed before it, too. The same holds for their stores.
 *
 * <p>When the context is only stopped, for example before a checkpoint, all generators are closed, also those that the application
 * defines: each process that is restored from the checkpoint would issue the IDs that are in it. They are opened again when the context
 * is started.
 */
final class GeneratorLifecycle implements SmartInitializingSingleton, SmartLifecycle, DisposableBean {

    /** The last phase before that of connection pools, so that all other beans may need IDs while they stop. */
    private static final int ABOVE_CONNECTION_POOLS = 1;

    /** Spring Boot's bean that suspends connection pools when the context stops. */
    private static final String SUSPENDS_POOLS = "hikariCheckpointRestoreLifecycle";

    private final ConfigurableApplicationContext context;
    private final SnowflakeGenerators all;
    private final LeaseEvents events;

    /** The auto-configured generators. Several threads may create beans. */
    private final List<ManagedIdGenerator> created = new CopyOnWriteArrayList<>();

    private final List<OpenedStore<?>> stores = new CopyOnWriteArrayList<>();

    private volatile boolean running;

    /** Whether nothing is started yet and Spring is about to take a checkpoint. */
    private volatile boolean isCheckpointDue;

    GeneratorLifecycle(ConfigurableApplicationContext context, SnowflakeGenerators all, LeaseEvents events) {
        this.context = context;
        this.all = all;
        this.events = events;
    }

    /** Closes a generator at the end. */
    <G extends ManagedIdGenerator> G closes(G generator) {
        created.add(generator);
        if (isCheckpointDue) {
            generator.close();
        }
        return generator;
    }

    /** Closes a store of a generator after all generators. */
    <S> OpenedStore<S> closes(OpenedStore<S> store) {
        stores.add(store);
        return store;
    }

    /** A checkpoint that Spring takes on refresh comes before anything is started or stopped. It must not contain a lease either. */
    @Override
    public void afterSingletonsInstantiated() {
        String checkpoint = SpringProperties.getProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME);
        if (DefaultLifecycleProcessor.ON_REFRESH_VALUE.equalsIgnoreCase(checkpoint)) {
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
        // While the context closes, or cannot start, beans that may need IDs are still to be destroyed.
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
     * Returns false: Spring 7 pauses cached contexts between tests, which is no reason to release a worker ID. This overrides nothing on
     * Spring 6.
     *
     * @return false
     */
    public boolean isPauseable() {
        return false;
    }

    @Override
    public void destroy() {
        events.stop();
        resumePools();
        try {
            closeAll(created);
        } finally {
            stores.forEach(OpenedStore::close);
        }
    }

    /** A suspended pool hands out no connection, and a lease could not be released. */
    private void resumePools() {
        if (context.getBeanFactory().getSingleton(SUSPENDS_POOLS) instanceof Lifecycle pools) {
            try {
                pools.start();
            } catch (RuntimeException e) {
                // The pool was not suspended.
            }
        }
    }

    /** Closes generators side by side, since each may have to wait for its store. */
    private static void closeAll(Collection<ManagedIdGenerator> generators) {
        CompletableFuture.allOf(generators.stream()
                        .map(each -> CompletableFuture.runAsync(
                                each::close, closing -> new Thread(closing, "snowflake-close-" + each.name()).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
    }
}
