/** Leases of worker ids in ZooKeeper. Usable without Spring. */
@NullMarked
package io.github.snowflakeid.zookeeper;

import org.jspecify.annotations.NullMarked;
