package io.github.snowflakeid.zookeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Leases in ZooKeeper, as {@code application.yml} describes them. */
@ConfigurationProperties("snowflake.worker.zookeeper")
final class ZooKeeperProperties {

    /** Servers of the ZooKeeper that leases are kept in, like "zk1:2181,zk2:2181", for a client of the leases' own. By
     * default, the CuratorFramework bean is used. */
    private @Nullable String connectString;

    /** Path of a znode that leases are kept below, and nothing else. */
    private String root = ZooKeeperWorkerRegistry.DEFAULT_ROOT;

    public @Nullable String getConnectString() {
        return connectString;
    }

    public void setConnectString(@Nullable String connectString) {
        this.connectString = connectString;
    }

    public String getRoot() {
        return root;
    }

    public void setRoot(String root) {
        this.root = root;
    }
}
