package io.github.snowflakeid.internal.http;

import static io.github.snowflakeid.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.consul.ConsulServer;
import io.github.snowflakeid.etcd.EtcdCluster;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.servers.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ssl.SslBundle;

@Timeout(120)
class HttpServersTests {

    private static final String DATE = "Date: Thu, 05 Nov 2026 07:14:15 GMT\r\n";

    private final List<ServerSocket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }

    /** A server that sends the same text to everyone, and then keeps the connection open. */
    private final class Server {

        private final AtomicInteger connections = new AtomicInteger();
        private final ServerSocket socket;

        Server(String text) throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            sockets.add(socket);
            Thread thread = new Thread(() -> {
                List<Socket> open = new ArrayList<>();
                try {
                    while (true) {
                        Socket client = socket.accept();
                        open.add(client);
                        connections.incrementAndGet();
                        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    }
                } catch (IOException e) {
                    // The test has ended.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        String url() {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static String answer(int status, String body) {
        return "HTTP/1.1 %s x\r\n%sConnection: close\r\nContent-Length: %s\r\n\r\n%s"
                .formatted(status, DATE, body.length(), body);
    }

    private static HttpServers servers(Duration limit, String... urls) {
        return new HttpServers(
                "etcd", List.of(urls).stream().map(URI::create).toList(), () -> null, limit, "Start it.");
    }

    private static Answer get(HttpServers servers) {
        return servers.send(System.nanoTime(), "GET", "/x", Map.of(), "");
    }

    @Test
    void asksTheNextServerAndKeepsToTheOneThatAnswers() throws Exception {
        Server broken = new Server(answer(503, "no leader"));
        Server good = new Server(answer(200, "ok"));
        HttpServers servers = servers(
                Duration.ofSeconds(60), "http://127.0.0.1:" + ServerProcess.freePort(), broken.url(), good.url());

        assertThat(get(servers).body()).isEqualTo("ok");
        assertThat(get(servers).server()).hasToString(good.url());
        assertThat(broken.connections).hasValue(1);
        assertThat(good.connections).hasValue(2);
    }

    @Test
    void returnsAnErrorIfThereIsNoBetterAnswer() throws Exception {
        Server broken = new Server(answer(503, "no\nleader"));

        Answer answer = get(servers(Duration.ofSeconds(60), broken.url(), "http://127.0.0.1:1"));

        assertThat(answer.problem(Problem.STORE_UNREACHABLE, "has no leader", null))
                .hasMessage("etcd at %s has no leader (status 503, no\\u000aleader)".formatted(broken.url()));
    }

    /** A server is in the list twice so that a failed connection is replaced. */
    @Test
    void repeatsNoRequestToAServerThatIsOverloaded() throws Exception {
        Server overloaded = new Server(answer(429, "too many requests"));

        assertThat(get(servers(Duration.ofSeconds(60), overloaded.url(), overloaded.url()))
                        .status())
                .isEqualTo(429);
        assertThat(overloaded.connections).hasValue(1);
    }

    @Test
    void invalidTokenIsNotShown() {
        HttpServers servers = servers(Duration.ofSeconds(8), "http://127.0.0.1:1");
        for (String token : List.of("secret\n", "secret\r\n2", "\uFEFFsecret")) {
            Map<String, String> headers = Map.of("Authorization", "Bearer " + token);
            assertThatThrownBy(() -> servers.send(System.nanoTime(), "GET", "/x", headers, ""))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("The token for etcd contains a line break or another character that no token has")
                    .hasNoCause();
        }
    }

    @Test
    void clockIsTheDateOfTheAnswerAndHalfASecond() throws Exception {
        Server good = new Server(answer(200, "ok"));

        assertThat(get(servers(Duration.ofSeconds(60), good.url())).now())
                .isEqualTo(Instant.parse("2026-11-05T07:14:15.500Z"));

        Server without = new Server(answer(200, "ok").replace(DATE, ""));
        Answer undated = get(servers(Duration.ofSeconds(60), without.url()));
        assertThatThrownBy(undated::now)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("etcd at %s sends no header 'Date', which leases need as their clock (status 200, ok)"
                        .formatted(without.url()));
    }

    /** The client's timeout of a request ends with the headers. */
    @Test
    void limitsTheWholeAnswer() throws Exception {
        Server silent = new Server("");
        Server slow = new Server(answer(200, "ok").replace("Length: 2", "Length: 3"));

        assertThatThrownBy(() -> get(servers(Duration.ofMillis(600), silent.url(), slow.url())))
                .isInstanceOf(ConfigurationException.class)
                .message()
                .matches("etcd did not answer \\(%s: no answer after \\d+ ms; %s: no answer after \\d+ ms\\)"
                        .formatted(silent.url(), slow.url()));
    }

    /** A call reads and writes. Otherwise, each request would have the whole time. */
    @ParameterizedTest
    @ValueSource(strings = {"etcd", "Consul"})
    void requestsOfACallShareItsTimeLimit(String store) throws Exception {
        HttpServer slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        slow.createContext("/", exchange -> {
            ServerProcess.sleep(1200);
            boolean isMissing = exchange.getRequestMethod().equals("GET");
            exchange.getResponseHeaders().add("X-Consul-Index", "1");
            byte[] body = (store.equals("etcd") ? "{\"header\": {}, \"succeeded\": true}" : "true")
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(isMissing ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        slow.start();
        try {
            String url = "http://127.0.0.1:" + slow.getAddress().getPort();
            Duration limit = Duration.ofSeconds(2);
            WorkerRegistry registry = store.equals("etcd")
                    ? EtcdCluster.registry(List.of(url), "ids/", "default", limit)
                    : ConsulServer.registry(url, "ids/", "default", limit);

            assertThatThrownBy(() -> registry.acquire(
                            null,
                            Claim.of(0, 7, "a", "test, pid 1", Instant.EPOCH, Instant.EPOCH, "layout"),
                            Duration.ofSeconds(60)))
                    .isInstanceOf(ConfigurationException.class)
                    .message()
                    .matches("%s did not answer \\(%s: no answer after \\d+ ms\\)".formatted(store, url));
        } finally {
            slow.stop(0);
        }
    }

    @Test
    void interruptEndsTheCallAndIsKept() throws Exception {
        Server silent = new Server("");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> get(servers(Duration.ofSeconds(60), silent.url(), silent.url())))
                .isInstanceOf(ConfigurationException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void opensConnectionsAgainAfterItWasClosed() throws Exception {
        Server good = new Server(answer(200, "ok"));
        HttpServers servers = servers(Duration.ofSeconds(60), good.url());
        get(servers);
        servers.close();
        servers.close();

        assertThat(get(servers).body()).isEqualTo("ok");
    }

    @Test
    void failureOfTlsExplainsWhatToTrust(@TempDir Path directory) throws Exception {
        HttpServer server = https("127.0.0.1", TestCertificates.bundle(directory));
        server.start();
        try {
            String url = "https://127.0.0.1:" + server.getAddress().getPort();
            assertThatThrownBy(() -> get(servers(Duration.ofSeconds(60), url)))
                    .isInstanceOfSatisfying(
                            ConfigurationException.class,
                            e -> assertThat(e.action())
                                    .hasValue(
                                            "This process must trust the certificate of the server, for example by an SSL bundle, and the certificate must be valid for the host in the URL. Start it."));
        } finally {
            server.stop(0);
        }
    }

    /** A headless service of Kubernetes has the address of each pod. */
    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void asksTheOtherAddressesOfAName(String scheme, @TempDir Path directory) throws Exception {
        SslBundle tls = TestCertificates.bundle(directory);
        HttpServer second = scheme.equals("http")
                ? HttpServer.create(new InetSocketAddress("127.0.0.2", 0), 0)
                : https("127.0.0.2", tls);
        second.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        second.start();
        try {
            HttpServers servers = new HttpServers(
                    "etcd",
                    List.of(URI.create(
                            scheme + "://localhost:" + second.getAddress().getPort())),
                    () -> tls,
                    Duration.ofSeconds(60),
                    "Start it.",
                    host -> new InetAddress[] {InetAddress.getByName("127.0.0.1"), InetAddress.getByName("127.0.0.2")});

            assertThat(get(servers).server()).hasHost("localhost");
            assertThat(get(servers).status()).isEqualTo(200);
        } finally {
            second.stop(0);
        }
    }

    @Test
    void hangingLookupOfANameLeavesTimeForTheNextServer() throws Exception {
        Server good = new Server(answer(200, "ok"));
        AtomicInteger lookups = new AtomicInteger();
        HttpServers servers = new HttpServers(
                "etcd",
                List.of(URI.create("http://localhost:1"), URI.create(good.url())),
                () -> null,
                Duration.ofSeconds(6),
                "Start it.",
                host -> {
                    lookups.incrementAndGet();
                    ServerProcess.sleep(60_000);
                    throw new UnknownHostException(host);
                });

        assertThat(get(servers).body()).isEqualTo("ok");
        assertThat(get(servers).body()).isEqualTo("ok");
        assertThat(lookups).hasValue(1);
    }

    /** Such a proxy selects the service by the name. */
    @Test
    void proxyThatRejectsRequestsToItsAddressIsAskedByItsNameAgain() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        int port = ServerProcess.freePort();
        HttpServer proxy = HttpServer.create(new InetSocketAddress("127.0.0.2", port), 0);
        proxy.createContext("/", exchange -> {
            refused.incrementAndGet();
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        proxy.start();
        HttpServer named = HttpServer.create();
        named.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        try {
            HttpServers servers = new HttpServers(
                    "etcd",
                    List.of(URI.create("http://localhost:" + port)),
                    () -> null,
                    Duration.ofSeconds(60),
                    "Start it.",
                    host -> new InetAddress[] {InetAddress.getByName("127.0.0.1"), InetAddress.getByName("127.0.0.2")});
            assertThat(get(servers).status()).isEqualTo(404);

            named.bind(new InetSocketAddress("127.0.0.1", port), 0);
            named.start();

            assertThat(get(servers).status()).isEqualTo(200);
            assertThat(refused).hasValue(1);
        } finally {
            proxy.stop(0);
            named.stop(0);
        }
    }

    private static HttpServer https(String address, SslBundle tls) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(address, 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.createSslContext()));
        return server;
    }

    @Test
    void asksTheNextServerIfOneIsALearnerOrOverloaded() throws Exception {
        Server learner = new Server(answer(400, "{\"message\": \"etcdserver: rpc not supported for learner\"}"));
        Server overloaded = new Server(answer(429, "too many requests"));
        Server good = new Server(answer(200, "ok"));

        assertThat(get(servers(Duration.ofSeconds(60), learner.url(), overloaded.url(), good.url()))
                        .body())
                .isEqualTo("ok");
    }

    /** A thread of an application that was undeployed would keep its class loader in memory. */
    @Test
    void threadsEndOrAtLeastHoldNoClassLoader() throws Exception {
        Server good = new Server(answer(200, "ok"));
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        HttpServers servers = servers(Duration.ofSeconds(60), good.url());
        get(servers);
        servers.close();

        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread)
                        && thread.getName().toLowerCase(Locale.ROOT).contains("http"))
                .allSatisfy(thread -> assertThat(thread.getContextClassLoader()).isNull())
                .hasSizeLessThanOrEqualTo(Runtime.version().feature() < 21 ? 1 : 0));
    }
}
