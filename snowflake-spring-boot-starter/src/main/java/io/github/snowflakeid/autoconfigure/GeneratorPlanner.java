package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.OtherDatabases;
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

    /** The name of the bean of the unnamed generator's layout, unless the application has a bean. */
    static final String LAYOUT = "snowflake.idLayout";

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

    GeneratorBeans generator(String name) {
        return new GeneratorBeans(new GeneratorName(name), properties, beans);
    }

    /**
     * Returns the plan of a generator, which is decided by the first call.
     *
     * @throws ConfigurationException if a property or a bean does not fit
     */
    GeneratorPlan plan(GeneratorBeans generator) {
        GeneratorPlan plan = plans.get(generator.name());
        if (plan == null) {
            plan = decide(generator);
            plans.put(generator.name(), plan);
        }
        return plan;
    }

    private GeneratorPlan decide(GeneratorBeans generator) {
        boolean isNamed = generator.generator().isNamed();
        SnowflakeProperties set = generator.properties(SnowflakeProperties.class);
        IdLayout ofAll = layouts.getObject();
        IdLayout ofBean =
                isNamed ? generator.qualified(IdLayout.class) : beans.containsBeanDefinition(LAYOUT) ? null : ofAll;
        IdLayout layout = ofBean != null ? ofBean : isNamed ? set.toLayout(ofAll) : ofAll;
        boolean isOwn = !isNamed || properties.isSet(generator.generator(), "snowflake.datacenter.id");
        Integer datacenterId =
                isOwn || layout.datacenterBits() > 0 ? set.datacenter().id() : null;

        WorkerIdAssigner assigner = assigner(generator);
        boolean mayBeLeased = assigner == null && set.worker().mayBeLeased();
        if (assigner == null) {
            UnleasedWorker.check(set.worker(), datacenterId, layout);
        }
        WorkerRegistry registry = mayBeLeased ? registry(generator) : null;
        LeaseStore store = mayBeLeased && registry == null ? store(generator, set.worker()) : null;
        GeneratorPlan plan =
                new GeneratorPlan(generator, set, layout, datacenterId, ofBean != null, assigner, registry, store);
        if (mayBeLeased && !plan.isLeased()) {
            rejectGuess(plan);
        }
        return plan;
    }

    /** Returns the application's assigner; null if the properties determine the worker ID. */
    private @Nullable WorkerIdAssigner assigner(GeneratorBeans generator) {
        WorkerIdAssigner qualified = generator.qualified(WorkerIdAssigner.class);
        if (qualified != null) {
            return qualified;
        }
        if (!generator.generator().isNamed()) {
            return assigners.getIfAvailable();
        }
        boolean isWorkerSet = properties.isSet(generator.generator(), "snowflake.worker.id")
                || properties.isSet(generator.generator(), "snowflake.worker.strategy");
        return isWorkerSet ? null : assigners.getIfUnique();
    }

    /** Returns the application's registry. Ensures that the generator is closed before it. */
    private @Nullable WorkerRegistry registry(GeneratorBeans generator) {
        WorkerRegistry qualified = generator.qualified(WorkerRegistry.class);
        WorkerRegistry registry = qualified != null ? qualified : registries.getIfAvailable();
        if (registry != null) {
            generator.endBefore(registry, WorkerRegistry.class);
        }
        return registry;
    }

    /**
     * Returns the store that the strategy names, or the default store; null if there is no database for the default
     * store, and no property of leases.
     */
    private @Nullable LeaseStore store(GeneratorBeans generator, SnowflakeProperties.Worker worker) {
        String set = worker.strategy();
        LeaseStore store = generator.select(
                LeaseStore.class,
                set == null ? GeneratorProperties.DEFAULT_STORE : set,
                "{snowflake}.worker.strategy",
                List.of(SnowflakeProperties.FIXED, SnowflakeProperties.HOST));
        if (store.canLease(generator)) {
            return store;
        }
        if (set == null
                && !properties.isAnySet(generator.generator(), "snowflake.worker.lease", "snowflake.worker.jdbc")) {
            return null;
        }
        throw Problem.MISSING_STORE.exception(
                (set == null
                                ? "There are properties below '{snowflake}.worker' for leases"
                                : "Property '{snowflake}.worker.strategy' is '%s'".formatted(set))
                        + ", but there is neither a DataSource nor a URL of a database.",
                """
                Add the driver of your database, and set its URL:

                {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
    }

    /** Rejects a guess that another process or generator could make, too. */
    private void rejectGuess(GeneratorPlan plan) {
        GeneratorName generator = plan.generator().generator();
        String setWorkerId = UnleasedWorker.setWorkerId(plan.layout());
        if (generator.isNamed() && properties.isSet(GeneratorName.UNNAMED, "snowflake.worker.id")) {
            throw Problem.MISSING_WORKER_ID.exception(
                    "Generator '%s' has no worker ID: it does not inherit the worker ID of the unnamed generator, and there is no database to lease one from."
                            .formatted(generator.name()),
                    setWorkerId);
        }
        String database = OtherDatabases.reachable(beans, environment);
        if (database != null) {
            throw Problem.MISSING_STORE.exception(
                    "There is %s, but no store to lease a worker ID from, and a worker ID that is guessed from the host may be in use by another process."
                            .formatted(database),
                    """
                    Lease worker IDs in a store that all processes share, for example in Redis:

                    {snowflake}.worker.strategy: redis

                    or in a database, with its JDBC driver on the class path:

                    {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop
                    {snowflake}.worker.jdbc.username: ${spring.r2dbc.username:}
                    {snowflake}.worker.jdbc.password: ${spring.r2dbc.password:}

                    Alternatively, use fixed worker IDs in every process that writes to the same tables. %s""".formatted(setWorkerId));
        }
    }
}
