package io.github.snowflakeid.chaos;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.consul.ConsulServer;
import io.github.snowflakeid.etcd.EtcdCluster;
import io.github.snowflakeid.file.FileDocuments;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcSegmentStore;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.kubernetes.KubernetesServer;
import io.github.snowflakeid.redis.RedisSegmentStore;
import io.github.snowflakeid.redis.RedisWorkerRegistry;
import io.github.snowflakeid.redis.Server;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.servers.HttpLink;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.zookeeper.Clients;
import io.github.snowflakeid.zookeeper.ZooKeeperDocuments;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.curator.test.TestingServer;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The store of the leases in a chaos test. Each test has a separate store, which processes find by its address. */
interface Store {

    /** Starts the store unless it runs, and returns its address. */
    String address() throws Exception;

    /** Stops the store by killing it. */
    void stop() throws Exception;

    /** Loses the data of the store, if the store may lose data; otherwise, kills the store. */
    default void forget() throws Exception {
        stop();
    }

    /** Kills the store while it is busy. */
    default void kill() throws Exception {
        stop();
    }

    /** Whether a frozen process keeps a lock that stops all other processes. */
    default boolean isLocked() throws Exception {
        return false;
    }

    /** Opens counters in the store, without existing counters. */
    default SegmentStore openCounters() throws Exception {
        return openCounters(address());
    }

    /** How far ahead of its clock forgotten leases may have issued IDs; zero if the store forgets none. */
    default Duration forgetsUpTo() {
        return Duration.ZERO;
    }

    /** Opens a registry in the empty store. */
    default WorkerRegistry openEmpty() throws Exception {
        return open(address());
    }

    /** Marks the namespace as one that is not new. */
    default void begin() throws Exception {
        WorkerRegistry.Claim claim = WorkerRegistry.Claim.of(
                0,
                0,
                "nobody",
                "nobody",
                Instant.EPOCH,
                Instant.EPOCH,
                RushTests.LAYOUT.toString().replaceFirst(" \\(.*", ""));
        WorkerRegistry registry = openEmpty();
        registry.acquire(null, claim, Duration.ofMillis(1));
        registry.release(claim, Instant.EPOCH);
    }

    /** Releases everything after the test. */
    default void end() throws Exception {
        stop();
    }

    /** The kinds of stores. */
    enum Kind {
        H2(() -> new InDatabase(Databases.H2), false),
        HSQLDB(() -> new InDatabase(Databases.HSQLDB), false),
        POSTGRESQL(() -> new InDatabase(Databases.POSTGRESQL), true),
        MARIADB(() -> new InDatabase(Databases.MARIADB), false),
        REDIS(() -> new InRedis("--appendonly", "yes", "--appendfsync", "always"), false),
        /** Loses its data when it is killed, and is emptied now and then. */
        FORGETFUL_REDIS(InRedis::new, true),
        ZOOKEEPER(InZooKeeper::new, false),
        /** Three members behind links that delay and lose answers. Members are also frozen. */
        ETCD(InEtcd::new, false),
        /** A server behind a link that delays and loses answers. It is also frozen. */
        CONSUL(InConsul::new, false),
        /** An API server behind a link that delays and loses answers, and its etcd. Both are also frozen. */
        KUBERNETES(InKubernetes::new, false),
        FILE(InFile::new, true);

        private final Supplier<Store> store;
        private final boolean usual;

        Kind(Supplier<Store> store, boolean usual) {
            this.store = store;
            this.usual = usual;
        }

        Store newStore() {
            return store.get();
        }

        /** Skips the test unless the store is tested in every build or chosen by {@code -Dchaos.store}. */
        void assumeChosen() {
            String only = System.getProperty("chaos.store", "usual");
            assumeThat(only.equals("usual") ? usual : only.equals("all") || only.equalsIgnoreCase(name()))
                    .as("stores to be tried: %s", only)
                    .isTrue();
        }
    }

    String NAMESPACE = "default";

    /** The longest duration of a renewal with a ttl of a second. */
    Duration LONGEST_ANSWER = Duration.ofMillis(250);

    /** Opens a registry in any process. */
    static WorkerRegistry open(String address) {
        String rest = address.substring(address.indexOf(':') + 1);
        return switch (address.substring(0, address.indexOf(':'))) {
            case "redis" -> InRedis.registry(Integer.parseInt(rest));
            case "zookeeper" -> ZooKeeperDocuments.registry(rest, ZooKeeperDocuments.DEFAULT_ROOT, NAMESPACE);
            case "etcd" -> EtcdCluster.registry(List.of(rest.split(",")), "ids/", NAMESPACE, LONGEST_ANSWER);
            case "consul" -> ConsulServer.registry(rest, "ids/", NAMESPACE, LONGEST_ANSWER);
            case "kubernetes" -> InKubernetes.registry(rest, LONGEST_ANSWER);
            case "file" -> FileDocuments.registry(Path.of(rest), NAMESPACE, false);
            default -> new JdbcWorkerRegistry(InDatabase.pool(address), InDatabase.TABLE, NAMESPACE);
        };
    }

    /** Opens a registry for leases of default length, which last longer than the leases of the chaos test. */
    static WorkerRegistry openForUsualLeases(String address) {
        String rest = address.substring(address.indexOf(':') + 1);
        Duration longest = Duration.ofSeconds(8);
        return switch (address.substring(0, address.indexOf(':'))) {
            case "redis" -> InRedis.registryForUsualLeases(Integer.parseInt(rest));
            case "etcd" -> EtcdCluster.registry(List.of(rest.split(",")), "ids/", NAMESPACE, longest);
            case "consul" -> ConsulServer.registry(rest, "ids/", NAMESPACE, longest);
            case "kubernetes" -> InKubernetes.registry(rest, longest);
            default -> open(address);
        };
    }

    /** Opens counters in any process. */
    static SegmentStore openCounters(String address) {
        return address.startsWith("redis:")
                ? new RedisSegmentStore(
                        Server.connections(
                                Integer.parseInt(address.substring("redis:".length())), Duration.ofSeconds(60)),
                        RedisSegmentStore.DEFAULT_KEY_PREFIX)
                : new JdbcSegmentStore(InDatabase.pool(address), InDatabase.COUNTERS);
    }

    /** A server that it shares with other tests. */
    record InDatabase(Databases database) implements Store {

        static final String TABLE = "snowflake_worker";
        static final String COUNTERS = "snowflake_counter";

        @Override
        public String address() {
            return database.url();
        }

        @Override
        public void stop() throws Exception {
            database.stop();
        }

        @Override
        public void kill() throws Exception {
            database.kill();
        }

        @Override
        public SegmentStore openCounters() throws Exception {
            HikariDataSource pool = poolWithout(COUNTERS);
            JdbcSegmentStore counters = new JdbcSegmentStore(pool, COUNTERS).initializeSchema(InitializeSchema.ALWAYS);
            counters.read("any");
            return counters;
        }

        private HikariDataSource poolWithout(String table) throws Exception {
            try (Connection connection = DriverManager.getConnection(address());
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE IF EXISTS " + table);
            }
            return pool(address());
        }

        @Override
        public WorkerRegistry openEmpty() throws Exception {
            HikariDataSource pool = poolWithout(TABLE);
            JdbcWorkerRegistry registry =
                    new JdbcWorkerRegistry(pool, TABLE, NAMESPACE).initializeSchema(InitializeSchema.ALWAYS);
            registry.read();
            return registry;
        }

        @Override
        public void end() {
            database.url();
        }

        /** Whether an open transaction has written a row, like one of a process that was frozen before its commit. */
        @Override
        public boolean isLocked() throws SQLException {
            if (database != Databases.POSTGRESQL && database != Databases.MARIADB) {
                return false;
            }
            try (Connection connection = DriverManager.getConnection(address());
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.executeQuery("SELECT owner FROM " + TABLE + " FOR UPDATE NOWAIT");
                return false;
            } catch (SQLException e) {
                if (!"55P03".equals(e.getSQLState()) && e.getErrorCode() != 1205) {
                    throw e;
                }
                return true;
            }
        }

        static HikariDataSource pool(String url) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(4);
            config.setMinimumIdle(1);
            config.setConnectionTimeout(1000);
            config.setInitializationFailTimeout(-1);
            return new HikariDataSource(config);
        }
    }

    /** A separate server. */
    final class InRedis implements Store {

        /** A ttl, clocks that are off by 5 s, and a second each for drift and rounding. */
        private static final Duration FURTHEST = Duration.ofSeconds(8);

        /** Short, so that IDs are available again within a run. */
        private static final Duration MARGIN = Duration.ofMillis(500);

        private final Server server;
        private boolean isUp = true;

        InRedis(String... settings) {
            server = Server.started(settings);
        }

        @Override
        public String address() {
            if (!isUp) {
                server.start();
                isUp = true;
            }
            return "redis:" + server.port();
        }

        @Override
        public void stop() {
            server.kill();
            isUp = false;
        }

        @Override
        public Duration forgetsUpTo() {
            return FURTHEST;
        }

        @Override
        public void forget() {
            address();
            LettuceConnectionFactory connections = server.connections();
            try (RedisConnection connection = connections.getConnection()) {
                connection.serverCommands().flushAll();
            } finally {
                connections.destroy();
            }
        }

        @Override
        public WorkerRegistry openEmpty() {
            return registryOf(server.connections()).assumingNewNamespace();
        }

        static WorkerRegistry registry(int port) {
            return new BoundedRegistry(registryOf(Server.connections(port, Duration.ofSeconds(60))), LONGEST_ANSWER);
        }

        static WorkerRegistry registryForUsualLeases(int port) {
            LettuceConnectionFactory connections = Server.connections(port, Duration.ofSeconds(60));
            return new BoundedRegistry(
                    Server.registry(connections, NAMESPACE, Duration.ofSeconds(90), MARGIN), Duration.ofSeconds(8));
        }

        private static RedisWorkerRegistry registryOf(LettuceConnectionFactory connections) {
            return Server.registry(connections, NAMESPACE, FURTHEST, MARGIN);
        }
    }

    /** A server in this process. */
    final class InZooKeeper implements Store {

        private final TestingServer server;
        private boolean isUp = true;

        InZooKeeper() {
            try {
                server = Clients.server();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String address() throws Exception {
            if (!isUp) {
                server.restart();
                isUp = true;
            }
            return "zookeeper:" + server.getConnectString();
        }

        @Override
        public void stop() throws Exception {
            if (isUp) {
                server.stop();
                isUp = false;
            }
        }

        @Override
        public void end() throws Exception {
            server.close();
        }
    }

    /** Returns a link that delays and loses answers. */
    static HttpLink badLink(int port) {
        HttpLink link = new HttpLink(port);
        link.delay = 30;
        link.losses = 10;
        return link;
    }

    /** Three separate servers. */
    final class InEtcd implements Store {

        private final EtcdCluster cluster = new EtcdCluster(3);
        private final String links = IntStream.range(0, 3)
                .mapToObj(i -> "http://127.0.0.1:" + badLink(cluster.port(i)).port())
                .collect(Collectors.joining(",", "etcd:", ""));

        @Override
        public String address() {
            cluster.startAll();
            return links;
        }

        @Override
        public WorkerRegistry openEmpty() {
            return openForUsualLeases("etcd:" + String.join(",", cluster.endpoints()));
        }

        /** Two members are no longer there, so the third one does not answer. */
        @Override
        public void stop() {
            cluster.member(0).kill();
            cluster.member(1).kill();
        }

        @Override
        public void forget() {
            cluster.member(cluster.leader()).freeze();
        }

        @Override
        public void end() {
            cluster.close();
        }
    }

    /** A separate server. */
    final class InConsul implements Store {

        private final ConsulServer server = new ConsulServer();
        private final HttpLink link = badLink(server.port());

        @Override
        public String address() {
            server.start();
            return "consul:http://127.0.0.1:" + link.port();
        }

        @Override
        public WorkerRegistry openEmpty() {
            return openForUsualLeases("consul:" + server.url());
        }

        @Override
        public void stop() {
            server.process().kill();
        }

        @Override
        public void forget() {
            server.process().freeze();
        }

        @Override
        public void end() {
            server.close();
        }
    }

    /** A separate server. */
    final class InKubernetes implements Store {

        private final KubernetesServer server = new KubernetesServer();
        private final HttpLink link = badLink(server.port());
        private final String cluster = server.newNamespace();
        private final String token;

        InKubernetes() {
            server.permit(cluster, "get, list, create, update");
            token = server.token(cluster);
        }

        static WorkerRegistry registry(String address, Duration limit) {
            String[] parts = address.split(",");
            return KubernetesServer.registry(parts[0], Path.of(parts[1]), () -> parts[2], parts[3], NAMESPACE, limit);
        }

        private String address(int port) {
            return String.join(
                    ",",
                    "kubernetes:https://127.0.0.1:" + port,
                    server.certificate().toString(),
                    token,
                    cluster);
        }

        @Override
        public String address() {
            server.start();
            return address(link.port());
        }

        @Override
        public WorkerRegistry openEmpty() {
            return openForUsualLeases(address(server.port()));
        }

        @Override
        public void stop() {
            oneOfBoth().kill();
        }

        @Override
        public void forget() {
            oneOfBoth().freeze();
        }

        private ServerProcess oneOfBoth() {
            return ThreadLocalRandom.current().nextBoolean() ? server.api() : server.etcd();
        }

        @Override
        public void end() {
            server.close();
        }
    }

    /** A directory, which is always available. */
    final class InFile implements Store {

        private final Path directory = ServerProcess.newDirectory("leases");

        @Override
        public String address() {
            return "file:" + directory;
        }

        @Override
        public boolean isLocked() throws IOException {
            try (FileChannel file = FileChannel.open(
                            directory.resolve("snowflake/snowflake-default.lock"), StandardOpenOption.WRITE);
                    FileLock lock = file.tryLock()) {
                return lock == null;
            }
        }

        @Override
        public void stop() {
            // There is no server.
        }
    }
}
