package io.github.snowflakeid.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** A database that an application has by R2DBC alone: leases need JDBC. */
final class ReactiveDatabase {

    private static final String URL = "spring.r2dbc.url";

    /** A url as drivers have it in common, without user name, password and options. */
    private static final Pattern SERVER =
            Pattern.compile("r2dbc:(?:pool:)?(postgresql|mariadb|mysql)://(?:[^@/]*@)?([^?]*).*");

    private ReactiveDatabase() {}

    /**
     * Other processes may use the database as well, so a worker id is not guessed beside it. One in the memory of this process has no
     * other user.
     *
     * @throws StartupFailure if there is such a database
     */
    static void refuseGuess(Environment environment) {
        String url = environment.getProperty(URL, "");
        if (url.isBlank()
                || url.contains(":mem:")
                || !ClassUtils.isPresent("io.r2dbc.spi.ConnectionFactory", ReactiveDatabase.class.getClassLoader())) {
            return;
        }
        throw new StartupFailure(
                "There is a database by R2DBC, but no DataSource to lease a worker id with, and one that is guessed from the host may be that of another process.",
                """
                Let leases have a connection of their own. Add the JDBC driver of the database, and set where it is:

                snowflake.worker.jdbc.url: %s%s%s

                If ids need not be unique among processes, let the worker id be guessed:

                snowflake.worker.strategy: host""".formatted(jdbc(url), sameAs("username", environment), sameAs("password", environment)));
    }

    private static String jdbc(String url) {
        Matcher server = SERVER.matcher(url);
        return server.matches()
                ? "jdbc:%s://%s".formatted(server.group(1), server.group(2))
                : "jdbc:postgresql://localhost/shop";
    }

    private static String sameAs(String property, Environment environment) {
        return environment.containsProperty("spring.r2dbc." + property)
                ? "\nsnowflake.worker.jdbc.%s: ${spring.r2dbc.%1$s}".formatted(property)
                : "";
    }
}
