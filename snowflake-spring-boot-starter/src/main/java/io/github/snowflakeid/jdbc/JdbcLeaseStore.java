package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.jdbc.JdbcProperties.InitializeSchema;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Leases in a table of a database. */
final class JdbcLeaseStore implements LeaseStore {

    private final ObjectProvider<DataSource> dataSources;
    private final ObjectProvider<DataSource> marked;
    private final ListableBeanFactory beans;

    JdbcLeaseStore(
            ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> marked, ListableBeanFactory beans) {
        this.dataSources = dataSources;
        this.marked = marked;
        this.beans = beans;
    }

    @Override
    public Class<?> properties() {
        return JdbcProperties.class;
    }

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public boolean isAvailable(StoreSettings settings) {
        String url = settings.properties("jdbc", new JdbcProperties()).getUrl();
        return (url != null && !url.isBlank())
                || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length > 0;
    }

    @Override
    public JdbcWorkerRegistry open(StoreSettings settings) {
        JdbcProperties properties = settings.properties("jdbc", new JdbcProperties());
        ConnectionSettings own = ownConnection(properties);
        DataSource dataSource = own == null ? dataSource(settings) : null;
        JdbcWorkerRegistry registry = registry(own, dataSource, properties, settings);
        if (properties.getInitializeSchema() == InitializeSchema.NEVER) {
            return registry;
        }
        return properties.getInitializeSchema() == InitializeSchema.ALWAYS
                ? registry.creatingItsTable()
                : registry.creatingItsTableInMemory();
    }

    private DataSource dataSource(StoreSettings settings) {
        DataSource dataSource = marked.getIfAvailable();
        if (dataSource == null) {
            dataSource = dataSources.getIfUnique();
        }
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
                    url, JdbcProperties.set(properties.getUsername()), JdbcProperties.set(properties.getPassword()));
        }
        JdbcProperties.refuseWithoutEffect("{snowflake}.worker.jdbc", "username", properties.getUsername());
        JdbcProperties.refuseWithoutEffect("{snowflake}.worker.jdbc", "password", properties.getPassword());
        return null;
    }

    /** One of the two is there. */
    private static JdbcWorkerRegistry registry(
            @Nullable ConnectionSettings own,
            @Nullable DataSource dataSource,
            JdbcProperties properties,
            StoreSettings settings) {
        String table = properties.getTableName();
        Timeouts timeouts = Timeouts.within(settings.longestAnswer());
        try {
            return own == null
                    ? new JdbcWorkerRegistry(Objects.requireNonNull(dataSource), table, settings.namespace(), timeouts)
                    : new JdbcWorkerRegistry(own, table, settings.namespace(), timeouts);
        } catch (IllegalArgumentException invalid) {
            throw Problem.invalid(invalid, """
                    {snowflake}.worker.jdbc.table-name: snowflake_worker
                    {snowflake}.worker.lease.namespace: default""");
        }
    }

    private static ConfigurationException noneToChoose(StoreSettings settings) {
        return Problem.AMBIGUOUS_STORE.exception(
                "Worker ids are leased in a database, but no DataSource bean is the only one, the primary one, or marked with"
                        + " @SnowflakeDataSource",
                """
                Mark the bean of the database that all processes share:

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }

                or give leases a dedicated connection:

                {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop

                or do without a lease. %s""".formatted(settings.howToSetWorkerId()),
                null);
    }
}
