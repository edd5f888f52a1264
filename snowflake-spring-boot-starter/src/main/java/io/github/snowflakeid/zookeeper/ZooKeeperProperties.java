package io.github.snowflakeid.zookeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases in ZooKeeper.
 *
 * @param connectString Servers of the ZooKeeper that stores the leases, such as "zk1:2181,zk2:2181", for a dedicated
 *     client. By default, the CuratorFramework bean is used.
 * @param root Path of the znode that leases are stored below. No other data may be stored there.
 */
@ConfigurationProperties("snowflake.worker.zookeeper")
record ZooKeeperProperties(
        @Nullable String connectString,
        @DefaultValue(ZooKeeperDocuments.DEFAULT_ROOT) String root) {}
