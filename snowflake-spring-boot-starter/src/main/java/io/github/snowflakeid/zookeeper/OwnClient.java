package io.github.snowflakeid.zookeeper;

import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/** A client of a registry's own, which it makes when it is needed. For any number of threads. */
final class OwnClient implements Supplier<CuratorFramework> {

    /** Short enough that another server is tried long before a usual lease ends, if one falls silent. */
    private static final int SESSION_MILLIS = 15_000;

    private static final int CONNECTION_MILLIS = 5_000;
    private static final int FIRST_PAUSE_MILLIS = 50;
    private static final int RETRIES = 3;

    private final String connectString;
    private @Nullable CuratorFramework client;

    OwnClient(String connectString) {
        this.connectString = connectString;
    }

    @Override
    public synchronized CuratorFramework get() {
        CuratorFramework open = client;
        if (open == null) {
            open = CuratorFrameworkFactory.builder()
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

    /** Nothing is asked for a while, perhaps for ever. */
    synchronized void rest() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
