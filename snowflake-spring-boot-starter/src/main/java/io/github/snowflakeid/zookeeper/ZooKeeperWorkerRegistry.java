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
 * Keeps leases in ZooKeeper: a persistent znode for each worker id that was ever leased, under one for the namespace.
 *
 * <p>Each write is conditional on the version of the data whose condition was checked, and is sent once. No znode is
 * ephemeral: a lease outlives the session, and the end of a session, or a move to another server, is no loss of it. The
 * server's clock decides when a lease expires: the time of a write is that of the ensemble's leader.
 *
 * <p>A read is a write as well, of the znode of the namespace, for that clock; and so that it sees all that any server has
 * confirmed before. So the client needs the permissions to create, read and write. New znodes have the permissions that its
 * {@code ACLProvider} says.
 *
 * <p>If the connection breaks, a call throws a {@link io.github.snowflakeid.internal.failure.ConfigurationException}, and a write may be done or not. How long a
 * silent server may take is up to the time-outs of the client; that of the registry allows 5 s for a request, and a {@link
 * io.github.snowflakeid.worker.BoundedRegistry} limits any client. What ZooKeeper refuses for good, as a missing
 * permission or a znode of somebody else, is a {@link io.github.snowflakeid.WorkerIdUnavailableException} with such an
 * exception as its cause.
 *
 * <p>The client is either somebody else's, who starts it before and closes it after the generator, or the registry's own, which it
 * makes when it is first needed and keeps until a worker id is {@linkplain #release given back} or the registry is {@linkplain
 * #close closed}. Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class ZooKeeperWorkerRegistry implements WorkerRegistry, AutoCloseable {

    /** The path under which namespaces are unless another one is given. */
    public static final String DEFAULT_ROOT = "/snowflake";

    private final Supplier<CuratorFramework> client;
    private final String namespace;

    /** The znode of the namespace. */
    private final String home;

    /** What is asked of ZooKeeper. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(ZooKeeperSession session) throws Exception;
    }

    /**
     * Makes a registry; does not ask ZooKeeper yet.
     *
     * @param client the client, which is started and closed by whoever made it
     * @param root the path of a znode under which nothing else is, like {@value #DEFAULT_ROOT}; created if it is missing
     * @param namespace the name under which processes share worker ids: all that write the same tables must share it; from 1
     *     to 100 characters
     * @throws IllegalArgumentException if {@code root} is no path, or {@code namespace} none of its names
     */
    public ZooKeeperWorkerRegistry(CuratorFramework client, String root, String namespace) {
        this(() -> client, root, namespace);
        Objects.requireNonNull(client, "client");
    }

    /**
     * Makes a registry with a client of its own; does not connect yet.
     *
     * @param connectString where the servers are, like {@code zk1:2181,zk2:2181}, with the path that the client works in at
     *     the end if need be
     * @param root the path of a znode under which nothing else is, like {@value #DEFAULT_ROOT}; created if it is missing
     * @param namespace the name under which processes share worker ids, from 1 to 100 characters
     * @throws IllegalArgumentException if one of the names is none
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
                    "root must be a path of ZooKeeper like %s, but was '%s': %s"
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
                    "connect string must be like zk1:2181,zk2:2181, but was '%s': %s"
                            .formatted(connectString, e.getMessage()),
                    e);
        }
    }

    /** Returns a name for a znode, as in URLs. */
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
     * The server's clock. A write, after which this session sees all that was confirmed before: more than a {@code sync}, which
     * a leader answers that is no longer one.
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

    /** A server may be behind, so that what it shows is only refused after a {@link #touch}. */
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

    /** Whether the data still had that version. */
    private static boolean overwritten(ZooKeeperSession session, String path, String data, int version)
            throws Exception {
        try {
            session.overwrite(path, data, version);
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            return false;
        }
    }

    private <T> T ask(String done, Question<T> question) {
        CuratorFramework used = client.get();
        try {
            return question.ask(ZooKeeperSession.of(used));
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
     * Closes the client of its own, if it has one. A registry on somebody else's goes on: whoever has started that closes it.
     */
    @Override
    public void close() {
        if (client instanceof DedicatedClient dedicated) {
            dedicated.close();
        }
    }
}
