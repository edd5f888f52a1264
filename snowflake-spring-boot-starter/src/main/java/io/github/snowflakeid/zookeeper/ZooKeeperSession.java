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
 * The session that a client has at the start of a call. After the session has ended, every request fails.
 *
 * <p>Each request is sent once. Curator would repeat a write whose answer was lost, and the server would reject the
 * repetition because the first write has changed the version.
 */
record ZooKeeperSession(CuratorFramework client, ZooKeeper zooKeeper) {

    /** The version for unconditional writes. */
    static final int ANY_VERSION = -1;

    /**
     * The number of znodes, with data of the maximum length, that fit into the largest answer a client accepts (1 MB).
     */
    private static final int MOST_AT_ONCE = 512;

    static ZooKeeperSession of(CuratorFramework client) throws Exception {
        return new ZooKeeperSession(client, client.getZookeeperClient().getZooKeeper());
    }

    List<String> children(String path) throws KeeperException, InterruptedException {
        return zooKeeper.getChildren(inNamespace(path), false);
    }

    /**
     * Returns the znodes in the order of their paths, without missing znodes. Reads many znodes in one request, because
     * the cost of a request is far higher than the cost of reading a znode.
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

    /** Returns a znode; null if it does not exist. */
    @Nullable
    WorkerNode find(String path) throws KeeperException, InterruptedException {
        List<WorkerNode> found = all(List.of(path));
        return found.isEmpty() ? null : found.get(0);
    }

    /** Writes the data if they still have the version, and returns the state of the znode after the write. */
    Stat overwrite(String path, String data, int version) throws KeeperException, InterruptedException {
        return zooKeeper.setData(inNamespace(path), data.getBytes(StandardCharsets.UTF_8), version);
    }

    /**
     * Creates a znode and its parents if they do not exist. Uses Curator, which knows the permissions for new znodes;
     * repeating this request does no harm.
     */
    void create(String path, String data) throws Exception {
        try {
            client.create().creatingParentsIfNeeded().forPath(path, data.getBytes(StandardCharsets.UTF_8));
        } catch (KeeperException.NodeExistsException e) {
            // Another process has created it.
        }
    }

    private String inNamespace(String path) {
        return ZKPaths.fixForNamespace(client.getNamespace(), path);
    }
}
