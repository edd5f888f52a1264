package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Stores leases in ZooKeeper, with a persistent znode for each worker ID that was ever leased, below a znode for the
 * namespace.
 *
 * <p>Each write is conditional on the version of the data that were checked before, and is sent once. No znode is
 * ephemeral: a lease outlives the session, so it survives the end of a session and a reconnection to another server.
 * The clock of the ensemble's leader, which supplies the time of each write, decides when a lease expires.
 *
 * <p>Each read first writes the znode of the namespace. The write returns the current time of that clock, and after it
 * the session sees every change that was confirmed before by any server. The client therefore needs the permissions to
 * create, read and write. The client's {@code ACLProvider} determines the permissions of new znodes.
 *
 * <p>If the connection breaks, a call throws a {@link io.github.snowflakeid.SnowflakeException}, and it is unknown
 * whether a write was executed. The timeouts of the client determine how long a call waits for a server: 5 s for a
 * request with a dedicated client. Wrap the registry in a {@link io.github.snowflakeid.worker.BoundedRegistry} to limit
 * calls with any client. If ZooKeeper permanently rejects a call, for example because of a missing permission or a
 * znode of another program, the call throws a {@link io.github.snowflakeid.WorkerIdUnavailableException}.
 *
 * <p>A client that is passed in must be started before the generator and closed after it. A dedicated client is created
 * on first use, and closed when a worker ID is {@linkplain #release released} or the registry is
 * {@linkplain #close closed}. Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class ZooKeeperWorkerRegistry implements WorkerRegistry, AutoCloseable {

    /** The default path of the znode that namespaces are stored below. */
    public static final String DEFAULT_ROOT = "/snowflake";

    private final Supplier<CuratorFramework> client;
    private final String namespace;

    /** The znode of the namespace. */
    private final String home;

    /** A call to ZooKeeper within a session. */
    @FunctionalInterface
    private interface Call<T> {
        T run(ZooKeeperSession session) throws Exception;
    }

    /**
     * Creates a registry with a given client. Does not access ZooKeeper yet.
     *
     * @param client the client; the caller starts and closes it
     * @param root the path of a znode that contains no other data, such as {@value #DEFAULT_ROOT}; created if it does
     *     not exist
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters: all processes that
     *     write to the same tables must use the same name
     * @throws IllegalArgumentException if the path or the namespace is invalid
     */
    public ZooKeeperWorkerRegistry(CuratorFramework client, String root, String namespace) {
        this(() -> client, root, namespace);
        Objects.requireNonNull(client, "client");
    }

    /**
     * Creates a registry with a dedicated client. Does not connect yet.
     *
     * @param connectString the addresses of the servers, such as {@code zk1:2181,zk2:2181}, optionally with a root path
     *     at the end
     * @param root the path of a znode that contains no other data, such as {@value #DEFAULT_ROOT}; created if it does
     *     not exist
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters
     * @throws IllegalArgumentException if the connect string, the path or the namespace is invalid
     */
    public ZooKeeperWorkerRegistry(String connectString, String root, String namespace) {
        this(new DedicatedClient(valid(connectString)), root, namespace);
    }

    private ZooKeeperWorkerRegistry(Supplier<CuratorFramework> client, String root, String namespace) {
        this.client = client;
        this.namespace = Namespaces.checked(namespace);
        try {
            PathUtils.validatePath(root);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "root must be a ZooKeeper path such as %s, but was '%s': %s"
                            .formatted(DEFAULT_ROOT, root, e.getMessage()),
                    e);
        }
        home = (root.equals("/") ? "" : root) + "/" + nameOf(namespace);
    }

    private static String valid(String connectString) {
        try {
            if (new ConnectStringParser(connectString).getServerAddresses().isEmpty() || connectString.isBlank()) {
                throw new IllegalArgumentException("it names no server");
            }
            return connectString;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "connect string must be a list of servers such as zk1:2181,zk2:2181, but was '%s': %s"
                            .formatted(connectString, e.getMessage()),
                    e);
        }
    }

    /** Returns the name of the namespace's znode, encoded as in URLs. */
    private static String nameOf(String namespace) {
        String name = URLEncoder.encode(namespace, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        return name.startsWith(".") ? "%2E" + name.substring(1) : name;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String kind() {
        return "zookeeper";
    }

    @Override
    public Snapshot read() {
        return ask("read", session -> {
            Instant now = touch(session);
            List<String> paths = new ArrayList<>();
            for (String name : session.children(home)) {
                paths.add(home + "/" + name);
            }
            List<Entry> entries = new ArrayList<>(paths.size());
            for (WorkerNode found : session.all(paths)) {
                Entry entry = entry(session, found);
                if (entry != null) {
                    entries.add(entry);
                }
            }
            return new Snapshot(now, entries);
        });
    }

    /**
     * Returns the server's clock. After this write, the session sees every change that was confirmed before. A
     * {@code sync} does not guarantee that, because a server that is no longer the leader may still answer it.
     */
    private Instant touch(ZooKeeperSession session) throws Exception {
        String data = WorkerNode.ofNamespace(namespace);
        while (true) {
            WorkerNode found = session.find(home);
            if (found == null) {
                session.create(home, data);
            } else if (found.isEmpty() || found.text().equals(data)) {
                Stat written = session.overwrite(home, data, ZooKeeperSession.ANY_VERSION);
                return Instant.ofEpochMilli(written.getMtime());
            } else {
                throw translator(session.client()).foreign(found);
            }
        }
    }

    private @Nullable Entry entry(ZooKeeperSession session, WorkerNode found) {
        try {
            return found.entry();
        } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
            throw translator(session.client()).foreign(found);
        }
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return write(
                is -> Entry.matches(seen, is),
                seen == null,
                claim,
                WorkerNode.data(claim.owner(), claim, claim.reservedUntil(), ttl));
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return write(is -> isHeld(held, is), false, held, WorkerNode.data(held.owner(), held, reservedUntil, ttl));
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        boolean freed =
                write(is -> isHeld(held, is), false, held, WorkerNode.data("", held, reservedUntil, Duration.ZERO));
        close();
        return freed;
    }

    private static boolean isHeld(Claim held, @Nullable Entry is) {
        return is != null && new Snapshot(Instant.EPOCH, List.of(is)).contains(held);
    }

    /** Writes conditionally. A server may be behind, so the condition is rejected only after a {@link #touch}. */
    private boolean write(Predicate<@Nullable Entry> condition, boolean creates, Claim claim, String data) {
        String path = home + "/" + claim.datacenterId() + "-" + claim.workerId();
        return ask("written", session -> {
            boolean upToDate = false;
            while (true) {
                WorkerNode found = session.find(path);
                if (found == null && creates) {
                    touch(session);
                    upToDate = true;
                    session.create(path, WorkerNode.EMPTY);
                    found = session.find(path);
                }
                if (found != null && condition.test(entry(session, found))) {
                    if (overwritten(session, path, data, found.stat().getVersion())) {
                        return true;
                    }
                } else if (upToDate) {
                    return false;
                }
                touch(session);
                upToDate = true;
            }
        });
    }

    /** Writes the data if they still have that version; returns whether they had it. */
    private static boolean overwritten(ZooKeeperSession session, String path, String data, int version)
            throws Exception {
        try {
            session.overwrite(path, data, version);
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            return false;
        }
    }

    private <T> T ask(String done, Call<T> call) {
        CuratorFramework used = client.get();
        try {
            return call.run(ZooKeeperSession.of(used));
        } catch (WorkerIdUnavailableException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw translator(used).translate(e, done);
        }
    }

    private ZooKeeperExceptionTranslator translator(CuratorFramework used) {
        return new ZooKeeperExceptionTranslator(used, home);
    }

    /**
     * Closes the dedicated client, if the registry has one; the next use creates a new one. A client that was passed in
     * stays open.
     */
    @Override
    public void close() {
        if (client instanceof DedicatedClient dedicated) {
            dedicated.close();
        }
    }
}
