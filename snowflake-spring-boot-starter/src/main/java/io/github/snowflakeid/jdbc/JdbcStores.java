package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.StringUtils;

/**
 * Leases in a table of a database, and counters in tables of one database or several: in those of {@link DataSource} beans, or in those
 * that have a URL, through dedicated connections.
 *
 * @param marked the {@code DataSource} beans with {@link io.github.snowflakeid.autoconfigure.SnowflakeDataSource}
 */
record JdbcStores(ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> marked, ListableBeanFactory beans)
        implements LeaseStore, SegmentStoreFactory {

    @Override
    public Class<?> segmentProperties() {
        return JdbcSegmentProperties.class;
    }

    @Override
    public Class<?> leaseProperties() {
        return JdbcProperties.class;
    }

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public boolean canLease(LeaseSettings settings) {
        return hasDataSource()
                || StringUtils.hasText(
                        settings.store().properties(JdbcProperties.class).url());
    }

    @Override
    public boolean canCount(StoreSettings settings) {
        return hasDataSource()
                || !settings.properties(JdbcSegmentProperties.class).urls().isEmpty();
    }

    private boolean hasDataSource() {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length > 0;
    }

    @Override
    public JdbcWorkerRegistry registry(LeaseSettings settings) {
        JdbcProperties properties = settings.store().properties(JdbcProperties.class);
        Timeouts timeouts = Timeouts.within(settings.longestAnswer());
        try {
            Database database;
            if (StringUtils.hasText(properties.url())) {
                database = dedicated(
                        StoredKind.LEASES, properties.url(), properties.username(), properties.password(), timeouts);
            } else {
                refuseWithoutEffect(StoredKind.LEASES, properties.username(), properties.password());
                database = new Database(
                        StoredKind.LEASES,
                        dataSource(
                                StoredKind.LEASES,
                                settings.store(),
                                "\n\nor do without a lease. " + settings.howToSetWorkerId()),
                        timeouts);
            }
            return new JdbcWorkerRegistry(database, properties.tableName(), settings.namespace())
                    .initializeSchema(properties.initializeSchema());
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, """
                    {snowflake}.worker.jdbc.table-name: snowflake_worker
                    {snowflake}.worker.lease.namespace: default""");
        }
    }

    @Override
    public List<SegmentStore> stores(StoreSettings settings) {
        JdbcSegmentProperties properties = settings.properties(JdbcSegmentProperties.class);
        JdbcSegmentProperties own = settings.ownProperties(JdbcSegmentProperties.class);
        // What a generator sets itself takes precedence over what it inherits.
        boolean hasOwnUrls = !own.urls().isEmpty() && own.dataSources().isEmpty();
        boolean hasOwnNames = !own.dataSources().isEmpty() && own.urls().isEmpty();
        List<String> names = hasOwnUrls ? List.of() : properties.dataSources();
        List<String> urls = hasOwnNames ? List.of() : properties.urls();
        if (!names.isEmpty() && !urls.isEmpty()) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "Both '{snowflake}.segment.jdbc.data-sources' and '{snowflake}.segment.jdbc.urls' are set", """
                    Remove '{snowflake}.segment.jdbc.urls' to use the beans.

                    Or remove '{snowflake}.segment.jdbc.data-sources' to use dedicated connections.""");
        }
        rejectSame("data-sources", names);
        rejectSame("urls", urls);
        Timeouts timeouts = JdbcSegmentStore.TIMEOUTS;
        List<Database> databases = new ArrayList<>();
        for (String url : urls) {
            databases.add(dedicated(StoredKind.COUNTERS, url, properties.username(), properties.password(), timeouts));
        }
        if (urls.isEmpty()) {
            refuseWithoutEffect(StoredKind.COUNTERS, properties.username(), properties.password());
            for (DataSource dataSource : names.isEmpty()
                    ? List.of(dataSource(StoredKind.COUNTERS, settings, ""))
                    : dataSources(names, settings)) {
                databases.add(new Database(StoredKind.COUNTERS, dataSource, timeouts));
            }
        }
        try {
            return databases.stream()
                    .<SegmentStore>map(database -> new JdbcSegmentStore(database, properties.tableName())
                            .initializeSchema(properties.initializeSchema()))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw Problem.INVALID_PROPERTY.exception("Invalid '{snowflake}.segment.jdbc': " + e.getMessage(), """
                    Set a valid name, for example:

                    {snowflake}.segment.jdbc.table-name: snowflake_counter""", e);
        }
    }

    /** An empty user name or password, for example of an environment variable that is always set, counts as none. */
    private static Database dedicated(
            StoredKind kind, String url, @Nullable String username, @Nullable String password, Timeouts timeouts) {
        ConnectionSettings settings = new ConnectionSettings(
                url,
                StringUtils.hasLength(username) ? username : null,
                StringUtils.hasLength(password) ? password : null);
        return Database.dedicated(kind, settings, timeouts);
    }

    private DataSource dataSource(StoredKind kind, StoreSettings settings, String alternative) {
        DataSource dataSource = marked.getIfAvailable(dataSources::getIfUnique);
        if (dataSource == null) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "No DataSource bean for %s is the only one, the primary one, or marked with @SnowflakeDataSource"
                            .formatted(kind.users()),
                    """
                    Mark the bean of the database that all processes share:

                    @Bean
                    @SnowflakeDataSource
                    DataSource dataSource() { ... }

                    or give %s a dedicated connection:

                    %s: jdbc:postgresql://localhost/shop%s""".formatted(kind.users(), kind.url(), alternative));
        }
        settings.endBefore(dataSource, DataSource.class);
        return dataSource;
    }

    private List<DataSource> dataSources(List<String> names, StoreSettings settings) {
        List<String> known = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class));
        List<DataSource> found = new ArrayList<>();
        for (String name : names) {
            if (!known.contains(name)) {
                throw Problem.INVALID_PROPERTY.exception(
                        "Property '{snowflake}.segment.jdbc.data-sources' names '%s', but the DataSource beans are '%s'"
                                .formatted(name, String.join("', '", known)),
                        known.isEmpty() ? """
                        Remove '{snowflake}.segment.jdbc.data-sources', and set where the database is:

                        {snowflake}.segment.jdbc.urls: jdbc:postgresql://localhost/shop""" : """
                        Name existing beans, in the same order in all processes, for example:

                        {snowflake}.segment.jdbc.data-sources: %s""".formatted(String.join(", ", known)));
            }
            DataSource dataSource = beans.getBean(name, DataSource.class);
            settings.endBefore(dataSource, DataSource.class);
            found.add(dataSource);
        }
        return found;
    }

    /** The counter would be written with the increment of two stores before the second one is found to be the first. */
    private static void rejectSame(String property, List<String> stores) {
        if (new HashSet<>(stores).size() < stores.size()) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '{snowflake}.segment.jdbc.%s' has the same store twice".formatted(property),
                    "Name each store once in '{snowflake}.segment.jdbc.%s'.".formatted(property));
        }
    }

    private static void refuseWithoutEffect(StoredKind kind, @Nullable String username, @Nullable String password) {
        if (StringUtils.hasLength(username) || StringUtils.hasLength(password)) {
            String property = kind.group() + (StringUtils.hasLength(username) ? "username" : "password");
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '%s' is set, but without effect: '%s' is not set".formatted(property, kind.url()),
                    """
                    Remove '%s', or set where the database is:

                    %s: jdbc:postgresql://localhost/shop""".formatted(property, kind.url()));
        }
    }
}
