package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.r2dbc.spi.ConnectionFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** A database that an application has by R2DBC alone: leases need JDBC. */
final class R2dbcOnlyCheck {

    private static final String URL = "spring.r2dbc.url";

    /** A url as drivers have it in common, without user name, password and options. */
    private static final Pattern SERVER =
            Pattern.compile("r2dbc:(?:pool:)?(postgresql|mariadb|mysql)://(?:[^@/]*@)?([^?]*).*");

    private R2dbcOnlyCheck() {}

    /**
     * Other processes may use the database as well, so a worker id is not guessed beside it. One in the memory of this process has no
     * other user.
     *
     * @throws ConfigurationException if there is such a database
     */
    static void refuseGuess(ListableBeanFactory beans, Environment environment, IdLayout layout) {
        String url = environment.getProperty(URL, "");
        if (!ClassUtils.isPresent("io.r2dbc.spi.ConnectionFactory", R2dbcOnlyCheck.class.getClassLoader())
                || url.contains(":mem:")
                || (url.isBlank() && !Factories.areOfServers(beans))) {
            return;
        }
        throw Problem.MISSING_STORE.exception(
                "There is a database by R2DBC, but no DataSource to lease a worker id with, and one that is guessed from the host may be that of another process.",
                """
                Let leases have a connection of their own. Add the JDBC driver of the database, and set where it is:

                {snowflake}.worker.jdbc.url: %s%s%s

                %s""".formatted(
                                jdbc(url),
                                sameAs("username", environment),
                                sameAs("password", environment),
                                ConfiguredWorker.doWithoutLeases(layout)));
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

    private static String jdbc(String url) {
        Matcher server = SERVER.matcher(url);
        return server.matches()
                ? "jdbc:%s://%s".formatted(server.group(1), server.group(2))
                : "jdbc:postgresql://localhost/shop";
    }

    private static String sameAs(String property, Environment environment) {
        return environment.containsProperty("spring.r2dbc." + property)
                ? "\n{snowflake}.worker.jdbc.%s: ${spring.r2dbc.%1$s}".formatted(property)
                : "";
    }
}
