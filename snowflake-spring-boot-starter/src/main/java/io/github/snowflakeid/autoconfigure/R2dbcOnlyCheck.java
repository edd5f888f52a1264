package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.OtherDatabases;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** Rejects a guessed worker ID if the application reaches its database by R2DBC only: leases need JDBC. */
final class R2dbcOnlyCheck {

    private R2dbcOnlyCheck() {}

    /**
     * Rejects a guess if other processes may use the same database, as they could guess the same worker ID. A database in the memory of this
     * process has no other users.
     *
     * @throws ConfigurationException if the application has a database by R2DBC that other processes may use
     */
    static void rejectGuess(ListableBeanFactory beans, Environment environment, IdLayout layout) {
        if (!OtherDatabases.isReachableByR2dbc(beans, environment)) {
            return;
        }
        throw Problem.MISSING_STORE.exception(
                "There is a database by R2DBC, but no DataSource to lease a worker ID with, and a worker ID that is guessed from the host may be in use by another process.",
                """
                Give leases a dedicated connection. Add the JDBC driver of the database, and set its URL:

                {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop
                {snowflake}.worker.jdbc.username: ${spring.r2dbc.username:}
                {snowflake}.worker.jdbc.password: ${spring.r2dbc.password:}

                %s""".formatted("Alternatively, use fixed worker IDs in every process that writes to the same tables. "
                        + UnleasedWorker.setWorkerId(layout)));
    }
}
