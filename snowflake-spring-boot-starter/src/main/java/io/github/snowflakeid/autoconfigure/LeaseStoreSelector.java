package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Strategy;
import io.github.snowflakeid.store.LeaseStore;
import io.github.snowflakeid.store.StoreException;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;

/** In which store a generator leases its worker id. */
final class LeaseStores {

    private LeaseStores() {}

    /** The strategy of a generator, if that is one with leases, and there is where to lease; else null. */
    static @Nullable Strategy of(GeneratorName generator, Environment environment, ListableBeanFactory beans) {
        if (generator.isOfSegments(environment)) {
            return null;
        }
        // As Spring Boot compares names of constants.
        String asked = PropertyNames.uniform(inherited("snowflake.worker.strategy", generator, environment))
                .strip();
        if (asked.isEmpty()) {
            return ConfiguredWorker.isIdSet(generator, environment) || !hasDatabase(generator, environment, beans)
                    ? null
                    : Strategy.JDBC;
        }
        for (Strategy strategy : Strategy.values()) {
            if (strategy.leases() && asked.equalsIgnoreCase(strategy.name())) {
                return strategy == Strategy.JDBC && !hasDatabase(generator, environment, beans) ? null : strategy;
            }
        }
        return null;
    }

    static boolean hasDataSource(ListableBeanFactory beans) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length > 0;
    }

    private static boolean hasDatabase(GeneratorName generator, Environment environment, ListableBeanFactory beans) {
        return beans.containsBean(LeaseStore.BEAN + Strategy.JDBC.value())
                && (!inherited("snowflake.worker.jdbc.url", generator, environment)
                                .isBlank()
                        || hasDataSource(beans));
    }

    /** @throws StartupFailure if it refers to a property that is not set */
    static String inherited(String property, GeneratorName generator, Environment environment) {
        String own = resolved(generator.property(property), environment);
        return own.isEmpty() ? resolved(property, environment) : own;
    }

    private static String resolved(String property, Environment environment) {
        try {
            return environment.getProperty(property, "");
        } catch (IllegalArgumentException e) {
            throw new StartupFailure(
                    "Property '%s' refers to what is not set: %s.".formatted(property, e.getMessage()),
                    "Set what it refers to, or give '%s' its value itself.".formatted(property),
                    e);
        }
    }

    /**
     * Other processes may use the database as well, so a worker id is not guessed beside it.
     *
     * @throws StartupFailure if there is a {@code DataSource} that no worker id is leased in
     */
    static void refuseGuess(ListableBeanFactory beans, IdLayout layout) {
        if (!hasDataSource(beans)) {
            return;
        }
        boolean isExcluded = !beans.containsBean(LeaseStore.BEAN + Strategy.JDBC.value());
        throw new StartupFailure(
                "There is a DataSource, but no worker id is leased in it, since %s; one that is guessed from the host may be that of another process."
                        .formatted(
                                isExcluded
                                        ? "SnowflakeJdbcAutoConfiguration is excluded"
                                        : "the bean is defined after SnowflakeAutoConfiguration has looked for one"),
                """
                %s

                %s""".formatted(isExcluded ? "Do not exclude it." : """
                        Define the bean in a @Configuration class of the application, or in an auto-configuration that comes before:

                        @AutoConfiguration(before = SnowflakeAutoConfiguration.class)

                        or let leases have a connection of their own:

                        snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""", ConfiguredWorker.doWithoutLeases(layout)));
    }

    /**
     * Opens the registry of a generator.
     *
     * @throws StartupFailure if its store is not there, or the configuration is in the way
     */
    static WorkerRegistry open(
            SnowflakeProperties properties, IdLayout layout, ConfigurableApplicationContext context) {
        Environment environment = context.getEnvironment();
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        Strategy strategy = Objects.requireNonNull(of(properties.generator(), environment, beans));
        try {
            String store = LeaseStore.BEAN + strategy.value();
            if (!beans.containsBean(store)) {
                throw notThere(strategy, layout);
            }
            return beans.getBean(store, LeaseStore.class)
                    .open(new ConfiguredStore(properties, layout, environment, beans));
        } catch (StoreException e) {
            throw properties.explain(
                    new StartupFailure(e.getMessage() + ".", e.action().orElse("Correct the configuration."), e));
        } catch (StartupFailure e) {
            throw properties.explain(e);
        }
    }

    /**
     * The registry that a generator leases from; null if there is none. The generator is ended before it.
     *
     * @throws StartupFailure if the registry needs a bean that is still being created
     */
    static @Nullable WorkerRegistry registry(
            SnowflakeProperties properties, IdLayout layout, GeneratorLifecycle lifecycle) {
        GeneratorName generator = properties.generator();
        try {
            return generator.isNamed()
                    ? lifecycle.endsBefore(
                            named(properties, layout, lifecycle), generator.prefix() + NamedGenerators.REGISTRY_SUFFIX)
                    : lifecycle.endsBefore(
                            lifecycle.registriesToLeaseFrom().getIfAvailable(), SnowflakeAutoConfiguration.REGISTRY);
        } catch (BeanCreationException e) {
            throw e.getMostSpecificCause() instanceof BeanCurrentlyInCreationException cycle ? tooEarly(cycle) : e;
        }
    }

    private static @Nullable WorkerRegistry named(
            SnowflakeProperties properties, IdLayout layout, GeneratorLifecycle lifecycle) {
        ListableBeanFactory beans = lifecycle.context().getBeanFactory();
        WorkerRegistry registry = NamedGenerators.qualified(WorkerRegistry.class, properties.generator(), beans);
        if (registry == null && !beans.containsBean(SnowflakeAutoConfiguration.REGISTRY)) {
            registry = lifecycle.registriesToLeaseFrom().getIfAvailable();
        }
        if (registry == null
                && properties.getWorker().getStrategy() == null
                && ConfiguredWorker.isIdSet(
                        GeneratorName.NONE, lifecycle.context().getEnvironment())) {
            throw new StartupFailure(
                    "Generator '%s' has no worker id: that of the unnamed generator is not inherited, and there is no database to lease one in."
                            .formatted(properties.generator().name()),
                    ConfiguredWorker.setWorkerId(layout));
        }
        return registry;
    }

    private static StartupFailure tooEarly(BeanCurrentlyInCreationException e) {
        return new StartupFailure(
                "No worker ID can be leased before bean '%s' is created, but an entity listener, an attribute converter or another bean that '%1$s' needs requires the generator."
                        .formatted(e.getBeanName()),
                """
                Inject the generator lazily there:

                OrderListener(@Lazy IdGenerator ids) { ... }

                or, if worker IDs are leased late only because scripts run after Hibernate, run them before:

                spring.jpa.defer-datasource-initialization: false""",
                e);
    }

    private static StartupFailure notThere(Strategy strategy, IdLayout layout) {
        boolean needsLibrary = !strategy.library().isEmpty();
        return new StartupFailure(
                "Property 'snowflake.worker.strategy' is '%s', but %sits auto-configuration is excluded."
                        .formatted(
                                strategy.value(),
                                needsLibrary ? strategy.library() + " is not on the class path, or " : ""),
                (needsLibrary ? "Add it:\n\n" + strategy.dependency() + "\n\n" : "")
                        + ConfiguredWorker.doWithoutLeases(layout));
    }

    /** On the bean of the unnamed generator: whether that one leases. On a class: whether any generator may need a table. */
    static final class OnLease extends SpringBootCondition implements ConfigurationCondition {

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            ConfigurableListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
            Strategy strategy = of(GeneratorName.NONE, environment, beans);
            if (metadata instanceof MethodMetadata) {
                return strategy == null
                        ? ConditionOutcome.noMatch("another worker id strategy is configured, or there is no database")
                        : ConditionOutcome.match("worker ids are leased by strategy '" + strategy.value() + "'");
            }
            boolean needed = strategy == Strategy.JDBC || GeneratorName.NONE.isOfSegments(environment);
            for (GeneratorName generator : GeneratorNames.in(environment)) {
                needed |= generator.isOfSegments(environment) || of(generator, environment, beans) == Strategy.JDBC;
            }
            return new ConditionOutcome(needed, "whether a generator may need a table");
        }
    }
}
