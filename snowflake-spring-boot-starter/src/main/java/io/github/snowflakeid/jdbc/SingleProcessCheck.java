package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Rejects a store that is inside this process if the application has a database that other processes reach: each of
 * them would have a separate store, and they would issue the same IDs. Otherwise the log says that there is one
 * process.
 *
 * @param otherDataSources the other {@code DataSource}s of the application; empty if the configuration says that there
 *     is one process
 * @param otherDatabase a database of the application without a {@code DataSource}, or null
 * @param reported the URLs that the log has named
 */
record SingleProcessCheck(
        StoredKind kind,
        List<DataSource> otherDataSources,
        @Nullable String otherDatabase,
        Set<String> reported) implements Consumer<String> {

    /** Checks the URL that a connection of the store reports. */
    @Override
    public void accept(String url) {
        if (!Dialect.isInProcess(url)) {
            return;
        }
        String address = Secrets.address(url);
        String reachable = otherDatabase != null ? otherDatabase : reachable(otherDataSources);
        if (reachable != null) {
            throw kind.unusable()
                    .apply(Problem.STORE_OF_ONE_PROCESS.exception(
                            "The store of %s, %s, is inside this process, but other processes reach %s. Each process would have a separate store, and they would issue the same IDs"
                                    .formatted(kind.users(), address, reachable),
                            DatabaseAdvice.of(Problem.STORE_OF_ONE_PROCESS, null, false, kind)));
        }
        if (reported.add(kind.users() + url)) {
            LogFactory.getLog(SnowflakeIdGenerator.class)
                    .info("The store of %s, %s, is inside this process: no other process may write to the same tables"
                            .formatted(kind.users(), address));
        }
    }

    private static @Nullable String reachable(Collection<DataSource> dataSources) {
        for (DataSource dataSource : dataSources) {
            String reachable = dataSource instanceof AbstractRoutingDataSource routing
                    ? reachable(routing.getResolvedDataSources().values())
                    : reachable(dataSource);
            if (reachable != null) {
                return reachable;
            }
        }
        return null;
    }

    private static @Nullable String reachable(DataSource dataSource) {
        String url = new PoolSettings(dataSource).url();
        if (url == null) {
            try (Connection connection = dataSource.getConnection()) {
                url = connection == null ? null : connection.getMetaData().getURL();
            } catch (SQLException e) {
                return "a database that does not answer now";
            } catch (RuntimeException e) {
                // A DataSource that needs a tenant or a request to connect.
            }
        }
        // The file of ShardingSphere names the databases, which must not be opened before the generators exist.
        return url == null || url.startsWith("jdbc:shardingsphere:") || Dialect.isInProcess(url)
                ? null
                : Secrets.address(url);
    }
}
