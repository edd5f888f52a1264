package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a Snowflake generator consists of. {@link GeneratorPlanner} decides it once, from properties and beans.
 *
 * @param properties the properties of the generator, including the inherited ones
 * @param layout the layout of the IDs
 * @param datacenterId the datacenter ID; null if none is set, or if it is inherited and the layout has no bits for it
 * @param isLayoutOfBean whether the layout is a bean of the application instead of the properties' layout
 * @param assigner the application's source of the worker ID, or null
 * @param registry the application's registry to lease the worker ID from, or null
 * @param store the store of this library to lease the worker ID from, or null
 */
record GeneratorPlan(
        GeneratorBeans generator,
        SnowflakeProperties properties,
        IdLayout layout,
        @Nullable Integer datacenterId,
        boolean isLayoutOfBean,
        @Nullable WorkerIdAssigner assigner,
        @Nullable WorkerRegistry registry,
        @Nullable WorkerRegistryFactory store) {

    private static final Duration DRIFT_OF_LEASED = Duration.ofSeconds(1);

    /** Returns the plan of a generator. */
    static GeneratorPlan of(GeneratorBeans generator) {
        return generator.beans().getBean(generator.planBean(), GeneratorPlan.class);
    }

    /** Written by hand because Spring calls it for each bean, as in {@link SnowflakeProperties}. */
    @Override
    public int hashCode() {
        return properties.hashCode();
    }

    boolean isLeased() {
        return registry != null || store != null;
    }

    /** Returns how far IDs may run ahead of the clock. */
    Duration maxDrift() {
        Duration set = properties.clock().maxDrift();
        return set != null ? set : isLeased() ? DRIFT_OF_LEASED : Duration.ZERO;
    }
}
