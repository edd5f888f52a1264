package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.OtherDatabases;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Opens the stores in databases: leases in one database, counters in one or several. A database is reached through a
 * {@link DataSource} bean or, if its URL is set, through dedicated connections.
 */
final class JdbcStores implements LeaseStore, SegmentStoreFactory {

    private final ObjectProvider<DataSource> dataSources;
    private final ObjectProvider<DataSource> marked;
    private final ListableBeanFactory beans;

    /** The connections of all generators, by the {@code DataSource} that they are derived from. */
    private final Map<DataSource, SharedConnection> connections = Collections.synchronizedMap(new IdentityHashMap<>());

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    JdbcStores(ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> marked, ListableBeanFactory beans) {
        this.dataSources = dataSources;
        this.marked = marked;
        this.beans = beans;
    }

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public boolean canLease(StoreSettings settings) {
        return hasDataSource()
                || StringUtils.hasText(settings.properties(JdbcProperties.class).url());
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
                        StoredKind.LEASES,
                        properties.url(),
                        properties.username(),
                        properties.password(),
                        timeouts,
                        properties.singleProcess());
            } else {
                rejectWithoutEffect(StoredKind.LEASES, properties.username(), properties.password());
                DataSource dataSource = dataSource(StoredKind.LEASES, settings.store());
                database = pooled(StoredKind.LEASES, dataSource, timeouts, properties.singleProcess());
            }
            return new JdbcWorkerRegistry(database, properties.tableName(), settings.namespace())
                    .initializeSchema(properties.initializeSchema());
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, "{snowflake}.worker.jdbc.table-name", "snowflake_worker");
        }
    }

    @Override
    public List<SegmentStore> stores(StoreSettings settings) {
        JdbcSegmentProperties properties = settings.properties(JdbcSegmentProperties.class);
        JdbcSegmentProperties own = settings.ownProperties(JdbcSegmentProperties.class);
        // Properties that a generator sets itself take precedence over inherited properties.
        boolean hasOwnUrls = !own.urls().isEmpty() && own.dataSources().isEmpty();
        boolean hasOwnNames = !own.dataSources().isEmpty() && own.urls().isEmpty();
        List<String> names = hasOwnUrls ? List.of() : properties.dataSources();
        List<String> urls = hasOwnNames ? List.of() : properties.urls();
        if (!names.isEmpty() && !urls.isEmpty()) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "Only one of '{snowflake}.segment.jdbc.data-sources' and '{snowflake}.segment.jdbc.urls' may be set, but both are",
                    """
                    Remove '{snowflake}.segment.jdbc.urls' to use the beans.

                    Or remove '{snowflake}.segment.jdbc.data-sources' to use dedicated connections.""");
        }
        rejectSame("data-sources", names);
        rejectSame("urls", urls);
        Timeouts timeouts = JdbcSegmentStore.TIMEOUTS;
        List<Database> databases = new ArrayList<>();
        for (String url : urls) {
            databases.add(dedicated(
                    StoredKind.COUNTERS,
                    url,
                    properties.username(),
                    properties.password(),
                    timeouts,
                    properties.singleProcess()));
        }
        if (urls.isEmpty()) {
            rejectWithoutEffect(StoredKind.COUNTERS, properties.username(), properties.password());
            for (DataSource dataSource : names.isEmpty()
                    ? List.of(dataSource(StoredKind.COUNTERS, settings))
                    : dataSources(names, settings)) {
                databases.add(pooled(StoredKind.COUNTERS, dataSource, timeouts, properties.singleProcess()));
            }
        }
        try {
            return databases.stream()
                    .<SegmentStore>map(database -> new JdbcSegmentStore(database, properties.tableName())
                            .initializeSchema(properties.initializeSchema()))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, "{snowflake}.segment.jdbc.table-name", "snowflake_counter");
        }
    }

    /**
     * Treats an empty user name or password as missing: it may come from an environment variable that is always set.
     */
    private Database dedicated(
            StoredKind kind,
            String url,
            @Nullable String username,
            @Nullable String password,
            Timeouts timeouts,
            boolean isSingleProcess) {
        ConnectionSettings settings = new ConnectionSettings(
                url,
                StringUtils.hasLength(username) ? username : null,
                StringUtils.hasLength(password) ? password : null);
        DataSource own = new DedicatedDataSource(settings, timeouts);
        return new Database(kind, new SharedConnection(own), timeouts, check(kind, own, url, isSingleProcess));
    }

    private Database pooled(StoredKind kind, DataSource dataSource, Timeouts timeouts, boolean isSingleProcess) {
        return new Database(
                kind,
                connections.computeIfAbsent(dataSource, SharedConnection::new),
                timeouts,
                check(kind, dataSource, new PoolSettings(dataSource).url(), isSingleProcess));
    }

    /**
     * Finds the other databases of the application now: the check runs in another thread, in which no beans can be
     * created.
     */
    @SuppressWarnings("ReferenceEquality") // An equal bean could reach another database.
    private SingleProcessCheck check(StoredKind kind, DataSource used, @Nullable String url, boolean isSingleProcess) {
        boolean mayBeInProcess = url == null || Dialect.isInProcess(url);
        List<DataSource> others = new ArrayList<>();
        String other = null;
        if (mayBeInProcess && !isSingleProcess) {
            for (String name :
                    BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, false, false)) {
                // A factory may create nothing, unless a bean asks for its object.
                DataSource created = beans.containsBean("&" + name) ? used : created(name, used);
                if (created != used) {
                    others.add(created);
                }
            }
            other = OtherDatabases.reachable(beans, beans.getBean(Environment.class));
        }
        return new SingleProcessCheck(kind, mayBeInProcess, others, other, reported);
    }

    /** Returns a bean; {@code otherwise} if it cannot be created now, for example because it is being created. */
    private DataSource created(String name, DataSource otherwise) {
        try {
            return beans.getBean(name, DataSource.class);
        } catch (BeansException e) {
            return otherwise;
        }
    }

    private DataSource dataSource(StoredKind kind, StoreSettings settings) {
        DataSource dataSource = marked.getIfAvailable(dataSources::getIfUnique);
        if (dataSource == null) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "There is no unique DataSource bean for %s: no bean is the only one, primary, or marked with @SnowflakeDataSource"
                            .formatted(kind.users()),
                    """
                    Mark the bean of the database that all processes share:

                    @Bean
                    @SnowflakeDataSource
                    DataSource dataSource() { ... }

                    or give %s a dedicated connection:

                    %s: jdbc:postgresql://localhost/shop""".formatted(kind.users(), kind.url()));
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
                        "Property '{snowflake}.segment.jdbc.data-sources' names '%s', which is not a DataSource bean. The beans are '%s'"
                                .formatted(name, String.join("', '", known)),
                        known.isEmpty() ? """
                        Remove '{snowflake}.segment.jdbc.data-sources', and set the URL of the database:

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

    /**
     * Rejects a store that is named twice. Otherwise the counter would be written for two stores before it turns out
     * that they are one.
     */
    private static void rejectSame(String property, List<String> stores) {
        if (new HashSet<>(stores).size() < stores.size()) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '{snowflake}.segment.jdbc.%s' names the same store twice".formatted(property),
                    "Name each store once in '{snowflake}.segment.jdbc.%s'.".formatted(property));
        }
    }

    private static void rejectWithoutEffect(StoredKind kind, @Nullable String username, @Nullable String password) {
        if (StringUtils.hasLength(username) || StringUtils.hasLength(password)) {
            String property = kind.group() + (StringUtils.hasLength(username) ? "username" : "password");
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '%s' has no effect: '%s' is not set".formatted(property, kind.url()),
                    """
                    Remove '%s', or set the URL of the database:

                    %s: jdbc:postgresql://localhost/shop""".formatted(property, kind.url()));
        }
    }
}
