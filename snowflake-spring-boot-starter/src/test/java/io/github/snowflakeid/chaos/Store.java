package io.github.snowflakeid.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.redis.RedisWorkerRegistry;
import io.github.snowflakeid.redis.Server;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Where leases are kept while everything goes wrong. A process finds one by its address. */
enum Store {
    H2(Databases.H2, false),
    HSQLDB(Databases.HSQLDB, false),
    POSTGRESQL(Databases.POSTGRESQL, true),
    MARIADB(Databases.MARIADB, true),

    REDIS(false) {
        @Override
        Server newServer() {
            return Server.started("--appendonly", "yes", "--appendfsync", "always");
        }
    },

    /** Keeps nothing when it is killed, and is emptied now and then. */
    FORGETFUL_REDIS(true) {
        @Override
        Server newServer() {
            return Server.started();
        }

        @Override
        void forget() {
            LettuceConnectionFactory connections = server.connections();
            try (RedisConnection connection = connections.getConnection()) {
                connection.serverCommands().flushAll();
            } finally {
                connections.destroy();
            }
        }
    };

    private static final String NAMESPACE = "default";
    private static final String TABLE = "snowflake_worker";

    /** As long as a renewal may take where the ttl is a second. */
    private static final Duration LONGEST_ANSWER = Duration.ofMillis(250);

    /** A ttl, clocks that are off by 5 s, and a second each for drift and rounding. */
    private static final Duration FURTHEST = Duration.ofSeconds(8);

    private final Databases database;
    private final boolean usual;
    Server server;
    private boolean isUp;

    Store(boolean usual) {
        this(null, usual);
    }

    Store(Databases database, boolean usual) {
        this.database = database;
        this.usual = usual;
    }

    /** Whether it is tried in every build. */
    boolean isUsual() {
        return usual;
    }

    Server newServer() {
        throw new IllegalStateException();
    }

    /** Forgets what it has, if that is what it does. */
    void forget() throws Exception {
        stop();
    }

    /** Starts it, unless it runs. */
    String address() {
        if (database != null) {
            return database.url();
        }
        if (server == null) {
            server = newServer();
        } else if (!isUp) {
            server.start();
        }
        isUp = true;
        return "redis:" + server.port();
    }

    void stop() throws Exception {
        if (database != null) {
            database.stop();
        } else if (isUp) {
            server.kill();
            isUp = false;
        }
    }

    /** A registry in the empty store, for whoever prepares it. */
    WorkerRegistry openEmpty() {
        String address = address();
        if (database == null) {
            LettuceConnectionFactory connections = server.connections();
            try (RedisConnection connection = connections.getConnection()) {
                connection.serverCommands().flushAll();
            }
            return new RedisWorkerRegistry(connections, RedisWorkerRegistry.DEFAULT_KEY_PREFIX, NAMESPACE, FURTHEST)
                    .ofNewNamespace();
        }
        HikariDataSource pool = pool(address);
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + TABLE);
        } catch (java.sql.SQLException failed) {
            throw new IllegalStateException(failed);
        }
        JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, TABLE, NAMESPACE);
        registry.createTable();
        return registry;
    }

    /** A registry, in any process. */
    static WorkerRegistry open(String address) {
        if (address.startsWith("redis:")) {
            int port = Integer.parseInt(address.substring("redis:".length()));
            return new BoundedRegistry(
                    new RedisWorkerRegistry(
                            Server.connections(port, Duration.ofSeconds(60)),
                            RedisWorkerRegistry.DEFAULT_KEY_PREFIX,
                            NAMESPACE,
                            FURTHEST),
                    LONGEST_ANSWER);
        }
        return new JdbcWorkerRegistry(pool(address), TABLE, NAMESPACE);
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
