package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.InitializeSchema;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Strategy;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Worker.Jdbc;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Auto-configuration of a {@link WorkerRegistry} in the application's database, where {@code snowflake.worker.strategy} is
 * {@code jdbc}, or where it is left open, no worker id is set, and there is a {@link DataSource}. Gives way to a registry,
 * a {@link WorkerIdAssigner} or an {@link IdGenerator} of the application.
 *
 * <p>The registry comes after all initialization of databases, so that Flyway, Liquibase or scripts may create its table.
 */
@AutoConfiguration(
        before = SnowflakeAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnClass({
    DataSource.class,
    JdbcTemplate.class,
    EmbeddedDatabaseConnection.class,
    DatabaseInitializationDependencyConfigurer.class
})
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@Conditional(SnowflakeJdbcAutoConfiguration.OnStrategy.class)
@ConditionalOnMissingBean({WorkerRegistry.class, WorkerIdAssigner.class, IdGenerator.class})
@EnableConfigurationProperties(SnowflakeProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
@ImportRuntimeHints(SnowflakeJdbcAutoConfiguration.Scripts.class)
public final class SnowflakeJdbcAutoConfiguration {

    static final String REGISTRY = "snowflake.workerRegistry";

    SnowflakeJdbcAutoConfiguration() {}

    @Bean(REGISTRY)
    @DependsOnDatabaseInitialization
    JdbcWorkerRegistry snowflakeWorkerRegistry(
            SnowflakeProperties properties,
            IdLayout layout,
            ObjectProvider<DataSource> dataSources,
            @SnowflakeDataSource ObjectProvider<DataSource> marked,
            ConfigurableListableBeanFactory beans) {
        Jdbc jdbc = properties.worker().jdbc();
        DataSource dataSource = marked.getIfAvailable();
        if (dataSource == null) {
            dataSource = dataSources.getIfUnique();
        }
        if (dataSource == null) {
            throw noneToChoose(layout);
        }
        GeneratorLifecycle.endsBefore(dataSource, DataSource.class, beans);
        JdbcWorkerRegistry registry =
                registry(dataSource, jdbc, properties.worker().lease().namespace());
        return jdbc.initializeSchema() == InitializeSchema.ALWAYS
                        || (jdbc.initializeSchema() == InitializeSchema.EMBEDDED && isEmbedded(dataSource))
                ? registry.creatingItsTable()
                : registry;
    }

    private static JdbcWorkerRegistry registry(DataSource dataSource, Jdbc jdbc, String namespace) {
        try {
            return new JdbcWorkerRegistry(dataSource, jdbc.tableName(), namespace);
        } catch (IllegalArgumentException invalid) {
            throw new StartupFailure("Invalid 'snowflake.worker': " + invalid.getMessage() + ".", """
                    Set valid names, for example:

                    snowflake.worker.jdbc.table-name: snowflake_worker
                    snowflake.worker.lease.namespace: default""", invalid);
        }
    }

    private static boolean isEmbedded(DataSource dataSource) {
        try {
            return EmbeddedDatabaseConnection.isEmbedded(dataSource);
        } catch (RuntimeException unreachable) {
            return false;
        }
    }

    private static StartupFailure noneToChoose(IdLayout layout) {
        return new StartupFailure(
                "Worker ids are leased in a database, but no DataSource bean is the only one, the primary one, or marked with"
                        + " @SnowflakeDataSource.",
                """
                Mark the bean of the database that all processes share:

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }

                or do without a lease. %s""".formatted(ConfiguredWorker.setWorkerId(layout)));
    }

    /** Whether the properties ask for a lease in a database, or leave it open and there is one. */
    static final class OnStrategy extends SpringBootCondition implements ConfigurationCondition {

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            String strategy = context.getEnvironment().getProperty("snowflake.worker.strategy", "");
            boolean open = strategy.isEmpty() && !ConfiguredWorker.isIdSet(context.getEnvironment());
            if (!open && !strategy.equalsIgnoreCase(Strategy.JDBC.name())) {
                return ConditionOutcome.noMatch("another worker id strategy is configured");
            }
            return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                            Objects.requireNonNull(context.getBeanFactory()),
                                            DataSource.class,
                                            true,
                                            false)
                                    .length
                            > 0
                    ? ConditionOutcome.match("there is a DataSource")
                    : ConditionOutcome.noMatch("there is no DataSource");
        }
    }

    /** What a native image would lack. */
    static final class Scripts implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/snowflakeid/jdbc/schema-*.sql");
        }
    }
}
