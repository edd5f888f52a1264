package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.SegmentSettings;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.jdbc.JdbcProperties.InitializeSchema;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Counters in tables of one database or several. */
@ImportRuntimeHints(JdbcSegmentStores.Hints.class)
final class JdbcSegmentStores implements SegmentStoreFactory {

    private final ObjectProvider<DataSource> dataSources;
    private final ObjectProvider<DataSource> marked;
    private final ListableBeanFactory beans;

    JdbcSegmentStores(
            ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> marked, ListableBeanFactory beans) {
        this.dataSources = dataSources;
        this.marked = marked;
        this.beans = beans;
    }

    @Override
    public Class<?> properties() {
        return JdbcSegmentProperties.class;
    }

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public boolean isAvailable(SegmentSettings settings) {
        return !whole(settings.properties("jdbc", new JdbcSegmentProperties()).getUrls())
                        .isEmpty()
                || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length > 0;
    }

    @Override
    public List<SegmentStore> open(SegmentSettings settings) {
        JdbcSegmentProperties properties = settings.properties("jdbc", new JdbcSegmentProperties());
        JdbcSegmentProperties own = settings.own("jdbc", new JdbcSegmentProperties());
        // What a generator says itself comes before what is inherited.
        boolean areOwnUrls = !own.getUrls().isEmpty() && own.getDataSources().isEmpty();
        List<String> names = areOwnUrls ? List.of() : properties.getDataSources();
        boolean areOwnNames = !own.getDataSources().isEmpty() && own.getUrls().isEmpty();
        List<String> urls = areOwnNames ? List.of() : whole(properties.getUrls());
        if (!names.isEmpty() && !urls.isEmpty()) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    "Both '{snowflake}.segment.jdbc.data-sources' and '{snowflake}.segment.jdbc.urls' are set",
                    """
                    Remove '{snowflake}.segment.jdbc.urls' to use the beans.

                    Or remove '{snowflake}.segment.jdbc.data-sources' to use dedicated connections.""",
                    null);
        }
        refuseSame("data-sources", names);
        refuseSame("urls", urls);
        List<SegmentStore> stores = new ArrayList<>();
        try {
            for (String url : urls) {
                stores.add(creating(
                        new JdbcSegmentStore(connection(url, properties), properties.getTableName()), properties));
            }
            if (urls.isEmpty()) {
                JdbcProperties.refuseWithoutEffect("{snowflake}.segment.jdbc", "username", properties.getUsername());
                JdbcProperties.refuseWithoutEffect("{snowflake}.segment.jdbc", "password", properties.getPassword());
                for (DataSource dataSource : dataSources(names)) {
                    settings.endBefore(dataSource, DataSource.class);
                    stores.add(creating(new JdbcSegmentStore(dataSource, properties.getTableName()), properties));
                }
            }
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Invalid '{snowflake}.segment.jdbc': " + invalid.getMessage(), """
                    Set a valid name, for example:

                    {snowflake}.segment.jdbc.table-name: snowflake_counter""", invalid);
        }
        return stores;
    }

    /** A url with several hosts has commas, by which Spring Boot separates the elements of a list. */
    private static List<String> whole(List<String> parts) {
        List<String> urls = new ArrayList<>();
        for (String part : parts) {
            if (part.isBlank()) {
                continue;
            }
            if (part.startsWith("jdbc:") || urls.isEmpty()) {
                urls.add(part);
            } else {
                urls.set(urls.size() - 1, urls.get(urls.size() - 1) + "," + part);
            }
        }
        return urls;
    }

    private static JdbcSegmentStore creating(JdbcSegmentStore store, JdbcSegmentProperties properties) {
        if (properties.getInitializeSchema() == InitializeSchema.NEVER) {
            return store;
        }
        return properties.getInitializeSchema() == InitializeSchema.ALWAYS
                ? store.creatingItsTable()
                : store.creatingItsTableInMemory();
    }

    private static ConnectionSettings connection(String url, JdbcSegmentProperties properties) {
        return new ConnectionSettings(
                url, JdbcProperties.set(properties.getUsername()), JdbcProperties.set(properties.getPassword()));
    }

    private List<DataSource> dataSources(List<String> names) {
        if (names.isEmpty()) {
            DataSource only = marked.getIfAvailable();
            if (only == null) {
                only = dataSources.getIfUnique();
            }
            if (only == null) {
                throw noneToChoose();
            }
            return List.of(only);
        }
        List<String> known = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class));
        List<DataSource> found = new ArrayList<>();
        for (String name : names) {
            if (!known.contains(name)) {
                throw unknown(name, known);
            }
            found.add(beans.getBean(name, DataSource.class));
        }
        return found;
    }

    private static ConfigurationException unknown(String name, List<String> known) {
        return Problem.INVALID_PROPERTY.exception(
                "Property '{snowflake}.segment.jdbc.data-sources' names '%s', but there is no DataSource bean of that name%s"
                        .formatted(name, known.isEmpty() ? "" : "; there are: '" + String.join("', '", known) + "'"),
                known.isEmpty() ? """
                        Remove '{snowflake}.segment.jdbc.data-sources', and set where the database is:

                        {snowflake}.segment.jdbc.urls: jdbc:postgresql://localhost/shop""" : """
                        Name beans that are there, in the order that all processes have, for example:

                        {snowflake}.segment.jdbc.data-sources: %s""".formatted(String.join(", ", known)),
                null);
    }

    /** Two stores of one row would be one counter with two increments. */
    private static void refuseSame(String property, List<String> stores) {
        Set<String> distinct = new HashSet<>();
        for (String store : stores) {
            if (!distinct.add(store)) {
                throw Problem.INVALID_PROPERTY.exception(
                        "Property '{snowflake}.segment.jdbc.%s' has the same store twice".formatted(property),
                        "Name each store once in '{snowflake}.segment.jdbc.%s'.".formatted(property),
                        null);
            }
        }
    }

    private static ConfigurationException noneToChoose() {
        return Problem.AMBIGUOUS_STORE.exception(
                "A counter is kept in a database, but no DataSource bean is the only one, the primary one, or marked with"
                        + " @SnowflakeDataSource",
                """
                Mark the bean of the database that all processes share:

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }

                or give counters a dedicated connection:

                {snowflake}.segment.jdbc.urls: jdbc:postgresql://localhost/shop""",
                null);
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/snowflakeid/jdbc/counter-*.sql");
            BindableRuntimeHintsRegistrar.forTypes(JdbcSegmentProperties.class).registerHints(hints);
        }
    }
}
