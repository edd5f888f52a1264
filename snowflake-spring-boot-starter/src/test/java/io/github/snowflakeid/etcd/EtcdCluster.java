package io.github.snowflakeid.etcd;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;

/** A real etcd with one or several members. */
public final class EtcdCluster implements AutoCloseable {

    /** The limit of calls for leases of default length. */
    static final Duration USUAL_LIMIT = Duration.ofSeconds(8);

    private static @Nullable EtcdCluster shared;

    private final List<Integer> ports = new ArrayList<>();
    private final List<ServerProcess> members = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();

    /** @param settings the arguments of each member, in addition to its name, directory and addresses */
    public EtcdCluster(int size, String... settings) {
        List<Integer> peers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            ports.add(ServerProcess.freePort());
            peers.add(ServerProcess.freePort());
        }
        String scheme = List.of(settings).contains("--auto-tls") ? "https" : "http";
        String cluster = IntStream.range(0, size)
                .mapToObj(i -> "n" + i + "=http://127.0.0.1:" + peers.get(i))
                .collect(Collectors.joining(","));
        for (int i = 0; i < size; i++) {
            Path directory = ServerProcess.newDirectory("etcd");
            String client = scheme + "://127.0.0.1:" + ports.get(i);
            String peer = "http://127.0.0.1:" + peers.get(i);
            List<String> command = new ArrayList<>(List.of("etcd", "--name", "n" + i, "--log-level", "error"));
            command.addAll(List.of("--data-dir", directory.resolve("data").toString(), "--unsafe-no-fsync"));
            command.addAll(List.of("--listen-client-urls", client, "--advertise-client-urls", client));
            command.addAll(List.of("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer));
            command.addAll(List.of("--initial-cluster", cluster, "--initial-cluster-state", "new"));
            command.addAll(List.of(settings));
            members.add(new ServerProcess(directory, command));
            directories.add(directory);
        }
        members.forEach(ServerProcess::start);
        if (scheme.equals("http")) {
            awaitReady();
        }
    }

    /**
     * Returns the member that the tests of this JVM share: each test uses separate keys. It must not be closed or
     * configured.
     */
    public static synchronized EtcdCluster shared() {
        if (shared == null) {
            shared = new EtcdCluster(1);
        }
        return shared;
    }

    public void awaitReady() {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).await("http://127.0.0.1:" + ports.get(i) + "/health", status -> status == 200);
        }
    }

    /** Starts members that were killed, and lets frozen members continue. */
    public void startAll() {
        members.forEach(ServerProcess::start);
        awaitReady();
    }

    public ServerProcess member(int index) {
        return members.get(index);
    }

    public int port(int index) {
        return ports.get(index);
    }

    /** Returns the certificate that a member with {@code --auto-tls} creates when it is started. */
    public Path certificate() {
        Path certificate = directories.get(0).resolve("data/fixtures/client/cert.pem");
        while (!Files.exists(certificate)) {
            ServerProcess.sleep(20);
        }
        return certificate;
    }

    public List<String> endpoints() {
        return ports.stream().map(port -> "http://127.0.0.1:" + port).toList();
    }

    /** Returns the index of the leader. */
    public int leader() {
        while (true) {
            for (int i = 0; i < members.size(); i++) {
                Map<String, Object> status = post(i, "/v3/maintenance/status", "{}");
                if (((Map<?, ?>) status.get("header")).get("member_id").equals(status.get("leader"))) {
                    return i;
                }
            }
            ServerProcess.sleep(50);
        }
    }

    /** Sends a request of a test to a member. */
    Map<String, Object> post(int index, String path, String body) {
        String answer = servers(List.of(endpoints().get(index)), USUAL_LIMIT)
                .send(System.nanoTime(), "POST", path, Map.of(), body)
                .body();
        return JsonParserFactory.getJsonParser().parseMap(answer);
    }

    private static HttpServers servers(List<String> endpoints, Duration limit) {
        return new HttpServers("etcd", endpoints.stream().map(URI::create).toList(), () -> null, limit, "Start etcd.");
    }

    /** Opens a registry in any process. */
    public static WorkerRegistry registry(List<String> endpoints, String prefix, String namespace, Duration limit) {
        return new DocumentRegistry(
                new EtcdDocuments(
                        servers(endpoints, limit), null, () -> "", prefix, new AtomicReference<>(), System::nanoTime),
                prefix,
                namespace);
    }

    @Override
    public void close() {
        members.forEach(ServerProcess::close);
    }
}
