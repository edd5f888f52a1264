package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Strategy;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.OpenedStore;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** Selects and opens the store that a generator leases its worker ID from. */
final class LeaseStoreSelector {

    private static final Duration ROUNDING = Duration.ofSeconds(1);

    private final ObjectProvider<WorkerRegistry> registries;
    private final ObjectProvider<LeaseStore> stores;
    private final GeneratorProperties properties;
    private final ConfigurableListableBeanFactory beans;

    /**
     * Creates the selector of a context.
     *
     * @param registries registry beans of the application, for all generators
     * @param stores the stores of this library
     */
    LeaseStoreSelector(
            ObjectProvider<WorkerRegistry> registries,
            ObjectProvider<LeaseStore> stores,
            GeneratorProperties properties,
            ConfigurableListableBeanFactory beans) {
        this.registries = registries;
        this.stores = stores;
        this.properties = properties;
        this.beans = beans;
    }

    /**
     * Returns the registry that a generator leases from; null if there is none. Ensures that the generator is closed before the registry.
     *
     * @throws ConfigurationException if the registry needs a bean that is still being created
     */
    @Nullable
    WorkerRegistry registry(GeneratorSettings settings, IdLayout layout) {
        GeneratorName generator = settings.generator();
        GeneratorBeans ofGenerators = new GeneratorBeans(beans);
        try {
            WorkerRegistry ofApplication = ofGenerators.qualified(WorkerRegistry.class, generator);
            if (ofApplication == null) {
                ofApplication = registries.getIfAvailable();
            }
            if (ofApplication != null) {
                ofGenerators.destroyBefore(ofApplication, WorkerRegistry.class, IdGenerators.LIFECYCLE);
                return ofApplication;
            }
            if (select(settings, layout) != null) {
                return (WorkerRegistry) beans.getBean(GeneratorBeans.store(generator), OpenedStore.class)
                        .stores()
                        .get(0);
            }
        } catch (BeanCreationException e) {
            throw e.getMostSpecificCause() instanceof BeanCurrentlyInCreationException cycle ? tooEarly(cycle) : e;
        }
        if (generator.isNamed()
                && settings.properties().worker().strategy() == null
                && properties.isSet(GeneratorName.UNNAMED, "snowflake.worker.id")) {
            throw Problem.MISSING_WORKER_ID.exception(
                    "Generator '%s' has no worker ID: it does not inherit the worker ID of the unnamed generator, and there is no database to lease one from."
                            .formatted(generator.name()),
                    ConfiguredWorker.setWorkerId(layout));
        }
        return null;
    }

    /**
     * Opens the registry of a generator.
     *
     * @throws ConfigurationException if the configuration is invalid
     */
    WorkerRegistry open(GeneratorSettings settings, IdLayout layout) {
        return Objects.requireNonNull(select(settings, layout)).registry(leaseSettings(settings, layout));
    }

    private @Nullable LeaseStore select(GeneratorSettings settings, IdLayout layout) {
        Strategy set = settings.properties().worker().strategy();
        Strategy strategy = set == null ? Strategy.JDBC : set;
        for (LeaseStore store : stores) {
            if (store.name().equals(strategy.value())) {
                return store.canLease(leaseSettings(settings, layout)) ? store : null;
            }
        }
        if (!strategy.library().isEmpty()) {
            throw withoutLibrary(strategy, layout);
        }
        return null;
    }

    private LeaseSettings leaseSettings(GeneratorSettings settings, IdLayout layout) {
        SnowflakeProperties.Lease lease = settings.properties().worker().lease();
        Integer datacenterId = settings.properties().datacenter().id();
        // This clock may be ahead by the permitted skew, IDs may be ahead of this clock, also IDs that callers wait
        // for,
        // and a lease may end within a tick.
        Duration furthest = lease.ttl()
                .plus(lease.maxClockSkew())
                .plus(ConfiguredGenerator.maxDriftOfLeased(settings.properties()))
                .plus(settings.properties().clock().maxWait())
                .plus(layout.tick().multipliedBy(2))
                .plus(ROUNDING);
        return new LeaseSettings(
                new ConfiguredStore(settings.generator(), properties, beans),
                lease.namespace(),
                layout,
                datacenterId == null ? OptionalInt.empty() : OptionalInt.of(datacenterId),
                furthest,
                ConfiguredWorker.longestAnswer(lease.ttl()),
                ConfiguredWorker.setWorkerId(layout));
    }

    private static ConfigurationException tooEarly(BeanCurrentlyInCreationException e) {
        return Problem.GENERATOR_TOO_EARLY.exception(
                "No worker ID can be leased before bean '%s' is created, but an entity listener, an attribute converter or another bean that '%1$s' needs requires the generator."
                        .formatted(e.getBeanName()),
                """
                Inject the generator lazily there:

                OrderListener(@Lazy IdGenerator ids) { ... }

                or, if worker IDs are leased late only because scripts run after Hibernate, run them before:

                spring.jpa.defer-datasource-initialization: false""",
                e);
    }

    private static ConfigurationException withoutLibrary(Strategy strategy, IdLayout layout) {
        return Problem.MISSING_LIBRARY.exception(
                "Property '{snowflake}.worker.strategy' is '%s', but %s is not on the class path."
                        .formatted(strategy.value(), strategy.library()),
                "Add the dependency:\n\n" + strategy.dependency() + "\n\n"
                        + ConfiguredWorker.useFixedWorkerIds(layout));
    }

    /** Imports the configuration of each store. */
    static final class Configurations implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata autoConfiguration) {
            return Stream.of(Strategy.values())
                    .flatMap(strategy -> Stream.ofNullable(strategy.configuration()))
                    .map(Class::getName)
                    .toArray(String[]::new);
        }
    }
}
