package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.OtherDatabases;
import io.github.snowflakeid.internal.store.StoreDescription;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Decides what Snowflake generators consist of, from their properties and from beans of the application, in this order
 * of precedence:
 *
 * <ol>
 *   <li>a layout, assigner or registry bean that has the generator's name as qualifier;
 *   <li>for the worker ID, properties that are set for this generator;
 *   <li>a bean that is injected without a qualifier;
 *   <li>other properties, which a named generator inherits from the unnamed generator.
 * </ol>
 */
final class GeneratorPlanner {

    private final ObjectProvider<IdLayout> layouts;
    private final ObjectProvider<WorkerIdAssigner> assigners;
    private final ObjectProvider<WorkerRegistry> registries;
    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final GeneratorProperties properties;
    private final Map<String, GeneratorPlan> plans = new ConcurrentHashMap<>();

    /**
     * Creates the planner of a context.
     *
     * @param layouts the layout that is injected without a qualifier
     * @param assigners the assigners that are injected without a qualifier
     * @param registries the registries that are injected without a qualifier
     */
    GeneratorPlanner(
            ObjectProvider<IdLayout> layouts,
            ObjectProvider<WorkerIdAssigner> assigners,
            ObjectProvider<WorkerRegistry> registries,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        this.layouts = layouts;
        this.assigners = assigners;
        this.registries = registries;
        this.beans = beans;
        this.environment = environment;
        this.properties = GeneratorProperties.of(beans, environment);
    }

    /**
     * Returns the plan of a generator, which is decided by the first call.
     *
     * @throws ConfigurationException if a property or a bean does not fit
     */
    GeneratorPlan plan(GeneratorName generator) {
        GeneratorPlan plan = plans.get(generator.name());
        if (plan == null) {
            try {
                plan = decide(generator);
            } catch (ConfigurationException e) {
                throw generator.explain(e, areSeveral());
            }
            plans.put(generator.name(), plan);
        }
        return plan;
    }

    private GeneratorBeans ofGenerator(GeneratorName generator) {
        return new GeneratorBeans(generator, properties, beans);
    }

    boolean areSeveral() {
        return !properties.names().isEmpty();
    }

    private GeneratorPlan decide(GeneratorName generator) {
        SnowflakeProperties inherited = generator.isNamed()
                ? properties.bind(generator, SnowflakeProperties.class, true)
                : beans.getBean(SnowflakeProperties.class);
        IdLayout ofAll = layouts.getObject();
        IdLayout ofBean = generator.isNamed()
                ? ofGenerator(generator).qualified(IdLayout.class)
                : beans.containsBeanDefinition(Layouts.BEAN) ? null : ofAll;
        IdLayout layout = ofBean != null ? ofBean : generator.isNamed() ? Layouts.of(inherited, ofAll) : ofAll;
        // A datacenter ID that is only inherited is dropped if IDs of the generator's layout have no bits for it.
        boolean isOwn = !generator.isNamed() || properties.isSet(generator, "snowflake.datacenter.id");
        SnowflakeProperties fitting = isOwn || layout.datacenterBits() > 0 ? inherited : inherited.withoutDatacenter();

        WorkerIdAssigner assigner = assigner(generator);
        boolean mayBeLeased = assigner == null && fitting.worker().mayBeLeased();
        WorkerRegistry registry = mayBeLeased ? registry(generator) : null;
        LeaseStore store = mayBeLeased && registry == null ? store(generator, fitting) : null;
        GeneratorPlan plan =
                new GeneratorPlan(generator, areSeveral(), fitting, layout, ofBean != null, assigner, registry, store);
        if (mayBeLeased && !plan.isLeased()) {
            rejectGuess(plan);
        }
        return plan;
    }

    /** Returns the application's assigner; null if the properties determine the worker ID. */
    private @Nullable WorkerIdAssigner assigner(GeneratorName generator) {
        WorkerIdAssigner qualified = ofGenerator(generator).qualified(WorkerIdAssigner.class);
        if (qualified != null) {
            return qualified;
        }
        if (!generator.isNamed()) {
            return assigners.getIfAvailable();
        }
        boolean isWorkerSet = properties.isSet(generator, "snowflake.worker.id")
                || properties.isSet(generator, "snowflake.worker.strategy");
        return isWorkerSet ? null : assigners.getIfUnique();
    }

    /** Returns the application's registry. Ensures that the generator is closed before it. */
    private @Nullable WorkerRegistry registry(GeneratorName generator) {
        WorkerRegistry qualified = ofGenerator(generator).qualified(WorkerRegistry.class);
        WorkerRegistry registry = qualified != null ? qualified : registries.getIfAvailable();
        if (registry != null) {
            ofGenerator(generator).endBefore(registry, WorkerRegistry.class);
        }
        return registry;
    }

    /**
     * Returns the store that the strategy names, or the default store; null if there is no database for the default
     * store.
     */
    private @Nullable LeaseStore store(GeneratorName generator, SnowflakeProperties properties) {
        String set = properties.worker().strategy();
        String name = set == null ? GeneratorProperties.DEFAULT_STORE : set;
        for (LeaseStore store : beans.getBeanProvider(LeaseStore.class)) {
            if (store.name().equals(name)) {
                boolean canLease = store.canLease(ofGenerator(generator));
                if (!canLease && set != null) {
                    throw withoutDatabase(properties.worker(), name);
                }
                return canLease ? store : null;
            }
        }
        String property = generator.property("snowflake.worker.strategy");
        throw StoreDescription.missing(
                name,
                property,
                GeneratorProperties.origin(environment, property),
                List.of(SnowflakeProperties.FIXED, SnowflakeProperties.HOST),
                false,
                beans.getBeanClassLoader());
    }

    private static ConfigurationException withoutDatabase(SnowflakeProperties.Worker worker, String store) {
        UnleasedWorker.rejectWorkerIdWithoutEffect(worker);
        return Problem.MISSING_STORE.exception(
                "Property '{snowflake}.worker.strategy' is '%s', but there is neither a DataSource nor a URL of a database."
                        .formatted(store),
                """
                Add the driver of your database, and set its URL:

                {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
    }

    private void rejectGuess(GeneratorPlan plan) {
        for (String group : List.of("snowflake.worker.lease", "snowflake.worker.jdbc")) {
            if (properties.isAnySet(plan.generator(), group)) {
                throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                        "Properties below '%s' have no effect: the worker ID is guessed from the host because there is no DataSource."
                                .formatted(group),
                        """
                        Remove '%s', or use a database:

                        {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop""".formatted(group));
            }
        }
        if (plan.generator().isNamed() && properties.isSet(GeneratorName.UNNAMED, "snowflake.worker.id")) {
            throw Problem.MISSING_WORKER_ID.exception(
                    "Generator '%s' has no worker ID: it does not inherit the worker ID of the unnamed generator, and there is no database to lease one from."
                            .formatted(plan.generator().name()),
                    UnleasedWorker.setWorkerId(plan.layout()));
        }
        // Other processes that use the same database could guess the same worker ID.
        String database = OtherDatabases.reachable(beans, environment);
        if (database != null) {
            boolean isR2dbc = OtherDatabases.isReachableByR2dbc(beans, environment);
            throw Problem.MISSING_STORE.exception(
                    "There is %s, but no %s to lease a worker ID %s, and a worker ID that is guessed from the host may be in use by another process."
                            .formatted(database, isR2dbc ? "DataSource" : "store", isR2dbc ? "with" : "from"),
                    (isR2dbc ? """
                    Give leases a dedicated connection. Add the JDBC driver of the database, and set its URL:

                    {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop
                    {snowflake}.worker.jdbc.username: ${spring.r2dbc.username:}
                    {snowflake}.worker.jdbc.password: ${spring.r2dbc.password:}
                    """ : """
                    Lease worker IDs in a store that all processes share, for example in Redis:

                    {snowflake}.worker.strategy: redis
                    """)
                            + "\nAlternatively, use fixed worker IDs in every process that writes to the same tables. "
                            + UnleasedWorker.setWorkerId(plan.layout()));
        }
    }
}
