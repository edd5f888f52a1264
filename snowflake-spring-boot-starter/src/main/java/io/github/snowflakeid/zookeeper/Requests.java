package io.github.snowflakeid.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a registry asks ZooKeeper: in one session, until a deadline, and nothing twice. Curator would send a write
 * again whose answer was lost, and have it refused because of the first one.
 */
final class Requests {

    /** The version of data that are overwritten whatever they are. */
    static final int ANY_VERSION = -1;

    /** So many of the longest data fit into the largest answer that a client accepts, which is 1 MB. */
    private static final int MOST_AT_ONCE = 512;

    private final CuratorFramework client;
    private final Trouble trouble;
    private final ZooKeeper session;
    private final long deadline;

    /** In the session that the client has now. Once that has ended, every request fails. */
    Requests(CuratorFramework client, Trouble trouble, Duration longest) throws Exception {
        this.client = client;
        this.trouble = trouble;
        session = client.getZookeeperClient().getZooKeeper();
        deadline = System.nanoTime() + longest.toNanos();
    }

    /** Says what is wrong. */
    Trouble trouble() {
        return trouble;
    }

    List<String> children(String path) throws KeeperException, InterruptedException {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        session.getChildren(
                inNamespace(path), false, (rc, asked, context, names) -> answer(answer, rc, path, names), null);
        return await(answer);
    }

    /**
     * The data of znodes in their order, without those that are missing. Many are read at once, as each request costs far more
     * than what it reads.
     */
    List<WorkerNode> all(List<String> paths) throws KeeperException, InterruptedException {
        List<CompletableFuture<List<WorkerNode>>> answers = new ArrayList<>();
        for (int begin = 0; begin < paths.size(); begin += MOST_AT_ONCE) {
            answers.add(several(paths.subList(begin, Math.min(paths.size(), begin + MOST_AT_ONCE))));
        }
        List<WorkerNode> all = new ArrayList<>(paths.size());
        for (CompletableFuture<List<WorkerNode>> answer : answers) {
            all.addAll(await(answer));
        }
        return all;
    }

    private CompletableFuture<List<WorkerNode>> several(List<String> paths) {
        List<Op> reads = new ArrayList<>(paths.size());
        for (String path : paths) {
            reads.add(Op.getData(inNamespace(path)));
        }
        CompletableFuture<List<WorkerNode>> answer = new CompletableFuture<>();
        session.multi(
                reads,
                (rc, asked, context, results) -> {
                    List<WorkerNode> found = new ArrayList<>(paths.size());
                    int code = results == null || results.isEmpty() ? rc : 0;
                    for (int i = 0; code == 0 && i < paths.size(); i++) {
                        if (results.get(i) instanceof GetDataResult read) {
                            found.add(WorkerNode.of(paths.get(i), read.getData(), read.getStat()));
                        } else if (results.get(i) instanceof ErrorResult failed
                                && failed.getErr() != Code.NONODE.intValue()) {
                            code = failed.getErr();
                        }
                    }
                    answer(answer, code, paths.get(0), found);
                },
                null);
        return answer;
    }

    /** What the znode is like then. */
    Stat overwrite(String path, String data, int version) throws KeeperException, InterruptedException {
        CompletableFuture<Stat> answer = new CompletableFuture<>();
        session.setData(
                inNamespace(path),
                data.getBytes(StandardCharsets.UTF_8),
                version,
                (rc, asked, context, stat) -> answer(answer, rc, path, stat),
                null);
        return await(answer);
    }

    /**
     * Creates a znode unless there is one, and those above it. By Curator, which knows the permissions that it gets; it does no
     * harm to ask for it twice.
     */
    void create(String path, String data) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        client.create()
                .creatingParentsIfNeeded()
                .inBackground((framework, event) -> {
                    int code = event.getResultCode();
                    answer(answer, code == Code.NODEEXISTS.intValue() ? 0 : code, event.getPath(), path);
                })
                .forPath(path, data.getBytes(StandardCharsets.UTF_8));
        await(answer);
    }

    /** The data, or null if there is no such znode. */
    @Nullable
    WorkerNode find(String path) throws KeeperException, InterruptedException {
        List<WorkerNode> found = all(List.of(path));
        return found.isEmpty() ? null : found.get(0);
    }

    <T> T await(CompletableFuture<T> answer) throws KeeperException, InterruptedException {
        try {
            return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof KeeperException refused) {
                throw refused;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (TimeoutException silent) {
            throw KeeperException.create(Code.OPERATIONTIMEOUT);
        }
    }

    private static <T> void answer(CompletableFuture<T> answer, int code, @Nullable String path, T value) {
        if (code == Code.OK.intValue()) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }

    private String inNamespace(String path) {
        return ZKPaths.fixForNamespace(client.getNamespace(), path);
    }
}
