package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.mapping.IdGenerators;
import io.github.snowflakeid.store.LeaseStore;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of an {@link IdGenerator} from the properties {@code snowflake.*}. Each bean gives way to one of
 * the application's own; a {@link WorkerIdAssigner} of the application replaces {@code snowflake.worker.*} and
 * {@code snowflake.datacenter.*}. Where the properties leave the worker id open, or name a store, the worker id is leased from
 * a {@link WorkerRegistry} bean, of the application or of that {@link LeaseStore}.
 *
 * <p>The generator makes ids until beans are destroyed, leased or not: it ends after all beans that have it injected and after
 * every {@code EntityManagerFactory}, and before the {@code DataSource} or the {@link WorkerRegistry} that it gives its worker
 * id back to. So requests, tasks that an executor still completes, message listeners and {@code @PreDestroy} methods get ids.
 *
 * <p>A context that is stopped, not closed, as before a checkpoint, gives leased worker ids back in phase 1, and leases again
 * when it is started; in between there is a {@link io.github.snowflakeid.GeneratorClosedException}. A connection pool that Spring Boot
 * has suspended ({@code spring.datasource.hikari.allow-pool-suspension}) is resumed before worker ids are given back to it. A
 * checkpoint that Spring takes on refresh has no lease in it either.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SnowflakeProperties.class)
@Import(NamedGenerators.class)
public final class SnowflakeAutoConfiguration {

    // Factory methods of every application have few parameters, and interfaces first: for each new number and order of
    // classes and interfaces, the JDK makes classes to call them.

    static final String REGISTRY = "snowflake.workerRegistry";

    static final String GENERATOR = "snowflake.idGenerator";

    SnowflakeAutoConfiguration() {}

    @Bean(name = REGISTRY, destroyMethod = "")
    @Conditional(LeaseStores.OnLease.class)
    @ConditionalOnMissingBean({WorkerRegistry.class, WorkerIdAssigner.class, IdGenerator.class})
    WorkerRegistry snowflakeWorkerRegistry(GeneratorLifecycle lifecycle) {
        return LeaseStores.open(lifecycle.properties(), lifecycle.layout(), lifecycle.context());
    }

    /** {@link NamedGenerators} registers a bean of this for each that leases. */
    WorkerRegistry snowflakeNamedWorkerRegistry(String name, IdLayout layout, GeneratorLifecycle lifecycle) {
        SnowflakeProperties properties = lifecycle.properties(new GeneratorName(name), layout);
        ConfigurableApplicationContext context = lifecycle.context();
        return LeaseStores.open(properties, NamedGenerators.layout(properties, context.getBeanFactory()), context);
    }

    @Bean("snowflake.idLayout")
    @ConditionalOnMissingBean
    IdLayout snowflakeIdLayout(SnowflakeProperties properties) {
        try {
            return ConfiguredLayout.of(properties);
        } catch (StartupFailure impossible) {
            throw properties.explain(impossible);
        }
    }

    @Bean("snowflake.workerIdAssigner")
    @ConditionalOnMissingBean({WorkerIdAssigner.class, IdGenerator.class})
    WorkerIdAssigner snowflakeWorkerIdAssigner(SnowflakeProperties properties) {
        return ConfiguredWorker.of(properties);
    }

    /** {@link NamedGenerators} registers another one in its place where its numbers are to be of segments. */
    @Bean(name = GENERATOR, destroyMethod = "")
    @ConditionalOnMissingBean(IdGenerator.class)
    @Lazy(false)
    SnowflakeIdGenerator snowflakeIdGenerator(WorkerIdAssigner workerIdAssigner, GeneratorLifecycle lifecycle) {
        return ConfiguredGenerator.of(lifecycle.properties(), lifecycle.layout(), workerIdAssigner, lifecycle);
    }

    /** {@link NamedGenerators} registers a bean of this for each. */
    SnowflakeIdGenerator snowflakeNamedIdGenerator(
            String name, IdLayout layout, ObjectProvider<WorkerIdAssigner> assigners, GeneratorLifecycle lifecycle) {
        return NamedGenerators.make(new GeneratorName(name), layout, assigners, lifecycle);
    }

    @Bean(IdGenerators.LIFECYCLE)
    @ConditionalOnBean(IdGenerator.class)
    @ConditionalOnMissingBean
    GeneratorLifecycle snowflakeGeneratorLifecycle(
            ConfigurableApplicationContext context,
            ObjectProvider<WorkerRegistry> registry,
            ObjectProvider<IdLayout> layout) {
        return new GeneratorLifecycle(context, registry, layout);
    }

    /** Where Spring Boot initializes databases, if it does: the table of a registry may come from there. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(LeaseStores.OnLease.class)
    @ConditionalOnClass(
            name = "org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer")
    @Import(DatabaseInitializationDependencyConfigurer.class)
    static final class Initialization {}
}
