package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.InitializeSchema;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Strategy;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Worker.Jdbc;
import io.github.snowflakeid.jdbc.ConnectionSettings;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;

/**
 * Auto-configuration of a {@link WorkerRegistry} in a database, where {@code snowflake.worker.strategy} is {@code jdbc}, or where
 * it is left open, no worker id is set, and there is a {@link DataSource} or a {@code snowflake.worker.jdbc.url}. Gives way
 * to a registry, a {@link WorkerIdAssigner} or an {@link IdGenerator} of the application. Needs neither spring-jdbc nor
 * Spring Boot's support of JDBC.
 *
 * <p>A registry comes after all initialization of databases, also one that the application defines, so that Flyway, Liquibase
 * or scripts may create its table.
 */
@AutoConfiguration(
        before = SnowflakeAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnClass(DataSource.class)
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@Conditional(SnowflakeJdbcAutoConfiguration.OnStrategy.class)
@EnableConfigurationProperties(SnowflakeProperties.class)
@ImportRuntimeHints(SnowflakeJdbcAutoConfiguration.Scripts.class)
public final class SnowflakeJdbcAutoConfiguration {

    static final String REGISTRY = "snowflake.workerRegistry";

    SnowflakeJdbcAutoConfiguration() {}

    @Bean(name = REGISTRY, destroyMethod = "")
    @Conditional(SnowflakeJdbcAutoConfiguration.OnStrategy.class)
    @ConditionalOnMissingBean({WorkerRegistry.class, WorkerIdAssigner.class, IdGenerator.class})
    JdbcWorkerRegistry snowflakeWorkerRegistry(
            SnowflakeProperties properties,
            IdLayout layout,
            ObjectProvider<DataSource> dataSources,
            @SnowflakeDataSource ObjectProvider<DataSource> marked,
            ConfigurableListableBeanFactory beans) {
        try {
            return registry(properties, layout, dataSources, marked, beans);
        } catch (StartupFailure failure) {
            throw properties.explain(failure);
        }
    }

    /** {@link NamedGenerators} registers a bean of this for each that leases. */
    WorkerRegistry snowflakeNamedWorkerRegistry(
            String name,
            IdLayout layout,
            ObjectProvider<DataSource> dataSources,
            @SnowflakeDataSource ObjectProvider<DataSource> marked,
            ConfigurableListableBeanFactory beans,
            GeneratorLifecycle lifecycle) {
        SnowflakeProperties properties = lifecycle.properties(new GeneratorName(name), layout);
        return snowflakeWorkerRegistry(
                properties, NamedGenerators.layout(properties, beans), dataSources, marked, beans);
    }

    private static JdbcWorkerRegistry registry(
            SnowflakeProperties properties,
            IdLayout layout,
            ObjectProvider<DataSource> dataSources,
            ObjectProvider<DataSource> marked,
            ConfigurableListableBeanFactory beans) {
        Jdbc jdbc = properties.getWorker().getJdbc();
        ConnectionSettings own = ownConnection(jdbc);
        DataSource dataSource = own == null ? dataSource(dataSources, marked, layout, beans) : null;
        JdbcWorkerRegistry registry = registry(
                own, dataSource, jdbc, properties.getWorker().getLease().getNamespace());
        if (jdbc.getInitializeSchema() == InitializeSchema.NEVER) {
            return registry;
        }
        return jdbc.getInitializeSchema() == InitializeSchema.ALWAYS
                ? registry.creatingItsTable()
                : registry.creatingItsTableInMemory();
    }

    private static DataSource dataSource(
            ObjectProvider<DataSource> dataSources,
            ObjectProvider<DataSource> marked,
            IdLayout layout,
            ConfigurableListableBeanFactory beans) {
        DataSource dataSource = marked.getIfAvailable();
        if (dataSource == null) {
            dataSource = dataSources.getIfUnique();
        }
        if (dataSource == null) {
            throw noneToChoose(layout);
        }
        GeneratorLifecycle.endsBefore(dataSource, DataSource.class, beans);
        return dataSource;
    }

    private static @Nullable ConnectionSettings ownConnection(Jdbc jdbc) {
        String url = jdbc.getUrl();
        if (url != null && !url.isBlank()) {
            return new ConnectionSettings(
                    url, set(jdbc.getUsername()), set(jdbc.getPassword()), set(jdbc.getDriverClassName()));
        }
        refuseWithoutEffect("username", jdbc.getUsername());
        refuseWithoutEffect("password", jdbc.getPassword());
        refuseWithoutEffect("driver-class-name", jdbc.getDriverClassName());
        return null;
    }

    /** One of the two is there. */
    private static JdbcWorkerRegistry registry(
            @Nullable ConnectionSettings own, @Nullable DataSource dataSource, Jdbc jdbc, String namespace) {
        try {
            return own == null
                    ? new JdbcWorkerRegistry(Objects.requireNonNull(dataSource), jdbc.getTableName(), namespace)
                    : new JdbcWorkerRegistry(own, jdbc.getTableName(), namespace);
        } catch (IllegalArgumentException invalid) {
            throw new StartupFailure("Invalid 'snowflake.worker': " + invalid.getMessage() + ".", """
                    Set valid names, for example:

                    snowflake.worker.jdbc.table-name: snowflake_worker
                    snowflake.worker.lease.namespace: default""", invalid);
        }
    }

    /** An empty value, as of an environment variable that is there for all, is none. */
    private static @Nullable String set(@Nullable String value) {
        return value == null || value.isEmpty() ? null : value;
    }

    private static void refuseWithoutEffect(String name, @Nullable String value) {
        if (set(value) != null) {
            throw new StartupFailure(
                    "Property 'snowflake.worker.jdbc.%s' is set, but without effect: 'snowflake.worker.jdbc.url' is not set."
                            .formatted(name),
                    """
                    Remove 'snowflake.worker.jdbc.%s', or say where the database is:

                    snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""".formatted(name));
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

                or let leases have a connection of their own:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop

                or do without a lease. %s""".formatted(ConfiguredWorker.setWorkerId(layout)));
    }

    /** Whether the properties of a generator ask for a lease in a database, or leave it open, and there is one. */
    static boolean isAskedFor(GeneratorName generator, Environment environment, ListableBeanFactory beans) {
        String strategy = inherited("snowflake.worker.strategy", generator, environment);
        boolean open = strategy.isEmpty() && !ConfiguredWorker.isIdSet(generator, environment);
        if (!open && !strategy.equalsIgnoreCase(Strategy.JDBC.name())) {
            return false;
        }
        return !inherited("snowflake.worker.jdbc.url", generator, environment).isBlank()
                || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length > 0;
    }

    private static String inherited(String property, GeneratorName generator, Environment environment) {
        String own = environment.getProperty(generator.property(property), "");
        return own.isEmpty() ? environment.getProperty(property, "") : own;
    }

    /** On the class: whether any generator leases in a database. On the bean of the unnamed generator: whether that one does. */
    static final class OnStrategy extends SpringBootCondition implements ConfigurationCondition {

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            ConfigurableListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
            if (isAskedFor(GeneratorName.NONE, environment, beans)) {
                return ConditionOutcome.match("worker ids are leased in a database");
            }
            if (!(metadata instanceof MethodMetadata)) {
                for (GeneratorName generator : GeneratorNames.in(environment)) {
                    if (isAskedFor(generator, environment, beans)) {
                        return ConditionOutcome.match("worker ids of generator '" + generator.name() + "' are leased");
                    }
                }
            }
            return ConditionOutcome.noMatch("another worker id strategy is configured, or there is no database");
        }
    }

    /** Where Spring Boot initializes databases, if it does. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = DependsOnInitialization.CONFIGURER)
    @Import(DatabaseInitializationDependencyConfigurer.class)
    static final class Initialization {}

    /** What a native image would lack. */
    static final class Scripts implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/snowflakeid/jdbc/schema-*.sql");
        }
    }
}
