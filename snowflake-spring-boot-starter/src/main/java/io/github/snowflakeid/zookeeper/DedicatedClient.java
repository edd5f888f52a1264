package io.github.snowflakeid.zookeeper;

import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** A client of one registry, which is created when it is needed. Safe for use by any number of threads. */
final class DedicatedClient implements Supplier<CuratorFramework> {

    /** Short enough that another server is tried long before a usual lease ends, if one falls silent. */
    private static final int SESSION_MILLIS = 15_000;

    private static final int CONNECTION_MILLIS = 5_000;

    /** So that a silent server is reported long before the session ends. */
    private static final String REQUEST_MILLIS = "5000";

    private static final int FIRST_PAUSE_MILLIS = 50;
    private static final int RETRIES = 3;

    private final String connectString;
    private @Nullable CuratorFramework client;

    DedicatedClient(String connectString) {
        this.connectString = connectString;
    }

    @Override
    public synchronized CuratorFramework get() {
        CuratorFramework open = client;
        if (open == null) {
            ZKClientConfig config = new ZKClientConfig();
            config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, REQUEST_MILLIS);
            open = CuratorFrameworkFactory.builder()
                    .zkClientConfig(config)
                    .connectString(connectString)
                    .sessionTimeoutMs(SESSION_MILLIS)
                    .connectionTimeoutMs(CONNECTION_MILLIS)
                    .retryPolicy(new ExponentialBackoffRetry(FIRST_PAUSE_MILLIS, RETRIES))
                    .build();
            open.start();
            client = open;
        }
        return open;
    }

    /** Closes the client, until it is needed again. */
    synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
