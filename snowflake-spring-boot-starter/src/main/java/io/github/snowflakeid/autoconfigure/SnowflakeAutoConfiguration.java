package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.log.LeaseEvents;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.properties.PropertyCheck;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.OnCounters;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of {@link IdGenerator} beans from the properties {@code snowflake.*}: the unnamed generator, which
 * is called {@code default}, and the generators of {@code snowflake.generators}. {@link SnowflakeGenerators} finds them
 * by name. A generator bean of the application replaces the auto-configured generator of the same name. A
 * {@link WorkerIdAssigner} bean replaces {@code snowflake.worker.*} and {@code snowflake.datacenter.*}. If the
 * properties set no worker ID, or if they select a store, the worker ID is leased from the application's
 * {@link WorkerRegistry} bean or from that store.
 *
 * <p>Generators issue IDs during shutdown. They are closed after all beans that they are injected into and after every
 * {@code EntityManagerFactory}, but before the {@code DataSource} or {@link WorkerRegistry} that their worker IDs are
 * released to. Requests, tasks that an executor still completes, message listeners and {@code @PreDestroy} methods
 * therefore get IDs.
 *
 * <p>If the context is stopped without being closed, for example before a checkpoint, generators are closed in phase 1
 * and reopened when the context is started. In between, callers get a
 * {@link io.github.snowflakeid.GeneratorClosedException}. A checkpoint that Spring takes on refresh contains no lease
 * either. A training run ({@code spring.context.exit=onRefresh}) acquires none, and generators that would lease a
 * worker ID or reserve numbers stay closed.
 *
 * @since 1.0
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnProperty(name = "snowflake.enabled", matchIfMissing = true)
@PropertyGroup(SnowflakeProperties.class)
@Import({PropertyCheck.class, SnowflakeProperties.Unset.class, GeneratorRegistrar.class})
public final class SnowflakeAutoConfiguration {

    SnowflakeAutoConfiguration() {}

    @Bean("snowflake.generators")
    SnowflakeGenerators snowflakeGenerators(ConfigurableListableBeanFactory beans) {
        return new SnowflakeGenerators(beans);
    }

    @Bean(IdGenerators.LIFECYCLE)
    GeneratorLifecycle snowflakeGeneratorLifecycle(
            ConfigurableApplicationContext context, SnowflakeGenerators generators, LeaseEvents events) {
        return new GeneratorLifecycle(context, generators, events);
    }

    @Bean("snowflake.leaseEvents")
    LeaseEvents snowflakeLeaseEvents(ConfigurableApplicationContext context) {
        return new LeaseEvents(context);
    }

    @Bean(GeneratorPlanner.LAYOUT)
    @ConditionalOnMissingBean
    IdLayout snowflakeIdLayout(SnowflakeProperties properties) {
        return properties.toLayout(IdLayout.DEFAULT);
    }

    /** Generators of sequential numbers. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnCounters.class)
    @PropertyGroup(SegmentProperties.class)
    static final class Counters {}
}
