package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.internal.StarterDocuments;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.worker.DocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
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
 * The documents of leases in ZooKeeper: a persistent znode for each worker ID that was ever leased, below a znode for
 * the namespace. The version of a document is the version of the znode's data. No znode is ephemeral: a lease outlives
 * the session, so it survives the end of a session and a reconnection to another server.
 *
 * <p>Each read first writes the znode {@code clock} of the namespace. The write returns the time of the ensemble's
 * leader, by which leases expire, and after it the session sees every change that was confirmed before by any server. A
 * {@code sync} does not guarantee that, because a server that is no longer the leader may still answer it. The client
 * therefore needs the permissions to create, read and write. Its {@code ACLProvider} determines the permissions of new
 * znodes.
 *
 * <p>If the connection breaks, a call throws a {@link io.github.snowflakeid.SnowflakeException}. The timeouts of the
 * client determine how long a call waits for a server: 5 s for a request with a dedicated client. Wrap the registry in
 * a {@link io.github.snowflakeid.worker.BoundedRegistry} to limit calls with any client. If ZooKeeper permanently
 * rejects a call, for example because of a missing permission, the call throws a
 * {@link io.github.snowflakeid.WorkerIdUnavailableException}.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class ZooKeeperDocuments implements DocumentStore, StarterDocuments {

    /** The default path of the znode that namespaces are stored below. */
    public static final String DEFAULT_ROOT = "/snowflake";

    private static final String CLOCK = "clock";
    private static final int ANY_VERSION = -1;

    /**
     * The number of znodes, with data of the maximum length, that fit into the largest answer a client accepts (1 MB).
     */
    private static final int MOST_AT_ONCE = 512;

    private final Supplier<CuratorFramework> clients;

    /** A call to ZooKeeper within the session that the client has at its start. */
    @FunctionalInterface
    private interface Call<T> {
        T run(CuratorFramework client, ZooKeeper session) throws Exception;
    }

    private ZooKeeperDocuments(Supplier<CuratorFramework> clients) {
        this.clients = clients;
    }

    /**
     * Returns a registry with a given client. It does not access ZooKeeper yet.
     *
     * @param client the client; the caller starts it before the generator and closes it after the generator
     * @param root the path of a znode that contains no other data, such as {@value #DEFAULT_ROOT}; created if it does
     *     not exist
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters: all processes that
     *     write to the same tables must use the same name
     * @return the registry
     * @throws IllegalArgumentException if the namespace is invalid
     */
    public static DocumentRegistry registry(CuratorFramework client, String root, String namespace) {
        return new DocumentRegistry(new ZooKeeperDocuments(() -> client), root, Namespaces.checked(namespace));
    }

    /**
     * Returns a registry with a dedicated client. The client is created on first use, and closed when a worker ID is
     * released or the registry is closed.
     *
     * @param connectString the addresses of the servers, such as {@code zk1:2181,zk2:2181}, optionally with a root path
     *     at the end
     * @param root the path of a znode that contains no other data, such as {@value #DEFAULT_ROOT}; created if it does
     *     not exist
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters
     * @return the registry
     * @throws IllegalArgumentException if the namespace is invalid
     */
    public static DocumentRegistry registry(String connectString, String root, String namespace) {
        return new DocumentRegistry(
                new ZooKeeperDocuments(new DedicatedClient(connectString)), root, Namespaces.checked(namespace));
    }

    @Override
    public Documents find(String prefix) {
        String home = parent(prefix);
        return ask("read", home, (client, session) -> {
            Instant now = touch(client, session, home);
            List<String> keys = session.getChildren(path(client, home), false).stream()
                    .filter(name -> !name.equals(CLOCK))
                    .map(name -> prefix + name)
                    .toList();
            return new Documents(now, read(client, session, keys));
        });
    }

    @Override
    public Documents get(String key) {
        String home = parent(key);
        return ask("read", home, (client, session) -> {
            Instant now = touch(client, session, home);
            return new Documents(now, read(client, session, List.of(key)));
        });
    }

    private static String parent(String key) {
        return key.substring(0, key.lastIndexOf('/'));
    }

    /** Returns the clock of the leader. After this write, the session sees every change that was confirmed before. */
    private static Instant touch(CuratorFramework client, ZooKeeper session, String home) throws Exception {
        String clock = home + "/" + CLOCK;
        while (true) {
            try {
                Stat written = session.setData(path(client, clock), new byte[0], ANY_VERSION);
                return Instant.ofEpochMilli(written.getMtime());
            } catch (KeeperException.NoNodeException e) {
                client.create().orSetData().creatingParentsIfNeeded().forPath(clock, new byte[0]);
            }
        }
    }

    /** Reads many znodes in one request. The cost of a request is far higher than the cost of reading a znode. */
    private static List<Document> read(CuratorFramework client, ZooKeeper session, List<String> keys)
            throws KeeperException, InterruptedException {
        List<Document> documents = new ArrayList<>();
        for (int begin = 0; begin < keys.size(); begin += MOST_AT_ONCE) {
            List<String> some = keys.subList(begin, Math.min(keys.size(), begin + MOST_AT_ONCE));
            List<OpResult> results = session.multi(
                    some.stream().map(key -> Op.getData(path(client, key))).toList());
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof GetDataResult found) {
                    documents.add(document(some.get(i), found));
                } else if (results.get(i) instanceof ErrorResult failed && failed.getErr() != Code.NONODE.intValue()) {
                    throw KeeperException.create(Code.get(failed.getErr()), some.get(i));
                }
            }
        }
        return documents;
    }

    private static Document document(String key, GetDataResult found) {
        byte @Nullable [] data = found.getData();
        return new Document(
                key,
                String.valueOf(found.getStat().getVersion()),
                data == null ? "" : new String(data, StandardCharsets.UTF_8));
    }

    /**
     * {@inheritDoc} Curator creates znodes, because it knows the permissions for them. Other requests are sent once, so
     * that a failure is reported before the time for the call is over.
     */
    @Override
    public boolean put(String key, @Nullable String version, String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        return ask("written", parent(key), (client, session) -> {
            try {
                if (version == null) {
                    client.create().forPath(key, data);
                } else {
                    session.setData(path(client, key), data, Integer.parseInt(version));
                }
                return true;
            } catch (KeeperException.NodeExistsException
                    | KeeperException.BadVersionException
                    | KeeperException.NoNodeException e) {
                return false;
            }
        });
    }

    private static String path(CuratorFramework client, String key) {
        return ZKPaths.fixForNamespace(client.getNamespace(), key);
    }

    private <T> T ask(String done, String home, Call<T> call) {
        CuratorFramework client = clients.get();
        try {
            return call.run(client, client.getZookeeperClient().getZooKeeper());
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new ZooKeeperExceptionTranslator(client, home).translate(e, done);
        }
    }

    @Override
    public String kind() {
        return "zookeeper";
    }

    @Override
    public RuntimeException foreign(String key) {
        return new ZooKeeperExceptionTranslator(clients.get(), parent(key)).foreign(key);
    }

    /** Closes the dedicated client, if there is one. */
    @Override
    public void close() {
        if (clients instanceof DedicatedClient dedicated) {
            dedicated.close();
        }
    }
}
