package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.segment.SegmentStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Opens the stores in databases: leases in one database, counters in one or several. A database is reached through a
 * {@link DataSource} bean or, if its URL is set, through dedicated connections.
 */
final class JdbcStores implements WorkerRegistryFactory, SegmentStoreFactory {

    /** How long a start waits for a table that a migration may create in the background. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ObjectProvider<DataSource> dataSources;
    private final ObjectProvider<DataSource> marked;
    private final ListableBeanFactory beans;

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    /** The names and, as far as they were opened, namespaces of this application's generators, and those reported. */
    private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

    JdbcStores(ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> marked, ListableBeanFactory beans) {
        this.dataSources = dataSources;
        this.marked = marked;
        this.beans = beans;
        GeneratorProperties.of(null, environment()).names().forEach(each -> namespaces.add(each.name()));
    }

    private Environment environment() {
        return beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class);
    }

    @Override
    public boolean canLease(StoreSettings settings) {
        return hasDatabase()
                || StringUtils.hasText(settings.properties(JdbcProperties.class).url());
    }

    @Override
    public boolean canCount(StoreSettings settings) {
        return hasDatabase()
                || !settings.properties(JdbcSegmentProperties.class).urls().isEmpty();
    }

    /** Returns whether there is a bean that leads to a database by JDBC. */
    private boolean hasDatabase() {
        return hasDataSource() || ServiceConnection.find(beans) != null;
    }

    private boolean hasDataSource() {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length > 0;
    }

    private record Access(StoreSettings settings, StoredKind kind, LoginProperties properties, Timeouts timeouts) {}

    @Override
    public JdbcWorkerRegistry registry(LeaseSettings settings) {
        namespaces.add(settings.namespace());
        JdbcProperties properties = settings.store().properties(JdbcProperties.class);
        Timeouts timeouts = Timeouts.within(settings.longestAnswer());
        Access access = new Access(settings.store(), StoredKind.LEASES, properties, timeouts);
        try {
            Database database =
                    StringUtils.hasText(properties.url()) ? dedicated(access, properties.url()) : usual(access);
            return new JdbcWorkerRegistry(
                    new StoredTable(database, properties.tableName(), properties.initializeSchema(), PATIENCE),
                    settings.namespace(),
                    other -> !namespaces.add(other));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, "{snowflake}.worker.jdbc.table-name", "snowflake_worker");
        }
    }

    @Override
    public List<SegmentStore> stores(StoreSettings settings) {
        JdbcSegmentProperties properties = settings.properties(JdbcSegmentProperties.class);
        JdbcSegmentProperties own = settings.ownProperties(JdbcSegmentProperties.class);
        // Properties that a generator sets itself take precedence over inherited properties.
        boolean hasOwn = !own.urls().isEmpty() || !own.dataSources().isEmpty();
        List<String> names = (hasOwn ? own : properties).dataSources();
        List<String> urls = (hasOwn ? own : properties).urls();
        if (!names.isEmpty() && !urls.isEmpty()) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "Only one of '{snowflake}.segment.jdbc.data-sources' and '{snowflake}.segment.jdbc.urls' may be set, but both are",
                    "Remove '{snowflake}.segment.jdbc.urls' to use the beans.");
        }
        String property = "{snowflake}.segment.jdbc." + (urls.isEmpty() ? "data-sources" : "urls");
        List<String> stores = urls.isEmpty() ? names : urls;
        // Otherwise the counter would be written for two stores before it turns out that they are one.
        if (new HashSet<>(stores).size() < stores.size()) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' names the same store twice".formatted(property),
                    "Name each store once in '%s'.".formatted(property));
        }
        Access access = new Access(settings, StoredKind.COUNTERS, properties, JdbcSegmentStore.TIMEOUTS);
        Stream<Database> databases = !urls.isEmpty()
                ? urls.stream().map(url -> dedicated(access, url))
                : names.isEmpty()
                        ? Stream.of(usual(access))
                        : dataSources(names).map(dataSource -> pooled(access, dataSource));
        try {
            return databases
                    .<SegmentStore>map(database -> new JdbcSegmentStore(
                            new StoredTable(database, properties.tableName(), properties.initializeSchema(), PATIENCE)))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, "{snowflake}.segment.jdbc.table-name", "snowflake_counter");
        }
    }

    /** Returns the database of the application: of its {@code DataSource}, otherwise of its connection details. */
    private Database usual(Access access) {
        ServiceConnection connection = hasDataSource() ? null : ServiceConnection.find(beans);
        if (connection == null) {
            return pooled(access, dataSource(access.kind()));
        }
        access.settings().endBefore(connection.details(), connection.type());
        ConnectionSettings settings = connection.settings();
        return database(access, new DedicatedDataSource(settings, null), settings.url());
    }

    private Database dedicated(Access access, String url) {
        LoginProperties login = access.properties();
        ConnectionSettings settings = new ConnectionSettings(url, text(login.username()), text(login.password()));
        DataSource dataSource = new DedicatedDataSource(settings, null);
        return database(access, dataSource, url);
    }

    /** Treats an empty text as missing: it may come from an environment variable that is always set. */
    private static @Nullable String text(@Nullable String value) {
        return StringUtils.hasLength(value) ? value : null;
    }

    private Database pooled(Access access, DataSource dataSource) {
        access.settings().endBefore(dataSource, DataSource.class);
        boolean hasUser = text(access.properties().username()) != null;
        if (hasUser || text(access.properties().password()) != null) {
            String property = access.kind().group() + (hasUser ? "username" : "password");
            String url = access.kind().url();
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '%s' has no effect: '%s' is not set".formatted(property, url),
                    "Set the URL of the database:\n\n%s: jdbc:postgresql://localhost/shop".formatted(url));
        }
        return database(access, dataSource, new PoolSettings(dataSource).url());
    }

    /**
     * Finds the other databases of the application now: the store is opened in another thread, in which no beans can be
     * created.
     */
    private Database database(Access access, DataSource dataSource, @Nullable String url) {
        boolean mayBeInProcess = url == null || Dialect.isInProcess(url);
        String reachable = mayBeInProcess && !access.properties().singleProcess()
                ? SingleProcessCheck.reachable(beans, dataSource)
                : null;
        // A URL that tells the opposite decides: drivers report it without its settings, such as AUTO_SERVER.
        Consumer<String> check =
                mayBeInProcess ? new SingleProcessCheck(access.kind(), reachable, reported) : found -> {};
        return new Database(
                access.kind(),
                dataSource,
                access.timeouts(),
                access.properties().platform(),
                check);
    }

    private DataSource dataSource(StoredKind kind) {
        DataSource dataSource = marked.getIfAvailable(dataSources::getIfUnique);
        if (dataSource == null) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "There is no unique DataSource bean for %s: no bean is the only one, primary, or marked with @SnowflakeDataSource"
                            .formatted(kind.users()),
                    DatabaseAdvice.of(Problem.AMBIGUOUS_STORE, null, false, kind));
        }
        return dataSource;
    }

    private Stream<DataSource> dataSources(List<String> names) {
        List<String> known = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class));
        for (String name : names) {
            if (!known.contains(name)) {
                throw Problem.INVALID_PROPERTY.exception(
                        "Property '{snowflake}.segment.jdbc.data-sources' names '%s', which is not a DataSource bean. The beans are '%s'"
                                .formatted(name, String.join("', '", known)),
                        "Name existing beans, in the same order in all processes.");
            }
        }
        return names.stream().map(name -> beans.getBean(name, DataSource.class));
    }
}
