package io.github.snowflakeid.consul;

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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A real Consul with one server. */
public final class ConsulServer implements AutoCloseable {

    static final Duration USUAL_LIMIT = Duration.ofSeconds(8);

    private static @Nullable ConsulServer shared;

    private final int port = ServerProcess.freePort();
    private final int wanPort = ServerProcess.freePort();
    private final ServerProcess process;

    /** @param configuration additional settings in JSON */
    public ConsulServer(String datacenter, String configuration) {
        Path directory = ServerProcess.newDirectory("consul");
        List<String> command = new ArrayList<>(List.of("consul", "agent", "-server", "-bootstrap-expect=1"));
        try {
            Path file = Files.writeString(directory.resolve("settings.json"), configuration);
            command.addAll(List.of("-config-file", file.toString()));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        command.addAll(List.of("-data-dir", directory.resolve("data").toString(), "-datacenter", datacenter));
        command.addAll(List.of("-bind", "127.0.0.1", "-client", "127.0.0.1", "-dns-port", "-1", "-log-level", "err"));
        command.addAll(List.of("-http-port", String.valueOf(port), "-serf-wan-port", String.valueOf(wanPort)));
        command.addAll(List.of("-server-port", String.valueOf(ServerProcess.freePort())));
        command.addAll(List.of("-serf-lan-port", String.valueOf(ServerProcess.freePort())));
        process = new ServerProcess(directory, command);
        start();
    }

    public ConsulServer() {
        this("dc1", "{\"performance\": {\"raft_multiplier\": 1}}");
    }

    /**
     * Returns the server that the tests of this JVM share: each test uses separate keys. It must not be closed or
     * configured.
     */
    public static synchronized ConsulServer shared() {
        if (shared == null) {
            shared = new ConsulServer();
        }
        return shared;
    }

    /** Starts the server, and waits for its leader. */
    public void start() {
        process.start();
        // A token may be needed, but without a leader the status is 500.
        process.await(url() + "/v1/kv/nothing?consistent", status -> status == 404 || status == 403);
    }

    public ServerProcess process() {
        return process;
    }

    public int port() {
        return port;
    }

    int wanPort() {
        return wanPort;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Sends a request of a test. */
    HttpServers.Answer send(String method, String path, @Nullable String token, String body) {
        return servers(url(), USUAL_LIMIT)
                .send(
                        System.nanoTime(),
                        method,
                        path,
                        token == null ? Map.of() : Map.of("X-Consul-Token", token),
                        body);
    }

    private static HttpServers servers(String url, Duration limit) {
        return new HttpServers("Consul", List.of(URI.create(url)), () -> null, limit, "Start Consul.");
    }

    /** Opens a registry in any process. */
    public static WorkerRegistry registry(String url, String prefix, String namespace, Duration limit) {
        ConsulDocuments documents = new ConsulDocuments(
                servers(url, limit), () -> "", null, false, prefix, new AtomicBoolean(), System::nanoTime);
        return new DocumentRegistry(documents, prefix, namespace);
    }

    @Override
    public void close() {
        process.close();
    }
}
