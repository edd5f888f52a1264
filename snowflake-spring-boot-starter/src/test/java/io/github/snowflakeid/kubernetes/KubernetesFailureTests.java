package io.github.snowflakeid.kubernetes;

import static io.github.snowflakeid.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.servers.HttpLink;
import io.github.snowflakeid.servers.StoreChecks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.json.JsonWriter;
import org.yaml.snakeyaml.Yaml;

/** Requests that a real API server rejects, and answers that are not from an API server. */
@Tag("servers")
@Timeout(300)
class KubernetesFailureTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private KubernetesServer server;
    private String cluster;

    @BeforeEach
    void open() {
        server = KubernetesServer.shared();
        cluster = server.newNamespace();
    }

    private WorkerRegistry registry(Supplier<String> token) {
        return registry(server.url(), token);
    }

    private WorkerRegistry registry(String url, Supplier<String> token) {
        return KubernetesServer.registry(
                url, server.certificate(), token, cluster, "shop", KubernetesServer.USUAL_LIMIT);
    }

    private static Claim claim(String owner) {
        return Claim.of(0, 7, owner, "test, pid 1", Instant.EPOCH, SOME_TIME, "layout");
    }

    private static ConfigurationException failure(ThrowingCallable call) {
        AtomicReference<ConfigurationException> known = new AtomicReference<>();
        assertThatThrownBy(call)
                .isInstanceOf(SnowflakeException.class)
                .satisfies(e -> known.set(
                        e instanceof ConfigurationException direct ? direct : (ConfigurationException) e.getCause()));
        return known.get();
    }

    /** Applies the lines of an action, as an administrator would paste them. */
    private void apply(String action) {
        for (Object manifest : new Yaml().loadAll(action.substring(action.indexOf("apiVersion:")))) {
            Object kind = ((java.util.Map<?, ?>) manifest).get("kind");
            server.request(
                    "POST",
                    "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/%s"
                            .formatted(cluster, kind.equals("Role") ? "roles" : "rolebindings"),
                    JsonWriter.standard().writeToString(manifest));
        }
    }

    @ParameterizedTest
    @CsvSource({"get, list, create", "get, list, update", "get, create, update", "list, create, update"})
    void missingPermissionIsGrantedByTheAction(String first, String second, String third) {
        server.permit(cluster, first + ", " + second + ", " + third);
        String token = server.token(cluster);
        WorkerRegistry registry = registry(() -> token);

        ConfigurationException failure = failure(() -> {
            registry.read();
            registry.acquire(null, claim("a"), TTL);
            registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL);
        });

        assertThat(failure.getMessage())
                .startsWith(
                        "Kubernetes at %s does not permit 'system:serviceaccount:%s:default' to use leases in namespace '%s' (status 403, "
                                .formatted(server.url(), cluster, cluster));
        // A binding for each account: applying one for another account would take this one's permission.
        assertThat(failure.action().orElseThrow()).contains("{name: snowflake-default, ");
        apply(failure.action().orElseThrow());
        registry.acquire(null, claim("a"), TTL);
        assertThat(registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL)).isTrue();
    }

    /** Without a token, the API server answers as if a user lacked permissions. A Role would be the wrong advice. */
    @Test
    void missingOrInvalidTokenIsNoMissingPermission() {
        for (String token : new String[] {"", "invalid"}) {
            ConfigurationException failure = failure(registry(() -> token)::read);
            assertThat(failure.getMessage()).contains(" rejects the token, or requires one (status 40");
            assertThat(failure.action().orElseThrow())
                    .contains("automountServiceAccountToken: true")
                    .contains("snowflake.worker.kubernetes.token-file: /path/of/token");
        }
    }

    /** The API server also answers 403 if a quota or the state of the namespace prevents new objects. */
    @Test
    void rejectedObjectIsNoMissingPermission() {
        server.permit(cluster, "get, list, create, update");
        String token = server.token(cluster);
        String quotas = "/api/v1/namespaces/" + cluster + "/resourcequotas";
        String hard = "{\"count/leases.coordination.k8s.io\": \"0\"}";
        server.request("POST", quotas, "{\"metadata\": {\"name\": \"q\"}, \"spec\": {\"hard\": %s}}".formatted(hard));
        server.request("PATCH", quotas + "/q/status", "{\"status\": {\"hard\": %s, \"used\": %1$s}}".formatted(hard));

        WorkerRegistry registry = registry(() -> token);
        await().untilAsserted(() -> assertThat(failure(() -> registry.acquire(null, claim("a"), TTL)))
                .hasMessageContaining(" rejected the call (status 403, ")
                .hasMessageContaining("exceeded quota"));

        server.request("DELETE", quotas + "/q", "");
        server.request("DELETE", "/api/v1/namespaces/" + cluster, "");
        await().untilAsserted(() -> assertThat(failure(() -> registry.acquire(null, claim("a"), TTL)))
                .hasMessageContaining(" rejected the call (status 403, ")
                .hasMessageContaining("because it is being terminated"));
    }

    @Test
    void absentNamespaceIsReported() {
        cluster = "absent";
        WorkerRegistry registry = registry(() -> "admin-token");
        assertThat(registry.read().entries()).isEmpty();

        ConfigurationException failure = failure(() -> registry.acquire(null, claim("a"), TTL));

        assertThat(failure.getMessage()).contains(" has no namespace 'absent' (status 404, ");
        assertThat(failure.action().orElseThrow()).contains("snowflake.worker.kubernetes.namespace: default");
    }

    @Test
    void idsContinueWithoutPermissionUntilTheLeaseEndsAndResumeAfterwards() {
        server.permit(cluster, "get, list, create, update");
        String token = server.token(cluster);
        StoreChecks.assertIdsContinueWithoutPermission(
                registry(() -> token),
                () -> server.request(
                        "DELETE", "/apis/rbac.authorization.k8s.io/v1/namespaces/" + cluster + "/roles", ""),
                "does not permit 'system:serviceaccount:" + cluster + ":default'",
                () -> server.permit(cluster, "get, list, create, update"));
    }

    /** Kubernetes replaces the file through a link. The Secret that the old token is bound to was deleted. */
    @Test
    // Slow: the API server remembers for some 10 s that a token is valid.
    @Tag("full")
    void replacedTokenIsUsedWhenTheOldOneBecomesInvalid(@TempDir Path directory) throws Exception {
        server.permit(cluster, "get, list, create, update");
        server.request("POST", "/api/v1/namespaces/" + cluster + "/secrets", "{\"metadata\": {\"name\": \"bound\"}}");
        server.token(cluster);
        Path first = Files.createDirectory(directory.resolve("..1"));
        Files.writeString(
                first.resolve("token"),
                server.token(
                        cluster,
                        "default",
                        "{\"boundObjectRef\": {\"kind\": \"Secret\", \"apiVersion\": \"v1\", \"name\": \"bound\"}}"));
        Files.createSymbolicLink(directory.resolve("..data"), first);
        Path file = Files.createSymbolicLink(directory.resolve("token"), Path.of("..data/token"));
        Supplier<String> token = () -> {
            try {
                return Files.readString(file);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        };
        WorkerRegistry registry = registry(token);
        registry.read();
        server.request("DELETE", "/api/v1/namespaces/" + cluster + "/secrets/bound", "");
        await().untilAsserted(() -> assertThat(failure(registry::read)).hasMessageContaining("rejects the token"));

        Path second = Files.createDirectory(directory.resolve("..2"));
        Files.writeString(second.resolve("token"), server.token(cluster));
        Files.move(
                Files.createSymbolicLink(directory.resolve("..new"), second),
                directory.resolve("..data"),
                java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();
    }

    /** The token is read before the request, and may be replaced before the API server looks at it. */
    @Test
    void rejectedTokenIsReadOnceMore() {
        server.permit(cluster, "get, list, create, update");
        String valid = server.token(cluster);
        AtomicInteger reads = new AtomicInteger();

        registry(() -> reads.getAndIncrement() == 0 ? "outdated" : valid).read();

        assertThat(reads).hasValue(2);
    }

    /** A connection ends within an answer, at each place of a renewal. */
    @Test
    void lostAnswersAreRecognized() throws Exception {
        server.permit(cluster, "get, list, create, update");
        String token = server.token(cluster);
        try (HttpLink link = new HttpLink(server.port())) {
            WorkerRegistry registry = registry("https://127.0.0.1:" + link.port(), () -> token);
            assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();
            Claim held = claim("a");
            for (int i = 0; i < 12; i++) {
                link.forgetAnswers();
                link.loseAnswerAfter(i % 4);
                Instant until = held.reservedUntil().plusSeconds(1);
                assertThat(registry.renew(held, until, TTL)).isTrue();
                held = held.until(until);
            }
            // A connection that does not answer any more, as after a firewall forgot it.
            link.forgetAnswers();
            link.silence();
            assertThat(registry.renew(held, SOME_TIME.plusSeconds(60), TTL)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | <html>Log in</html>                       | sends no LeaseList (status 200, <html>Log in</html>)",
                "200 | {\"kind\": \"List\", \"items\": []}       | sends no LeaseList (status 200, ",
                "302 |                                           | rejected the call (status 302, )",
                "403 | <html>Blocked</html>                      | rejected the call (status 403, <html>Blocked</html>)",
                "404 | 404 page not found                        | rejected the call (status 404, 404 page not found)",
                "409 | <html>Conflict</html>                     | rejected the call (status 409, ",
                "422 | {\"kind\": \"Status\"}                    | rejected the call (status 422, ",
                "429 | Too many requests                         | is overloaded, or does not reach its etcd (status 429, ",
                "500 | etcdserver: request timed out             | is overloaded, or does not reach its etcd (status 500, ",
                "504 | {\"kind\": \"Status\"}                    | is overloaded, or does not reach its etcd (status 504, "
            })
    void otherAnswersAreNoAnswer(int status, String body, String message) throws Exception {
        HttpServer proxy = proxy(status, body == null ? "" : body);
        try {
            WorkerRegistry registry = KubernetesServer.registry(
                    "http://127.0.0.1:" + proxy.getAddress().getPort(),
                    null,
                    () -> "",
                    cluster,
                    "shop",
                    KubernetesServer.USUAL_LIMIT);
            assertThat(failure(registry::read)).hasMessageContaining(message);
            // A renewal that took this for a missing or changed object would give the worker ID up.
            assertThatThrownBy(() -> registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL))
                    .isInstanceOf(SnowflakeException.class);
        } finally {
            proxy.stop(0);
        }
    }

    /** A proxy that answers writes itself. */
    @ParameterizedTest
    @ValueSource(ints = {200, 201, 404, 409})
    void answerOfAProxyToAWriteIsNoResult(int status) throws Exception {
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            boolean isRead = exchange.getRequestMethod().equals("GET");
            byte[] body = (isRead
                            ? "{\"kind\": \"Status\", \"details\": {\"kind\": \"leases\", \"name\": \"snowflake-shop-0-7\"}}"
                            : "{\"kind\": \"Status\", \"details\": {\"kind\": \"resourcequotas\", \"name\": \"q\"}}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isRead ? 404 : status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        proxy.start();
        try {
            WorkerRegistry registry = KubernetesServer.registry(
                    "http://127.0.0.1:" + proxy.getAddress().getPort(),
                    null,
                    () -> "",
                    cluster,
                    "shop",
                    KubernetesServer.USUAL_LIMIT);
            assertThat(failure(() -> registry.acquire(null, claim("a"), TTL)))
                    .hasMessageContaining("(status " + status);
        } finally {
            proxy.stop(0);
        }
    }

    private static HttpServer proxy(int status, String body) throws Exception {
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        proxy.start();
        return proxy;
    }
}
