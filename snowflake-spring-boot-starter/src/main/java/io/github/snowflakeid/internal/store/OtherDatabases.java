package io.github.snowflakeid.internal.store;

import io.r2dbc.spi.ConnectionFactory;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Finds databases of the application that it does not reach by JDBC, and that other processes may reach as well. */
public final class OtherDatabases {

    private static final Pattern IN_PROCESS = Pattern.compile(":h2:(mem|file):");

    private OtherDatabases() {}

    /**
     * Finds a database that other processes may reach.
     *
     * @param beans the beans of the application
     * @param environment the properties of the application
     * @return a name of the database for messages; null if there is none
     */
    public static @Nullable String reachable(ListableBeanFactory beans, Environment environment) {
        if (hasBean(beans, "com.mongodb.client.MongoClient")
                || hasBean(beans, "com.mongodb.reactivestreams.client.MongoClient")) {
            return "MongoDB";
        }
        String url = environment.getProperty("spring.r2dbc.url", "");
        return !IN_PROCESS.matcher(url).find()
                        && hasBean(beans, "io.r2dbc.spi.ConnectionFactory")
                        && (!url.isBlank() || Factories.areOfServers(beans))
                ? "a database by R2DBC"
                : null;
    }

    private static boolean hasBean(ListableBeanFactory beans, String type) {
        ClassLoader loader = OtherDatabases.class.getClassLoader();
        return ClassUtils.isPresent(type, loader)
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                        beans, ClassUtils.resolveClassName(type, loader), true, false)
                                .length
                        > 0;
    }

    /** Loaded only if R2DBC is on the class path. */
    private static final class Factories {

        /**
         * Returns whether a database is not embedded. Without a URL, an H2 database is the one that Spring Boot embeds.
         */
        static boolean areOfServers(ListableBeanFactory beans) {
            return beans.getBeansOfType(ConnectionFactory.class).values().stream()
                    .anyMatch(factory -> !factory.getMetadata().getName().equals("H2"));
        }
    }
}
