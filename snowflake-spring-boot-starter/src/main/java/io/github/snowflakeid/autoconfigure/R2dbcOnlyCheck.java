package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.r2dbc.spi.ConnectionFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** A database that an application has by R2DBC alone: leases need JDBC. */
final class R2dbcOnlyCheck {

    private R2dbcOnlyCheck() {}

    /**
     * Other processes may use the database as well, so a worker id is not guessed beside it. One in the memory of this process has no
     * other user.
     *
     * @throws ConfigurationException if there is such a database
     */
    static void refuseGuess(ListableBeanFactory beans, Environment environment, IdLayout layout) {
        String url = environment.getProperty("spring.r2dbc.url", "");
        if (!ClassUtils.isPresent("io.r2dbc.spi.ConnectionFactory", R2dbcOnlyCheck.class.getClassLoader())
                || url.contains(":mem:")
                || (url.isBlank() && !Factories.areOfServers(beans))) {
            return;
        }
        throw Problem.MISSING_STORE.exception(
                "There is a database by R2DBC, but no DataSource to lease a worker id with, and one that is guessed from the host may be that of another process.",
                """
                Give leases a dedicated connection. Add the JDBC driver of the database, and set where it is:

                {snowflake}.worker.jdbc.url: jdbc:postgresql://localhost/shop
                {snowflake}.worker.jdbc.username: ${spring.r2dbc.username:}
                {snowflake}.worker.jdbc.password: ${spring.r2dbc.password:}

                %s""".formatted(ConfiguredWorker.doWithoutLeases(layout)));
    }

    /** Loaded only where R2DBC is there. */
    private static final class Factories {

        /** Without a url, a database of H2 is the one that Spring Boot embeds. */
        static boolean areOfServers(ListableBeanFactory beans) {
            for (ConnectionFactory factory :
                    beans.getBeansOfType(ConnectionFactory.class).values()) {
                if (!factory.getMetadata().getName().equals("H2")) {
                    return true;
                }
            }
            return false;
        }
    }
}
