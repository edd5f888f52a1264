package io.github.snowflakeid.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The session that a client has at the start of a call. Once the session has ended, every request fails.
 *
 * <p>Requests are sent once. Curator would send a write again whose answer was lost, and the server would reject the second one because of
 * the first one.
 */
record ZooKeeperSession(CuratorFramework client, ZooKeeper zooKeeper) {

    /** The version of data that are overwritten whatever they are. */
    static final int ANY_VERSION = -1;

    /** So many of the longest data fit into the largest answer that a client accepts, which is 1 MB. */
    private static final int MOST_AT_ONCE = 512;

    static ZooKeeperSession of(CuratorFramework client) throws Exception {
        return new ZooKeeperSession(client, client.getZookeeperClient().getZooKeeper());
    }

    List<String> children(String path) throws KeeperException, InterruptedException {
        return zooKeeper.getChildren(inNamespace(path), false);
    }

    /**
     * Returns the data of znodes in their order, without missing znodes. Many are read at once, as each request costs far more than what it
     * reads.
     */
    List<WorkerNode> all(List<String> paths) throws KeeperException, InterruptedException {
        List<WorkerNode> all = new ArrayList<>(paths.size());
        for (int begin = 0; begin < paths.size(); begin += MOST_AT_ONCE) {
            List<String> some = paths.subList(begin, Math.min(paths.size(), begin + MOST_AT_ONCE));
            List<Op> reads =
                    some.stream().map(path -> Op.getData(inNamespace(path))).toList();
            List<OpResult> results = zooKeeper.multi(reads);
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof GetDataResult read) {
                    all.add(WorkerNode.of(some.get(i), read.getData(), read.getStat()));
                } else if (results.get(i) instanceof ErrorResult failed && failed.getErr() != Code.NONODE.intValue()) {
                    throw KeeperException.create(Code.get(failed.getErr()), some.get(i));
                }
            }
        }
        return all;
    }

    /** Returns the data, or null if there is no such znode. */
    @Nullable
    WorkerNode find(String path) throws KeeperException, InterruptedException {
        List<WorkerNode> found = all(List.of(path));
        return found.isEmpty() ? null : found.get(0);
    }

    /** Returns the state of the znode after the write. */
    Stat overwrite(String path, String data, int version) throws KeeperException, InterruptedException {
        return zooKeeper.setData(inNamespace(path), data.getBytes(StandardCharsets.UTF_8), version);
    }

    /**
     * Creates a znode unless it exists, and those above it. By Curator, which knows the permissions that it gets; it does no harm to ask for
     * it twice.
     */
    void create(String path, String data) throws Exception {
        try {
            client.create().creatingParentsIfNeeded().forPath(path, data.getBytes(StandardCharsets.UTF_8));
        } catch (KeeperException.NodeExistsException e) {
            // Another process was faster.
        }
    }

    private String inNamespace(String path) {
        return ZKPaths.fixForNamespace(client.getNamespace(), path);
    }
}
