package io.github.snowflakeid.zookeeper;

import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** A client that belongs to one registry and is created on demand. Safe for use by any number of threads. */
final class DedicatedClient implements Supplier<CuratorFramework> {

    /** If a server stops responding, the client tries another server long before a lease with the default ttl ends. */
    private static final int SESSION_MILLIS = 15_000;

    /** A server that does not respond is reported long before the session ends. */
    private static final int REQUEST_MILLIS = 5_000;

    private final String connectString;
    private @Nullable CuratorFramework client;

    DedicatedClient(String connectString) {
        this.connectString = connectString;
    }

    @Override
    public synchronized CuratorFramework get() {
        if (client == null) {
            ZKClientConfig config = new ZKClientConfig();
            config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, String.valueOf(REQUEST_MILLIS));
            client = CuratorFrameworkFactory.builder()
                    .zkClientConfig(config)
                    .connectString(connectString)
                    .sessionTimeoutMs(SESSION_MILLIS)
                    .connectionTimeoutMs(REQUEST_MILLIS)
                    .retryPolicy(new ExponentialBackoffRetry(50, 3))
                    .build();
            client.start();
        }
        return client;
    }

    /** Closes the client. The next use creates a new one. */
    synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
