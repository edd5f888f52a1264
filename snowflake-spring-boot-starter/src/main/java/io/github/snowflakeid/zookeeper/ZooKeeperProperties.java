package io.github.snowflakeid.zookeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Leases in ZooKeeper, as {@code application.yml} describes them.
 *
 * @param connectString Servers of the ZooKeeper that leases are kept in, like "zk1:2181,zk2:2181", for a dedicated client. By
 *     default, the CuratorFramework bean is used.
 * @param root Path of a znode that leases are kept below, and nothing else.
 */
@ConfigurationProperties("snowflake.worker.zookeeper")
record ZooKeeperProperties(
        @Nullable String connectString,
        @DefaultValue(ZooKeeperWorkerRegistry.DEFAULT_ROOT) String root) {}
