package io.github.snowflakeid.zookeeper;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.snowflakeid.servers.ServerProcess;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Clients of ZooKeeper, each like the client of a separate process. */
public final class Clients implements AutoCloseable {

    private static final int SESSION_MILLIS = 10_000;
    private static final int CONNECT_MILLIS = 5_000;

    static {
        // The machine does not lose power in these tests.
        System.setProperty("zookeeper.forceSync", "no");
        // Without a configuration by Spring Boot, each packet would be logged.
        for (String chatty : List.of("org.apache.zookeeper", "org.apache.curator")) {
            ((Logger) LoggerFactory.getLogger(chatty)).setLevel(Level.OFF);
        }
    }

    private static @Nullable TestingServer shared;

    private final List<CuratorFramework> clients = new CopyOnWriteArrayList<>();
    private final String connectString;

    Clients(String connectString) {
        this.connectString = connectString;
    }

    /** Returns a new server. */
    public static TestingServer server() throws Exception {
        return new TestingServer(ServerProcess.freePort());
    }

    /**
     * Returns the server that the tests of this JVM share: each test class uses separate paths. It must not be closed.
     */
    public static synchronized TestingServer sharedServer() throws Exception {
        if (shared == null) {
            shared = server();
        }
        return shared;
    }

    public static CuratorFrameworkFactory.Builder builder(String connectString) {
        return CuratorFrameworkFactory.builder()
                .connectString(connectString)
                .sessionTimeoutMs(SESSION_MILLIS)
                .connectionTimeoutMs(CONNECT_MILLIS)
                .retryPolicy(new RetryOneTime(10));
    }

    CuratorFramework open() {
        return open(builder(connectString));
    }

    CuratorFramework open(CuratorFrameworkFactory.Builder builder) {
        CuratorFramework client = builder.build();
        client.start();
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.parallelStream().forEach(CuratorFramework::close);
        clients.clear();
    }
}
