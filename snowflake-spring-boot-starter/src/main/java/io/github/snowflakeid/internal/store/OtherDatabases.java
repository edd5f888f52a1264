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

    private static final String[] MONGO_CLIENTS = {
        "com.mongodb.client.MongoClient", "com.mongodb.reactivestreams.client.MongoClient"
    };

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
        for (String client : MONGO_CLIENTS) {
            if (isPresent(client)
                    && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                            beans, ClassUtils.resolveClassName(client, loader()), true, false)
                                    .length
                            > 0) {
                return "MongoDB";
            }
        }
        return isReachableByR2dbc(beans, environment) ? "a database by R2DBC" : null;
    }

    private static boolean isReachableByR2dbc(ListableBeanFactory beans, Environment environment) {
        String url = environment.getProperty("spring.r2dbc.url", "");
        return isPresent("io.r2dbc.spi.ConnectionFactory")
                && !IN_PROCESS.matcher(url).find()
                && (url.isBlank() ? Factories.areOfServers(beans) : Factories.exist(beans));
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, loader());
    }

    private static @Nullable ClassLoader loader() {
        return OtherDatabases.class.getClassLoader();
    }

    /** Loaded only if R2DBC is on the class path. */
    private static final class Factories {

        static boolean exist(ListableBeanFactory beans) {
            return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, ConnectionFactory.class, true, false)
                            .length
                    > 0;
        }

        /**
         * Returns whether a database is not embedded. Without a URL, an H2 database is the one that Spring Boot embeds.
         */
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
