package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.mapping.IdGenerators;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of an {@link IdGenerator} from the properties {@code snowflake.*}. Each bean gives way to one of
 * the application's own; a {@link WorkerIdAssigner} of the application replaces {@code snowflake.worker.*} and
 * {@code snowflake.datacenter.*}. Where the properties leave the worker id open, or say {@code jdbc}, and there is a
 * {@link WorkerRegistry} bean, of the application or of {@link SnowflakeJdbcAutoConfiguration}, the worker id is leased from
 * it.
 *
 * <p>The generator makes ids until beans are destroyed, leased or not: it ends after all beans that have it injected and after
 * every {@code EntityManagerFactory}, and before the {@code DataSource} or the {@link WorkerRegistry} that it gives its worker
 * id back to. So requests, tasks that an executor still completes, message listeners and {@code @PreDestroy} methods get ids.
 *
 * <p>A context that is stopped, not closed, as before a checkpoint, gives leased worker ids back in phase 1, and leases again
 * when it is started; in between there is a {@link io.github.snowflakeid.GeneratorClosedException}. So does one that is closed, if its
 * connection pool is suspended before beans are destroyed ({@code spring.datasource.hikari.allow-pool-suspension}).
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SnowflakeProperties.class)
@Import(NamedGenerators.class)
public final class SnowflakeAutoConfiguration {

    SnowflakeAutoConfiguration() {}

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

    @Bean(name = "snowflake.idGenerator", destroyMethod = "")
    @ConditionalOnMissingBean(IdGenerator.class)
    @Lazy(false)
    SnowflakeIdGenerator snowflakeIdGenerator(
            SnowflakeProperties properties,
            IdLayout layout,
            WorkerIdAssigner workerIdAssigner,
            ObjectProvider<WorkerRegistry> registry,
            GeneratorLifecycle lifecycle) {
        return ConfiguredGenerator.of(
                properties,
                layout,
                workerIdAssigner,
                () -> lifecycle.endsBefore(registry.getIfAvailable(), SnowflakeJdbcAutoConfiguration.REGISTRY),
                lifecycle);
    }

    /** {@link NamedGenerators} registers a bean of this for each. */
    SnowflakeIdGenerator snowflakeNamedIdGenerator(
            String name,
            IdLayout layout,
            ObjectProvider<WorkerIdAssigner> assigners,
            ObjectProvider<WorkerRegistry> registries,
            GeneratorLifecycle lifecycle) {
        return NamedGenerators.make(new GeneratorName(name), layout, assigners, registries, lifecycle);
    }

    @Bean(IdGenerators.LIFECYCLE)
    @ConditionalOnBean(SnowflakeIdGenerator.class)
    @ConditionalOnMissingBean
    GeneratorLifecycle snowflakeGeneratorLifecycle(ConfigurableApplicationContext context) {
        return new GeneratorLifecycle(context);
    }
}
