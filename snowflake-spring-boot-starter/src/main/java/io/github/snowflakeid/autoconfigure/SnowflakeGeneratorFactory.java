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
 * Creates Snowflake generators from their properties and from beans of the application, in this order of precedence:
 *
 * <ol>
 *   <li>a layout, assigner or registry bean that has the generator's name as qualifier;
 *   <li>for the worker ID, properties that are set for this generator;
 *   <li>a bean that is injected without a qualifier;
 *   <li>other properties, which a named generator inherits from the unnamed generator.
 * </ol>
 */
final class SnowflakeGeneratorFactory {

    private final CheckedProperties properties;
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
     * @param assigners the assigners that are injected without a qualifier
     */
    SnowflakeGeneratorFactory(
            CheckedProperties properties,
            ObjectProvider<IdLayout> layouts,
            ObjectProvider<WorkerIdAssigner> assigners,
            LeaseStoreSelector stores,
            LeaseEvents events,
            Environment environment,
            ConfigurableListableBeanFactory beans) {
        this.properties = properties;
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
        return lifecycle.closeAtShutdown(factory.open(new GeneratorName(name)));
    }

    private SnowflakeIdGenerator create(GeneratorName name, GeneratorLifecycle lifecycle) {
        GeneratorSettings inherited = settings(name);
        try {
            IdLayout layout = layout(inherited);
            GeneratorSettings settings = fitting(inherited, layout);
            ConfiguredGenerator configured = new ConfiguredGenerator(settings, layout);
            WorkerIdAssigner ofApplication = assigner(name);
            if (ofApplication != null) {
                return lifecycle.closeAtShutdown(configured.assigned(ofApplication));
            }
            ConfiguredWorker worker = new ConfiguredWorker(settings.properties(), null);
            WorkerRegistry registry = worker.mayBeLeased() ? stores.registry(settings, layout) : null;
            if (registry == null && worker.mayBeLeasedInDatabase()) {
                R2dbcOnlyCheck.rejectGuess(beans, environment, layout);
            }
            if (settings.properties().worker().strategy() == null && !worker.isFixed()) {
                properties.rejectUnusedStores(name, registry != null);
            }
            if (registry != null) {
                LeaseLog log = new LeaseLog(name.name(), settings.label(), Clock.systemUTC(), events);
                SnowflakeIdGenerator generator = configured.leased(worker.terms(registry, layout, environment, log));
                log.watch(generator);
                return lifecycle.closeAtShutdown(generator);
            }
            return lifecycle.closeAtShutdown(configured.assigned(worker));
        } catch (ConfigurationException e) {
            throw inherited.explain(e);
        }
    }

    private OpenedStore<WorkerRegistry> open(GeneratorName name) {
        GeneratorSettings settings = settings(name);
        try {
            IdLayout layout = layout(settings);
            return new OpenedStore<>(List.of(stores.open(fitting(settings, layout), layout)));
        } catch (ConfigurationException e) {
            throw settings.explain(e);
        }
    }

    private GeneratorSettings settings(GeneratorName name) {
        return properties.properties().snowflakes(name, name.isNamed() ? layouts.getObject() : IdLayout.DEFAULT);
    }

    private IdLayout layout(GeneratorSettings settings) {
        if (!settings.generator().isNamed()) {
            return layouts.getObject();
        }
        IdLayout ofApplication = new GeneratorBeans(beans).qualified(IdLayout.class, settings.generator());
        return ofApplication == null ? ConfiguredLayout.of(settings) : ofApplication;
    }

    /** Drops an inherited datacenter ID if IDs of the generator's layout have no bits for it. */
    private GeneratorSettings fitting(GeneratorSettings settings, IdLayout layout) {
        GeneratorName name = settings.generator();
        boolean isInherited = name.isNamed() && !properties.properties().isSet(name, "snowflake.datacenter.id");
        return isInherited && layout.datacenterBits() == 0 ? settings.withoutDatacenter() : settings;
    }

    /** Returns the application's assigner; null if the properties determine the worker ID. */
    private @Nullable WorkerIdAssigner assigner(GeneratorName name) {
        WorkerIdAssigner qualified = new GeneratorBeans(beans).qualified(WorkerIdAssigner.class, name);
        if (qualified != null) {
            return qualified;
        }
        if (!name.isNamed()) {
            return assigners.getIfAvailable();
        }
        boolean isWorkerSet = properties.properties().isSet(name, "snowflake.worker.id")
                || properties.properties().isSet(name, "snowflake.worker.strategy");
        return isWorkerSet ? null : assigners.getIfUnique();
    }
}
