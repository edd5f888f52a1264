/**
 * Leases of worker IDs in ZooKeeper. Start with {@link io.github.snowflakeid.zookeeper.ZooKeeperDocuments}, which
 * can be used without Spring.
 */
@NullMarked
package io.github.snowflakeid.zookeeper;

import org.jspecify.annotations.NullMarked;
