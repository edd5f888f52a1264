package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.OtherDatabases;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** Rejects a guessed worker ID if the application reaches its database by R2DBC only, or only MongoDB: leases need another store. */
final class R2dbcOnlyCheck {

    private R2dbcOnlyCheck() {}

    /**
     * Rejects a guess if other processes may use the same database, as they could guess the same worker ID. A database in the memory of this
     * process has no other users.
     *
     * @throws ConfigurationException if the application has a database without JDBC that other processes may use
     */
    static void rejectGuess(ListableBeanFactory beans, Environment environment, IdLayout layout) {
        String database = OtherDatabases.reachable(beans, environment);
        if (database != null) {
            boolean isR2dbc = OtherDatabases.isReachableByR2dbc(beans, environment);
            throw Problem.MISSING_STORE.exception(
                    "There is %s, but no %s to lease a worker ID %s, and a worker ID that is guessed from the host may be in use by another process."
                            .formatted(database, isR2dbc ? "DataSource" : "store", isR2dbc ? "with" : "from"),
                    (isR2dbc ? """
                    Give leases a dedicated connection. Add the JDBC driver of the database, and set its URL:

                    {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop
                    {snowflake}.worker.jdbc.username: ${spring.r2dbc.username:}
                    {snowflake}.worker.jdbc.password: ${spring.r2dbc.password:}
                    """ : """
                    Lease worker IDs in a store that all processes share, for example in Redis:

                    {snowflake}.worker.strategy: redis
                    """)
                            + "\nAlternatively, use fixed worker IDs in every process that writes to the same tables. "
                            + UnleasedWorker.setWorkerId(layout));
        }
    }
}
