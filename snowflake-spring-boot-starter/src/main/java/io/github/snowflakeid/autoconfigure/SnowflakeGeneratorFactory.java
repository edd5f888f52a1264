package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.store.OpenedStore;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Creates Snowflake generators from their properties and from what the application defines for them. A layout, an assigner or a registry
 * that has the generator's name as qualifier comes first; then, for the worker ID, what the generator's own properties say; then a bean
 * that is injected without a qualifier; then the properties, of which a named generator inherits those of the unnamed one.
 */
final class SnowflakeGeneratorFactory {

    private final SnowflakeProperties unnamed;
    private final ObjectProvider<IdLayout> layouts;
    private final ObjectProvider<WorkerIdAssigner> assigners;
    private final LeaseStoreSelector stores;
    private final LeaseEvents events;
    private final Environment environment;
    private final ConfigurableListableBeanFactory beans;

    /**
     * Creates the factory of a context.
     *
     * @param layouts the layout of the unnamed generator
     * @param assigners those that are injected without a qualifier
     */
    SnowflakeGeneratorFactory(
            SnowflakeProperties unnamed,
            ObjectProvider<IdLayout> layouts,
            ObjectProvider<WorkerIdAssigner> assigners,
            LeaseStoreSelector stores,
            LeaseEvents events,
            Environment environment,
            ConfigurableListableBeanFactory beans) {
        this.unnamed = unnamed;
        this.layouts = layouts;
        this.assigners = assigners;
        this.stores = stores;
        this.events = events;
        this.environment = environment;
        this.beans = beans;
    }

    /** Creates the bean of a generator. */
    static SnowflakeIdGenerator generator(
            String name, SnowflakeGeneratorFactory factory, GeneratorLifecycle lifecycle) {
        return factory.create(new GeneratorName(name), lifecycle);
    }

    /** Creates the bean of a generator's store. */
    static OpenedStore<WorkerRegistry> store(
            String name, SnowflakeGeneratorFactory factory, GeneratorLifecycle lifecycle) {
        return lifecycle.closes(factory.open(new GeneratorName(name)));
    }

    private SnowflakeIdGenerator create(GeneratorName name, GeneratorLifecycle lifecycle) {
        SnowflakeProperties properties = properties(name);
        try {
            IdLayout layout = layout(properties);
            ConfiguredGenerator configured = new ConfiguredGenerator(properties, layout);
            WorkerIdAssigner ofApplication = assigner(name);
            if (ofApplication != null) {
                return lifecycle.closes(configured.assigned(ofApplication));
            }
            ConfiguredWorker worker = ConfiguredWorker.of(properties);
            WorkerRegistry registry = worker.mayBeLeased() ? stores.registry(properties, layout) : null;
            if (registry != null) {
                LeaseLog log = new LeaseLog(name.name(), properties.label(), Clock.systemUTC(), events);
                return lifecycle.closes(configured.leased(worker.terms(registry, layout, environment, log)));
            }
            if (worker.mayBeLeasedInADatabase()) {
                R2dbcOnlyCheck.refuseGuess(beans, environment, layout);
            }
            return lifecycle.closes(configured.assigned(worker));
        } catch (ConfigurationException e) {
            throw properties.explain(e);
        }
    }

    private OpenedStore<WorkerRegistry> open(GeneratorName name) {
        SnowflakeProperties properties = properties(name);
        try {
            return new OpenedStore<>(List.of(stores.open(properties, layout(properties))));
        } catch (ConfigurationException e) {
            throw properties.explain(e);
        }
    }

    private SnowflakeProperties properties(GeneratorName name) {
        if (!name.isNamed()) {
            return unnamed;
        }
        return SnowflakeProperties.named(name, layouts.getObject(), environment);
    }

    private IdLayout layout(SnowflakeProperties properties) {
        GeneratorName name = properties.generator();
        if (!name.isNamed()) {
            return layouts.getObject();
        }
        IdLayout ofApplication = new GeneratorBeans(beans).qualified(IdLayout.class, name);
        IdLayout layout = ofApplication == null ? ConfiguredLayout.of(properties) : ofApplication;
        if (layout.datacenterBits() == 0 && !environment.containsProperty(name.property("snowflake.datacenter.id"))) {
            // IDs of this layout have no room for the inherited datacenter ID.
            properties.getDatacenter().setId(null);
        }
        return layout;
    }

    /** Returns the application's assigner; null if the worker ID follows from the properties. */
    private @Nullable WorkerIdAssigner assigner(GeneratorName name) {
        WorkerIdAssigner qualified = new GeneratorBeans(beans).qualified(WorkerIdAssigner.class, name);
        if (qualified != null) {
            return qualified;
        }
        if (!name.isNamed()) {
            return assigners.getIfAvailable();
        }
        boolean isWorkerSet = ConfiguredWorker.isIdSet(name, environment)
                || environment.containsProperty(name.property("snowflake.worker.strategy"));
        return isWorkerSet ? null : assigners.getIfUnique();
    }
}
