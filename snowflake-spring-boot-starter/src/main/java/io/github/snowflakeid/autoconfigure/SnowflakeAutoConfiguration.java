package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of an {@link IdGenerator} from the properties {@code snowflake.*}. Each bean gives way to one of
 * the application's own; a {@link WorkerIdAssigner} of the application replaces {@code snowflake.worker.*} and
 * {@code snowflake.datacenter.*}. Where the properties leave the worker id open, or say {@code jdbc}, and there is a
 * {@link WorkerRegistry} bean, of the application or of {@link SnowflakeJdbcAutoConfiguration}, the worker id is leased from
 * it, and given back when the context stops, after all requests have ended.
 *
 * <p>A generator without a lease makes ids until it is destroyed, which is after all requests have ended, after all beans that have it
 * injected are destroyed, and after all entity managers are closed.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SnowflakeProperties.class)
public final class SnowflakeAutoConfiguration {

    SnowflakeAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    IdLayout snowflakeIdLayout(SnowflakeProperties properties) {
        return ConfiguredLayout.of(properties);
    }

    @Bean
    @ConditionalOnMissingBean({WorkerIdAssigner.class, IdGenerator.class})
    WorkerIdAssigner snowflakeWorkerIdAssigner(SnowflakeProperties properties) {
        return ConfiguredWorker.of(properties);
    }

    @Bean
    @ConditionalOnMissingBean(IdGenerator.class)
    @Lazy(false)
    SnowflakeIdGenerator snowflakeIdGenerator(
            SnowflakeProperties properties,
            IdLayout layout,
            WorkerIdAssigner workerIdAssigner,
            ObjectProvider<WorkerRegistry> registry,
            Environment environment) {
        if (workerIdAssigner instanceof ConfiguredWorker worker && worker.mayBeLeased()) {
            WorkerRegistry leases = registry.getIfAvailable();
            if (leases != null) {
                return ConfiguredGenerator.leased(properties, layout, worker.terms(leases, layout, environment));
            }
        }
        return ConfiguredGenerator.of(properties, layout, workerIdAssigner);
    }

    @Bean
    @ConditionalOnBean(SnowflakeIdGenerator.class)
    @ConditionalOnMissingBean
    LeasedGeneratorLifecycle snowflakeLeasedGeneratorLifecycle(List<SnowflakeIdGenerator> generators) {
        return new LeasedGeneratorLifecycle(generators);
    }
}
