package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;
import io.github.snowflakeid.jdbc.JdbcProperties.InitializeSchema;
import io.github.snowflakeid.store.LeaseStore;
import io.github.snowflakeid.store.StoreException;
import io.github.snowflakeid.store.StoreSettings;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of leases in a database, where {@code snowflake.worker.strategy} is {@code jdbc}, or where it is left open,
 * no worker id is set, and there is a {@link DataSource} or a {@code snowflake.worker.jdbc.url}. Needs neither spring-jdbc nor
 * Spring Boot's support of JDBC.
 *
 * <p>A registry comes after all initialization of databases, also one that the application defines, so that Flyway, Liquibase
 * or scripts may create its table.
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(DataSource.class)
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@ImportRuntimeHints(SnowflakeJdbcAutoConfiguration.Hints.class)
public final class SnowflakeJdbcAutoConfiguration {

    SnowflakeJdbcAutoConfiguration() {}

    @Bean(LeaseStore.BEAN + "jdbc")
    @Lazy
    LeaseStore snowflakeJdbcStore(
            ObjectProvider<DataSource> dataSources,
            @SnowflakeDataSource ObjectProvider<DataSource> marked,
            ConfigurableListableBeanFactory beans) {
        return settings -> registry(settings, () -> choose(dataSources, marked, beans));
    }

    private static JdbcWorkerRegistry registry(StoreSettings settings, Supplier<@Nullable DataSource> chosen) {
        JdbcProperties properties = settings.properties("jdbc", JdbcProperties::new);
        ConnectionSettings own = ownConnection(properties);
        DataSource dataSource = own == null ? dataSource(chosen, settings) : null;
        JdbcWorkerRegistry registry = registry(own, dataSource, properties, settings);
        if (properties.getInitializeSchema() == InitializeSchema.NEVER) {
            return registry;
        }
        return properties.getInitializeSchema() == InitializeSchema.ALWAYS
                ? registry.creatingItsTable()
                : registry.creatingItsTableInMemory();
    }

    /** The only one needs no mark, and to look for that takes some milliseconds of the start. */
    private static @Nullable DataSource choose(
            ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> marked, ListableBeanFactory beans) {
        boolean several = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class).length > 1;
        DataSource usual = several ? null : dataSources.getIfUnique();
        DataSource dataSource = usual == null ? marked.getIfAvailable() : usual;
        return dataSource == null ? dataSources.getIfUnique() : dataSource;
    }

    private static DataSource dataSource(Supplier<@Nullable DataSource> chosen, StoreSettings settings) {
        DataSource dataSource = chosen.get();
        if (dataSource == null) {
            throw noneToChoose(settings);
        }
        settings.endBefore(dataSource, DataSource.class);
        return dataSource;
    }

    private static @Nullable ConnectionSettings ownConnection(JdbcProperties properties) {
        String url = properties.getUrl();
        if (url != null && !url.isBlank()) {
            return new ConnectionSettings(
                    url,
                    JdbcProperties.set(properties.getUsername()),
                    JdbcProperties.set(properties.getPassword()),
                    JdbcProperties.set(properties.getDriverClassName()));
        }
        JdbcProperties.refuseWithoutEffect("snowflake.worker.jdbc", "username", properties.getUsername());
        JdbcProperties.refuseWithoutEffect("snowflake.worker.jdbc", "password", properties.getPassword());
        JdbcProperties.refuseWithoutEffect(
                "snowflake.worker.jdbc", "driver-class-name", properties.getDriverClassName());
        return null;
    }

    /** One of the two is there. */
    private static JdbcWorkerRegistry registry(
            @Nullable ConnectionSettings own,
            @Nullable DataSource dataSource,
            JdbcProperties properties,
            StoreSettings settings) {
        String table = properties.getTableName();
        Limits limits = Limits.within(settings.longestAnswer());
        try {
            return own == null
                    ? new JdbcWorkerRegistry(Objects.requireNonNull(dataSource), table, settings.namespace(), limits)
                    : new JdbcWorkerRegistry(own, table, settings.namespace(), limits);
        } catch (IllegalArgumentException invalid) {
            throw StoreException.invalid(invalid, """
                    snowflake.worker.jdbc.table-name: snowflake_worker
                    snowflake.worker.lease.namespace: default""");
        }
    }

    private static StoreException noneToChoose(StoreSettings settings) {
        return new StoreException(
                "Worker ids are leased in a database, but no DataSource bean is the only one, the primary one, or marked with"
                        + " @SnowflakeDataSource",
                """
                Mark the bean of the database that all processes share:

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }

                or let leases have a connection of their own:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop

                or do without a lease. %s""".formatted(settings.howToSetWorkerId()),
                null);
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/snowflakeid/jdbc/schema-*.sql");
            BindableRuntimeHintsRegistrar.forTypes(JdbcProperties.class).registerHints(hints);
        }
    }
}
