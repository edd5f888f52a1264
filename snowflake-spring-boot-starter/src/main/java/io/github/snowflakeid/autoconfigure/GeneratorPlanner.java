package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.store.OtherDatabases;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

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
record GeneratorPlanner(
        GeneratorBeans generator,
        ObjectProvider<IdLayout> layouts,
        ObjectProvider<WorkerIdAssigner> assigners,
        ObjectProvider<WorkerRegistry> registries) {

    /** The name of the bean of the unnamed generator's layout, unless the application has a bean. */
    static final String LAYOUT = "snowflake.idLayout";

    /**
     * Creates the bean of a generator's plan.
     *
     * @throws ConfigurationException if a property or a bean does not fit
     */
    static GeneratorPlan plan(
            String name,
            ObjectProvider<IdLayout> layouts,
            ObjectProvider<WorkerIdAssigner> assigners,
            ObjectProvider<WorkerRegistry> registries,
            ConfigurableListableBeanFactory beans) {
        GeneratorBeans generator = GeneratorBeans.of(name, beans);
        return generator.explaining(new GeneratorPlanner(generator, layouts, assigners, registries)::decide);
    }

    private GeneratorPlan decide() {
        boolean isNamed = generator.id().isNamed();
        SnowflakeProperties set = generator.properties(SnowflakeProperties.class);
        IdLayout ofAll = layouts.getObject();
        IdLayout ofBean = isNamed
                ? generator.qualified(IdLayout.class)
                : generator.beans().containsBeanDefinition(LAYOUT) ? null : ofAll;
        IdLayout layout = ofBean != null ? ofBean : isNamed ? set.toLayout(ofAll) : ofAll;
        boolean isOwn = !isNamed || generator.isSet("snowflake.datacenter.id");
        Integer datacenterId =
                isOwn || layout.datacenterBits() > 0 ? set.datacenter().id() : null;

        WorkerIdAssigner assigner = assigner();
        boolean mayBeLeased = assigner == null && set.worker().mayBeLeased();
        if (assigner == null) {
            check(set.worker(), datacenterId, layout);
        }
        WorkerRegistry registry = mayBeLeased ? registry() : null;
        WorkerRegistryFactory store = mayBeLeased && registry == null ? store(set.worker()) : null;
        GeneratorPlan plan =
                new GeneratorPlan(generator, set, layout, datacenterId, ofBean != null, assigner, registry, store);
        if (mayBeLeased && !plan.isLeased()) {
            rejectGuess(plan);
        }
        return plan;
    }

    /**
     * Checks the numbers that properties set, for leased worker IDs as well.
     *
     * @throws ConfigurationException if IDs of the layout have no bits for them, or if the strategy does not use them
     */
    private static void check(SnowflakeProperties.Worker worker, @Nullable Integer datacenterId, IdLayout layout) {
        if (datacenterId != null) {
            checkRange("datacenter", datacenterId, layout.maxDatacenterId(), layout.datacenterBits(), """
                    Remove '{snowflake}.datacenter.id', or set a number from 0 to %s, the same for all processes of a datacenter and different \
                    for each datacenter, through an environment variable:

                    {snowflake}.datacenter.id: ${DATACENTER_ID}""".formatted(
                            layout.maxDatacenterId()));
        }
        String setWorkerId = StartupFailures.setWorkerId(layout);
        Integer workerId = worker.id();
        if (workerId == null && worker.isFixed()) {
            throw Problem.MISSING_WORKER_ID.exception(
                    "Property '{snowflake}.worker.strategy' is 'fixed', but '{snowflake}.worker.id' is not set.",
                    setWorkerId);
        }
        if (workerId != null && worker.isFixed()) {
            checkRange("worker", workerId, layout.maxWorkerId(), layout.workerBits(), setWorkerId);
        } else if (workerId != null) {
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '{snowflake}.worker.id' is %s, but has no effect: '{snowflake}.worker.strategy' is '%s'."
                            .formatted(workerId, worker.strategy()),
                    """
                    Remove '{snowflake}.worker.id' to let the strategy choose. If the configuration gives each process a different \
                    worker ID, use that:

                    {snowflake}.worker.strategy: fixed""");
        }
    }

    private static void checkRange(String field, int id, int max, int bits, String action) {
        if (id < 0 || id > max) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '{snowflake}.%s.id' must be in [0, %s] (%s %1$s bits), but was %s."
                            .formatted(field, max, bits, id),
                    action);
        }
    }

    /** Returns the application's assigner; null if the properties determine the worker ID. */
    private @Nullable WorkerIdAssigner assigner() {
        boolean isNamed = generator.id().isNamed();
        boolean isSet =
                isNamed && (generator.isSet("snowflake.worker.id") || generator.isSet("snowflake.worker.strategy"));
        WorkerIdAssigner qualified = generator.qualified(WorkerIdAssigner.class);
        if (qualified != null || isSet) {
            return qualified;
        }
        return isNamed ? assigners.getIfUnique() : assigners.getIfAvailable();
    }

    /** Returns the application's registry. Ensures that the generator is closed before it. */
    private @Nullable WorkerRegistry registry() {
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
    private @Nullable WorkerRegistryFactory store(SnowflakeProperties.Worker worker) {
        String set = worker.strategy();
        WorkerRegistryFactory store = generator.select(
                WorkerRegistryFactory.class,
                set,
                "{snowflake}.worker.strategy",
                List.of(SnowflakeProperties.FIXED, SnowflakeProperties.HOST));
        if (store.canLease(generator)) {
            return store;
        }
        String group = Stream.of("worker.lease", "worker.jdbc")
                .filter(each -> generator.properties().isAnySet(generator.id(), "snowflake." + each))
                .findFirst()
                .orElse(null);
        if (set == null && group == null) {
            return null;
        }
        String leases = set == null
                ? "There are properties of '{snowflake}." + group + "'"
                : "Property '{snowflake}.worker.strategy' is '" + set + "'";
        throw Problem.MISSING_STORE.exception(
                leases + ", but there is neither a DataSource nor a URL of a database.", """
                Add the driver of your database, and set its URL:

                {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
    }

    /** Rejects a guess that another process or generator could make, too. */
    private void rejectGuess(GeneratorPlan plan) {
        String setWorkerId = StartupFailures.setWorkerId(plan.layout());
        if (generator.id().isNamed() && generator.properties().isSet(GeneratorName.UNNAMED, "snowflake.worker.id")) {
            throw Problem.MISSING_WORKER_ID.exception(
                    "Generator '%s' has no worker ID: it does not inherit the worker ID of the unnamed generator, and there is no database to lease one from."
                            .formatted(generator.id().name()),
                    setWorkerId);
        }
        String database = OtherDatabases.reachable(generator.beans(), generator.environment());
        if (database != null) {
            boolean hasLogin = generator.environment().containsProperty("spring.r2dbc.username");
            throw Problem.MISSING_STORE.exception(
                    "There is %s, but no store to lease a worker ID from, and a worker ID that is guessed from the host may be in use by another process."
                            .formatted(database),
                    """
                    Lease worker IDs in a store that all processes share, for example in Redis:

                    {snowflake}.worker.strategy: redis

                    or in a database, with its JDBC driver on the class path:

                    {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop
                    {snowflake}.worker.jdbc.username: %s
                    {snowflake}.worker.jdbc.password: ${%s}

                    Alternatively, use fixed worker IDs in every process that writes to the same tables. %s""".formatted(
                                    hasLogin ? "${spring.r2dbc.username}" : "shop",
                                    hasLogin ? "spring.r2dbc.password:" : "DATABASE_PASSWORD",
                                    setWorkerId));
        }
    }
}
