package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Those of the application's data source, each given back at once. */
final class PooledConnections implements Connections {

    private static final String TRANSACTION_AWARE =
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";
    private static final String ROUTING = "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";

    private final DataSource dataSource;

    PooledConnections(DataSource dataSource) {
        this.dataSource = outsideOfTransactions(dataSource);
    }

    private static DataSource outsideOfTransactions(DataSource dataSource) {
        // By name: where there is none of Spring's data sources, there may be no class of them.
        return is(dataSource, TRANSACTION_AWARE) ? OfSpring.target(dataSource) : dataSource;
    }

    private static boolean is(DataSource dataSource, String name) {
        for (Class<?> type = dataSource.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it finds out by the thread which database to use. */
    boolean areRouted() {
        return is(dataSource, ROUTING);
    }

    @Override
    public Connection take() throws SQLException {
        return dataSource.getConnection();
    }

    @Override
    @SuppressWarnings("EmptyCatch")
    public void giveBack(Connection connection, boolean sound) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException broken) {
            // The pool will notice.
        }
    }

    @Override
    public void rest() {}

    @Override
    public void close() {}

    private static final class OfSpring {

        static DataSource target(DataSource proxy) {
            DataSource target = ((TransactionAwareDataSourceProxy) proxy).getTargetDataSource();
            return target == null ? proxy : outsideOfTransactions(target);
        }
    }
}
