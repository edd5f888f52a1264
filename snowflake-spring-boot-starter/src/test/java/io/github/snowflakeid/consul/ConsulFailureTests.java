package io.github.snowflakeid.consul;

import static io.github.snowflakeid.servers.StoreChecks.assertReadFails;
import static io.github.snowflakeid.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.servers.HttpLink;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.json.JsonParserFactory;

/** Failures of a real Consul. */
@Tag("servers")
@Timeout(300)
class ConsulFailureTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");
    private static final String ROOT = "root-token";

    private static ConsulServer restricted;

    @BeforeAll
    static void start() {
        restricted = new ConsulServer("dc1", """
                {
                  "acl": {"enabled": true, "default_policy": "deny", "tokens": {"master": "%s"}},
                  "performance": {"raft_multiplier": 1}
                }
                """.formatted(ROOT));
    }

    @AfterAll
    static void stop() {
        if (restricted != null) {
            restricted.close();
        }
    }

    /** Creates a token with a permission. */
    private static String token(String policy) {
        String name = "p" + UUID.randomUUID();
        String rules = "key_prefix \\\"snowflake/\\\" { policy = \\\"%s\\\" }".formatted(policy);
        await().until(() -> restricted
                        .send(
                                "PUT",
                                "/v1/acl/policy",
                                ROOT,
                                "{\"Name\": \"%s\", \"Rules\": \"%s\"}".formatted(name, rules))
                        .status()
                == 200);
        String answer = restricted
                .send("PUT", "/v1/acl/token", ROOT, "{\"Policies\": [{\"Name\": \"%s\"}]}".formatted(name))
                .body();
        return (String) JsonParserFactory.getJsonParser().parseMap(answer).get("SecretID");
    }

    private static WorkerRegistry registry(String url, @Nullable String token, String datacenter, boolean isIdSet) {
        HttpServers servers =
                new HttpServers("Consul", List.of(URI.create(url)), () -> null, ConsulServer.USUAL_LIMIT, "Start it.");
        return new DocumentRegistry(
                new ConsulDocuments(
                        servers,
                        () -> token == null ? "" : token,
                        datacenter,
                        isIdSet,
                        "snowflake/",
                        new AtomicBoolean(),
                        System::nanoTime),
                "snowflake/",
                UUID.randomUUID().toString());
    }

    private static Claim claim(String owner) {
        return Claim.of(0, 7, owner, "test, pid 1", Instant.EPOCH, SOME_TIME, "layout");
    }

    /** To a search, Consul answers a token without permissions as if there were no keys. */
    @Test
    void deniedKeysAreNoEmptyStore() {
        for (String token : new String[] {null, token("deny")}) {
            assertReadFails(
                    registry(restricted.url(), token, "", false),
                    "Consul at http://127.0.0.1:\\d+ does not permit the token to read and write all keys below 'snowflake/' \\(status .*",
                    "consul acl policy create -name snowflake -rules 'key_prefix \"snowflake/\" { policy = \"write\" }'");
        }
        WorkerRegistry readOnly = registry(restricted.url(), token("read"), "", false);
        assertThat(readOnly.read().entries()).isEmpty();
        assertThatThrownBy(() -> readOnly.acquire(null, claim("a"), TTL))
                .isInstanceOf(SnowflakeException.class)
                .hasMessageContaining("does not permit the token to read and write all keys");
    }

    private static HttpServer server(String header, int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean isSearch = exchange.getRequestURI().getPath().startsWith("/v1/kv/");
            byte[] answer = (isSearch ? body : "[\"dc1\"]").getBytes(StandardCharsets.UTF_8);
            if (isSearch) {
                exchange.getResponseHeaders().add(header, "true");
            }
            exchange.sendResponseHeaders(isSearch ? status : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static WorkerRegistry registry(HttpServer server) {
        return registry("http://127.0.0.1:" + server.getAddress().getPort(), null, "", false);
    }

    /** Since version 1.11, Consul says so if it leaves keys out. */
    @Test
    void keysThatAreLeftOutAreADenial() throws Exception {
        HttpServer server = server("X-Consul-Results-Filtered-By-ACLs", 200, "[]");
        try {
            assertReadFails(
                    registry(server),
                    "Consul at http://127.0.0.1:\\d+ does not permit the token to read and write all keys below 'snowflake/' .*",
                    "consul acl policy create");
        } finally {
            server.stop(0);
        }
    }

    /** A renewal that took this for a missing key would give the worker ID up. */
    @Test
    void answersOfAProxyAreNoEmptyStore() throws Exception {
        HttpServer server = server("Server", 404, "no route");
        try {
            WorkerRegistry registry = registry(server);
            assertReadFails(
                    registry,
                    "Consul at http://127.0.0.1:\\d+ rejected the call \\(status 404, no route\\)",
                    "Remove the cause");
            assertThatThrownBy(() -> registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL))
                    .isInstanceOf(ConfigurationException.class);
        } finally {
            server.stop(0);
        }
        HttpServer login = server("Server", 200, "<html>Log in</html>");
        try {
            assertReadFails(
                    registry(login),
                    "Consul at http://127.0.0.1:\\d+ sends no JSON \\(status 200, <html>Log in</html>\\)",
                    "Connect without the proxy");
        } finally {
            login.stop(0);
        }
    }

    @Test
    void leasesWithAToken() {
        WorkerRegistry registry = registry(restricted.url(), token("write"), "", false);

        assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();
        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly("a");
    }

    @Test
    void tokenIsUnknown() {
        assertReadFails(
                registry(restricted.url(), "unknown", "dc1", false),
                "Consul at http://127.0.0.1:\\d+ does not know the token \\(status 403, ACL not found\\)",
                "snowflake.worker.consul.token: ${CONSUL_HTTP_TOKEN}");
    }

    @Test
    void severalDatacentersMustBeDistinguished() {
        try (ConsulServer first = new ConsulServer();
                ConsulServer other = new ConsulServer("dc2", "{\"performance\": {\"raft_multiplier\": 1}}")) {
            assertThat(first.send("PUT", "/v1/agent/join/127.0.0.1:" + other.wanPort() + "?wan=1", null, "")
                            .status())
                    .isEqualTo(200);
            for (ConsulServer each : List.of(first, other)) {
                await().until(() -> each.send("GET", "/v1/catalog/datacenters", null, "")
                        .body()
                        .matches(".*dc1.*dc2.*|.*dc2.*dc1.*"));
                assertReadFails(
                        registry(each.url(), null, "", false),
                        "Consul at .* has several datacenters \\(dc., dc.\\), and each of them would lease the same worker IDs",
                        "snowflake.worker.consul.datacenter: dc");
                assertThatCode(registry(each.url(), null, "", true)::read).doesNotThrowAnyException();
            }
            WorkerRegistry here = registry(first.url(), null, "dc1", false);
            WorkerRegistry there = new DocumentRegistry(
                    new ConsulDocuments(
                            new HttpServers(
                                    "Consul",
                                    List.of(URI.create(other.url())),
                                    () -> null,
                                    ConsulServer.USUAL_LIMIT,
                                    "Start it."),
                            () -> "",
                            "dc1",
                            false,
                            "snowflake/",
                            new AtomicBoolean(),
                            System::nanoTime),
                    "snowflake/",
                    here.namespace());
            assertThat(here.acquire(null, claim("a"), TTL)).isTrue();
            assertThat(there.read().entries()).extracting(Entry::owner).containsExactly("a");
            assertThat(there.acquire(null, claim("b"), TTL)).isFalse();
            assertThat(there.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL)).isTrue();
        }
        assertReadFails(
                registry(ConsulServer.shared().url(), null, "dc9", false),
                "Consul at .* does not reach the datacenter \\(status 500, No path to datacenter\\)",
                "consul catalog datacenters");
    }

    @Test
    void leasesSurviveARestart() {
        try (ConsulServer server = new ConsulServer()) {
            WorkerRegistry registry = registry(server.url(), null, "", false);
            assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();

            server.process().kill();
            assertThatThrownBy(() -> registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("Consul did not answer");
            server.start();

            assertThat(registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL))
                    .isTrue();
        }
    }

    @Test
    void otherDataIsReportedButAFolderIsNone() {
        WorkerRegistry registry = registry(ConsulServer.shared().url(), null, "dc1", false);
        String folder = "/v1/kv/snowflake/" + registry.namespace() + "/";
        ConsulServer.shared().send("PUT", folder, null, "");
        assertThat(registry.read().entries()).isEmpty();

        ConsulServer.shared().send("PUT", folder + "0-7", null, "x");
        assertReadFails(
                registry,
                "Key 'snowflake/.*/0-7' of Consul is not a lease of a worker ID",
                "snowflake.worker.consul.prefix: snowflake-worker-ids/");
    }

    @Test
    void lostAnswersAreRecognized() throws Exception {
        try (HttpLink link = new HttpLink(ConsulServer.shared().port())) {
            WorkerRegistry registry = registry("http://127.0.0.1:" + link.port(), null, "dc1", false);
            assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();

            link.loseAnswerAfter(1);
            Instant until = SOME_TIME.plusSeconds(20);
            assertThatThrownBy(() -> registry.renew(claim("a"), until, TTL)).isInstanceOf(ConfigurationException.class);

            assertThat(registry.read().contains(claim("a").until(until))).isTrue();
        }
    }
}
