package io.github.snowflakeid.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * A real API server of Kubernetes with RBAC, and its etcd. There are no pods, because nothing else of Kubernetes runs.
 */
public final class KubernetesServer implements AutoCloseable {

    public static final Duration USUAL_LIMIT = Duration.ofSeconds(8);

    public static final String ADMIN = "admin-token";

    private static @Nullable KubernetesServer shared;

    private final Path directory;
    private final int port = ServerProcess.freePort();
    private final ServerProcess etcd;
    private final ServerProcess api;

    public KubernetesServer() {
        ServerProcess.assumed("kube-apiserver");
        directory = ServerProcess.newDirectory("kubernetes");
        String client = "http://127.0.0.1:" + ServerProcess.freePort();
        String peer = "http://127.0.0.1:" + ServerProcess.freePort();
        List<String> command = new ArrayList<>(List.of("etcd", "--log-level", "error", "--unsafe-no-fsync"));
        command.addAll(List.of("--data-dir", directory.resolve("etcd").toString()));
        command.addAll(List.of("--listen-client-urls", client, "--advertise-client-urls", client));
        command.addAll(List.of("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer));
        command.addAll(List.of("--initial-cluster", "default=" + peer));
        etcd = new ServerProcess(newDirectory("log-of-etcd"), command);
        try {
            Files.writeString(directory.resolve("tokens.csv"), ADMIN + ",admin,1,system:masters");
            KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2048);
            Files.writeString(
                    directory.resolve("account.key"),
                    "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                            .formatted(Base64.getMimeEncoder()
                                    .encodeToString(
                                            keys.generateKeyPair().getPrivate().getEncoded())));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        String key = directory.resolve("account.key").toString();
        api = new ServerProcess(
                newDirectory("log-of-api-server"),
                List.of(
                        "kube-apiserver",
                        "--etcd-servers=" + client,
                        "--secure-port=" + port,
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--cert-dir=" + directory.resolve("certificates"),
                        "--token-auth-file=" + directory.resolve("tokens.csv"),
                        "--authorization-mode=RBAC",
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--service-cluster-ip-range=10.0.0.0/24"));
        start();
    }

    private Path newDirectory(String name) {
        try {
            return Files.createDirectory(directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the server that the tests of this JVM share: each test uses a separate namespace. It must not be closed. */
    public static synchronized KubernetesServer shared() {
        if (shared == null) {
            shared = new KubernetesServer();
        }
        return shared;
    }

    /** Starts what was killed, lets continue what was frozen, and waits until the API server is ready. */
    public void start() {
        etcd.start();
        api.start();
        for (long end = System.nanoTime() + Duration.ofSeconds(120).toNanos(); System.nanoTime() < end; ) {
            try {
                if (admin("GET", "/readyz", "").status() == 200
                        && admin("GET", "/api/v1/namespaces/default", "").status() == 200) {
                    return;
                }
            } catch (ConfigurationException | IllegalStateException e) {
                // It has not started yet, or has not written its certificate.
            }
            ServerProcess.sleep(50);
        }
        throw new IllegalStateException("The API server is not ready: see " + directory);
    }

    public ServerProcess api() {
        return api;
    }

    public ServerProcess etcd() {
        return etcd;
    }

    public int port() {
        return port;
    }

    public String url() {
        return "https://127.0.0.1:" + port;
    }

    /** Returns the certificate of the API server, which it creates when it is started and there is none. */
    public Path certificate() {
        return directory.resolve("certificates/apiserver.crt");
    }

    /** Sends a request as an administrator of the cluster. */
    public Answer admin(String method, String path, String body) {
        return send(ADMIN, method, path, body);
    }

    private Answer send(String token, String method, String path, String body) {
        Map<String, String> headers = Map.of(
                "Authorization",
                "Bearer " + token,
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
        return servers(url(), certificate(), USUAL_LIMIT).send(System.nanoTime(), method, path, headers, body);
    }

    /** Sends a request as an administrator of the cluster. It must succeed. */
    public Map<String, Object> request(String method, String path, String body) {
        Answer answer = admin(method, path, body);
        assertThat(answer.status()).as(answer.body()).isBetween(200, 202);
        return KubernetesDocuments.parsed(answer);
    }

    /** Creates a namespace with a random name. */
    public String newNamespace() {
        String name = "test-" + UUID.randomUUID();
        request("POST", "/api/v1/namespaces", "{\"metadata\": {\"name\": \"%s\"}}".formatted(name));
        return name;
    }

    /** Permits the service account 'default' of a namespace to use verbs on leases. */
    public void permit(String namespace, String verbs) {
        String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace;
        String name = "r" + UUID.randomUUID();
        request("POST", rbac + "/roles", """
                {"metadata": {"name": "%s"},
                 "rules": [{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": [%s]}]}
                """.formatted(name, verbs.replaceAll("\\w+", "\"$0\"")));
        request("POST", rbac + "/rolebindings", """
                {"metadata": {"name": "%1$s"},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "%1$s"},
                 "subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": "%2$s"}]}
                """.formatted(name, namespace));
    }

    /** Returns a token of the service account 'default', which is created if necessary. */
    public String token(String namespace) {
        admin(
                "POST",
                "/api/v1/namespaces/" + namespace + "/serviceaccounts",
                "{\"metadata\": {\"name\": \"default\"}}");
        return token(namespace, "default", "{}");
    }

    /** @param specification the specification of a TokenRequest */
    public String token(String namespace, String account, String specification) {
        Map<String, Object> answer = request(
                "POST",
                "/api/v1/namespaces/%s/serviceaccounts/%s/token".formatted(namespace, account),
                "{\"spec\": %s}".formatted(specification));
        return ((Map<?, ?>) answer.get("status")).get("token").toString();
    }

    static HttpServers servers(String url, @Nullable Path certificate, Duration limit) {
        return new HttpServers(
                "Kubernetes",
                List.of(URI.create(url), URI.create(url)),
                () -> certificate == null
                        ? null
                        : SslBundle.of(new PemSslStoreBundle(
                                (PemSslStoreDetails) null, PemSslStoreDetails.forCertificate("file:" + certificate))),
                limit,
                "Start it.");
    }

    static KubernetesDocuments documents(
            HttpServers servers, Supplier<String> token, String cluster, String namespace) {
        return new KubernetesDocuments(servers, token, cluster, namespace, System::nanoTime, new AtomicReference<>());
    }

    /** Opens a registry in any process. */
    public static WorkerRegistry registry(
            String url,
            @Nullable Path certificate,
            Supplier<String> token,
            String cluster,
            String namespace,
            Duration limit) {
        return new DocumentRegistry(
                documents(servers(url, certificate, limit), token, cluster, namespace), "snowflake/", namespace);
    }

    @Override
    public void close() {
        api.close();
        etcd.close();
    }
}
