package io.github.snowflakeid.it.stores;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.file.FileDocuments;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.redis.RedisWorkerRegistry;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.zookeeper.ZooKeeperDocuments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.curator.test.TestingServer;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** One server of each kind, shared by all tests and running until this process ends. */
final class StoreServers {

    /** For the first process that leases there. */
    static final String NEW_NAMESPACE = "--snowflake.worker.redis.assume-new-namespace=true";

    private static final RedisServer REDIS;
    private static final TestingServer ZOOKEEPER;
    private static final String DATABASE;
    private static final Path DIRECTORY;

    static {
        try {
            REDIS = new RedisServer();
            Runtime.getRuntime().addShutdownHook(new Thread(REDIS::close));
            ZOOKEEPER = new TestingServer();
            DATABASE = "jdbc:h2:tcp://localhost:"
                    + Server.createTcpServer("-tcpPort", "0", "-ifNotExists")
                            .start()
                            .getPort()
                    + "/mem:shop;DB_CLOSE_DELAY=-1";
            DIRECTORY = Files.createTempDirectory("leases");
        } catch (Exception e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private StoreServers() {}

    static int redisPort() {
        return REDIS.port();
    }

    /** Returns the options with the addresses of the servers, followed by other options. */
    static List<String> options(String... others) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.data.redis.port=" + REDIS.port(),
                "--spring.datasource.url=" + DATABASE,
                "--shop.zookeeper=" + ZOOKEEPER.getConnectString(),
                "--shop.directory=" + DIRECTORY));
        all.addAll(List.of(others));
        return all;
    }

    static ConfigurableApplicationContext run(List<String> options) {
        return SpringApplication.run(StoreShop.class, options.toArray(String[]::new));
    }

    /** Returns the owners of all worker IDs that were ever leased; null for free worker IDs. */
    static List<String> owners(String strategy, String namespace) throws Exception {
        switch (strategy) {
            case "redis": {
                LettuceConnectionFactory connections =
                        new LettuceConnectionFactory(new RedisStandaloneConfiguration("localhost", REDIS.port()));
                connections.afterPropertiesSet();
                connections.start();
                try {
                    return owners(new RedisWorkerRegistry(
                            connections, RedisWorkerRegistry.DEFAULT_KEY_PREFIX, namespace, Duration.ofMinutes(1)));
                } finally {
                    connections.destroy();
                }
            }
            case "zookeeper":
                try (DocumentRegistry registry = ZooKeeperDocuments.registry(
                        ZOOKEEPER.getConnectString(), ZooKeeperDocuments.DEFAULT_ROOT, namespace)) {
                    return owners(registry);
                }
            case "jdbc": {
                JdbcDataSource database = new JdbcDataSource();
                database.setURL(DATABASE);
                return owners(new JdbcWorkerRegistry(database, "snowflake_worker", namespace));
            }
            default:
                return owners(FileDocuments.registry(DIRECTORY, namespace, false));
        }
    }

    private static List<String> owners(WorkerRegistry registry) {
        return registry.read().entries().stream().map(Entry::owner).collect(Collectors.toList());
    }
}
