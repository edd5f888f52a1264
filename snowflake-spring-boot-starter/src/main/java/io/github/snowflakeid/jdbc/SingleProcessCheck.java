package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.OtherDatabases;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Rejects a store that is inside this process if the application has a database that other processes reach: each of
 * them would have a separate store, and they would issue the same IDs. Otherwise the log says that there is one
 * process.
 *
 * @param reachable the database of the application that other processes reach; null if there is none, or if the
 *     configuration says that there is one process
 * @param reported the URLs that the log has named
 */
record SingleProcessCheck(StoredKind kind, @Nullable String reachable, Set<String> reported)
        implements Consumer<String> {

    /** Checks the URL that a connection of the store reports. */
    @Override
    public void accept(String url) {
        if (!Dialect.isInProcess(url)) {
            return;
        }
        String address = Secrets.address(url);
        if (reachable != null) {
            throw kind.unusable(
                    Problem.STORE_OF_ONE_PROCESS,
                    "The store of %s, %s, is inside this process, but other processes reach %s. Each process would have a separate store, and they would issue the same IDs"
                            .formatted(kind.users(), address, reachable),
                    DatabaseAdvice.of(Problem.STORE_OF_ONE_PROCESS, null, false, kind));
        }
        if (reported.add(kind.users() + url)) {
            LogFactory.getLog(SnowflakeIdGenerator.class)
                    .info("The store of %s, %s, is inside this process: no other process may write to the same tables"
                            .formatted(kind.users(), address));
        }
    }

    /** Returns a database of the application that other processes reach; null if none is known. */
    static @Nullable String reachable(ListableBeanFactory beans, DataSource store) {
        String other = OtherDatabases.reachable(
                beans, beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class));
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, false, false))
                // A factory may create nothing, unless a bean asks for its object.
                .filter(name -> !beans.containsBean("&" + name))
                .flatMap(name -> created(beans, name))
                .filter(dataSource -> !dataSource.equals(store))
                .flatMap(SingleProcessCheck::targets)
                .flatMap(dataSource -> Stream.ofNullable(new PoolSettings(dataSource).url()))
                // The databases of ShardingSphere are in a file.
                .filter(url -> !url.startsWith("jdbc:shardingsphere:") && !Dialect.isInProcess(url))
                .map(Secrets::address)
                .findFirst()
                .orElse(other);
    }

    private static Stream<DataSource> created(ListableBeanFactory beans, String name) {
        try {
            return Stream.of(beans.getBean(name, DataSource.class));
        } catch (BeansException e) {
            // It is being created now.
            return Stream.empty();
        }
    }

    private static Stream<DataSource> targets(DataSource dataSource) {
        return dataSource instanceof AbstractRoutingDataSource routing
                ? routing.getResolvedDataSources().values().stream()
                : Stream.of(dataSource);
    }
}
