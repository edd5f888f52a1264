package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of {@link IdGenerator} beans from the properties {@code snowflake.*}: the unnamed generator, which is called {@code
 * default}, and the generators of {@code snowflake.generators}. {@link SnowflakeGenerators} finds them by name. A generator bean of the
 * application replaces the auto-configured generator of the same name. A {@link WorkerIdAssigner} bean replaces {@code snowflake.worker.*}
 * and {@code snowflake.datacenter.*}. If the properties set no worker ID, or if they select a store, the worker ID is leased from the
 * application's {@link WorkerRegistry} bean or from that store.
 *
 * <p>Generators issue IDs during shutdown. They are closed after all beans that they are injected into and after every {@code
 * EntityManagerFactory}, but before the {@code DataSource} or {@link WorkerRegistry} that their worker IDs are released to. Requests, tasks
 * that an executor still completes, message listeners and {@code @PreDestroy} methods therefore get IDs.
 *
 * <p>If the context is stopped without being closed, for example before a checkpoint, generators are closed in phase 1 and reopened when the
 * context is started. In between, callers get a {@link io.github.snowflakeid.GeneratorClosedException}. A checkpoint that
 * Spring takes on refresh contains no lease either. A training run ({@code spring.context.exit=onRefresh}) acquires none, and generators
 * that would lease a worker ID or reserve numbers stay closed.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@Conditional(OnEnabled.class)
@Import({LeaseStoreSelector.Configurations.class, NamedGeneratorRegistrar.class})
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

    @Bean("snowflake.properties")
    CheckedProperties snowflakeProperties(
            Environment environment,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<SegmentStoreFactory> segmentStores) {
        return new CheckedProperties(
                environment,
                Stream.concat(
                        stores.stream().map(LeaseStore::leaseProperties),
                        segmentStores.stream().map(SegmentStoreFactory::segmentProperties)));
    }

    @Bean("snowflake.idLayout")
    @ConditionalOnMissingBean
    IdLayout snowflakeIdLayout(CheckedProperties properties) {
        GeneratorSettings settings = properties.properties().snowflakes(GeneratorName.UNNAMED, IdLayout.DEFAULT);
        try {
            return ConfiguredLayout.of(settings);
        } catch (ConfigurationException e) {
            throw settings.explain(e);
        }
    }

    @Bean("snowflake.leaseStoreSelector")
    LeaseStoreSelector snowflakeLeaseStoreSelector(
            ObjectProvider<WorkerRegistry> registries,
            ObjectProvider<LeaseStore> stores,
            CheckedProperties properties,
            ConfigurableListableBeanFactory beans) {
        return new LeaseStoreSelector(registries, stores, properties.properties(), beans);
    }

    @Bean("snowflake.generatorFactory")
    SnowflakeGeneratorFactory snowflakeGeneratorFactory(
            CheckedProperties properties,
            ObjectProvider<IdLayout> layouts,
            ObjectProvider<WorkerIdAssigner> assigners,
            LeaseStoreSelector stores,
            LeaseEvents events,
            Environment environment,
            ConfigurableListableBeanFactory beans) {
        return new SnowflakeGeneratorFactory(properties, layouts, assigners, stores, events, environment, beans);
    }

    @Bean("snowflake.segmentGeneratorFactory")
    SegmentGeneratorFactory snowflakeSegmentGeneratorFactory(
            ObjectProvider<SegmentStore> ofApplication,
            ObjectProvider<SegmentStoreFactory> stores,
            CheckedProperties properties,
            ConfigurableListableBeanFactory beans) {
        return new SegmentGeneratorFactory(ofApplication, stores, properties.properties(), beans);
    }

    /** Orders stores after the initialization of the database by Spring Boot, which may create their tables. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = "org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer")
    @Import(DatabaseInitializationDependencyConfigurer.class)
    static final class Initialization {}
}
