package io.github.snowflakeid.etcd;

import static io.github.snowflakeid.servers.StoreChecks.assertReadFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import io.github.snowflakeid.servers.HttpLink;
import io.github.snowflakeid.servers.StoreChecks;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of a real etcd with one member. */
@Tag("servers")
@Timeout(300)
class EtcdFailureTests {

    private static final Duration LIMIT = EtcdCluster.USUAL_LIMIT;
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private static EtcdCluster protectedCluster;

    private final String namespace = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        protectedCluster = new EtcdCluster(1);
        for (String user : List.of("root", "shop")) {
            protectedCluster.post(
                    0, "/v3/auth/user/add", "{\"name\": \"%s\", \"password\": \"s\\\"1\"}".formatted(user));
            protectedCluster.post(0, "/v3/auth/role/add", "{\"name\": \"%s\"}".formatted(user));
            protectedCluster.post(0, "/v3/auth/user/grant", "{\"user\": \"%s\", \"role\": \"%1$s\"}".formatted(user));
        }
        protectedCluster.post(
                0,
                "/v3/auth/role/grant",
                "{\"name\": \"shop\", \"perm\": {\"permType\": \"READWRITE\", \"key\": \"%s\", \"range_end\": \"%s\"}}"
                        .formatted(base64("snowflake/"), base64("snowflake0")));
        protectedCluster.post(0, "/v3/auth/enable", "{}");
    }

    @AfterAll
    static void stop() {
        if (protectedCluster != null) {
            protectedCluster.close();
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static EtcdDocuments documents(
            EtcdCluster cluster, @Nullable String user, @Nullable String password, String prefix) {
        HttpServers servers = new HttpServers(
                "etcd", cluster.endpoints().stream().map(URI::create).toList(), () -> null, LIMIT, "Start etcd.");
        return new EtcdDocuments(
                servers,
                user,
                () -> password == null ? "" : password,
                prefix,
                new AtomicReference<>(),
                System::nanoTime);
    }

    private WorkerRegistry registry(
            EtcdCluster cluster, @Nullable String user, @Nullable String password, String prefix) {
        return new DocumentRegistry(documents(cluster, user, password, prefix), prefix, namespace);
    }

    private static Claim claim(String owner) {
        return Claim.of(0, 7, owner, "test, pid 1", Instant.EPOCH, SOME_TIME, "layout");
    }

    @Test
    void loginsAreRejected() {
        for (String user : new String[] {null, "root", "nobody"}) {
            assertReadFails(
                    registry(protectedCluster, user, "wrong", "snowflake/"),
                    "etcd at http://127.0.0.1:\\d+ rejects the login \\(status 400, .*\\)",
                    "snowflake.worker.etcd.username: shop");
        }
    }

    /** An etcd with {@code --client-cert-auth} and authentication answers this. */
    @Test
    void certificateHasACommonName() {
        Answer answer = new Answer(
                "etcd",
                URI.create("https://127.0.0.1:2379"),
                400,
                HttpHeaders.of(Map.of(), (name, value) -> true),
                "CommonName of client sending a request against gateway will be ignored and not used as expected\n");

        assertThatThrownBy(() -> answer.checked(EtcdDocuments.RULES, "snowflake/"))
                .cause()
                .hasMessageStartingWith(
                        "etcd at https://127.0.0.1:2379 rejects client certificates with a common name at its JSON gateway (status 400, Common")
                .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void userLacksAPermission() {
        assertReadFails(
                registry(protectedCluster, "shop", "s\"1", "ids/"),
                "etcd at http://127.0.0.1:\\d+ does not permit the user to read and write keys below 'ids/' \\(status 403, .*permission denied.*\\)",
                "etcdctl role grant-permission snowflake --prefix=true readwrite ids/");
    }

    @Test
    void idsContinueWhileAPermissionIsRevokedAndTheLeaseIsRenewedAfterwards() {
        EtcdDocuments root = documents(protectedCluster, "root", "s\"1", "");
        Map<String, Object> keys = Map.of("key", base64("snowflake/"), "range_end", base64("snowflake0"));
        StoreChecks.assertIdsContinueWithoutPermission(
                registry(protectedCluster, "shop", "s\"1", "snowflake/"),
                () -> root.post(
                        "/v3/auth/role/revoke",
                        Map.of("role", "shop", "key", keys.get("key"), "range_end", keys.get("range_end"))),
                "does not permit the user to read and write",
                () -> root.post(
                        "/v3/auth/role/grant",
                        Map.of(
                                "name",
                                "shop",
                                "perm",
                                Map.of(
                                        "permType",
                                        "READWRITE",
                                        "key",
                                        keys.get("key"),
                                        "range_end",
                                        keys.get("range_end")))));
    }

    /** A member forgets tokens when it is restarted. They also become invalid when a role is changed, or by time. */
    @Test
    void tokensAreRenewed() {
        WorkerRegistry registry = registry(protectedCluster, "shop", "s\"1", "snowflake/");
        assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();

        protectedCluster.member(0).kill();
        protectedCluster.startAll();

        assertThat(registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL)).isTrue();
        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly("a");
    }

    @Test
    void userIsIgnoredUntilAuthenticationIsEnabled() {
        WorkerRegistry registry = registry(EtcdCluster.shared(), "shop", "secret", UUID.randomUUID() + "/");

        assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();
    }

    @Test
    void gatewayIsSwitchedOff() {
        try (EtcdCluster cluster = new EtcdCluster(1, "--enable-grpc-gateway=false")) {
            assertReadFails(
                    registry(cluster, null, null, "snowflake/"),
                    "etcd at http://127.0.0.1:\\d+ has no JSON gateway \\(status 404, 404 page not found\\)",
                    "--enable-grpc-gateway=false");
        }
    }

    @Test
    void quotaIsExhausted() {
        try (EtcdCluster cluster = new EtcdCluster(1, "--quota-backend-bytes", "65536")) {
            String put = "{\"key\": \"YQ==\", \"value\": \"%s\"}".formatted(base64("x".repeat(20_000)));
            while (!cluster.post(0, "/v3/kv/put", put).containsKey("message")) {
                // The alarm is not raised yet.
            }
            WorkerRegistry registry = registry(cluster, null, null, "snowflake/");
            assertThatCode(registry::read).doesNotThrowAnyException();

            assertThatThrownBy(() -> registry.acquire(null, claim("a"), TTL))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("is full: its quota is exhausted (status 429,")
                    .satisfies(e -> assertThat(
                                    ((ConfigurationException) e).action().orElseThrow())
                            .contains("etcdctl alarm disarm"));
        }
    }

    @Test
    void otherDataIsReported() {
        String prefix = UUID.randomUUID() + "/";
        EtcdCluster.shared()
                .post(
                        0,
                        "/v3/kv/put",
                        "{\"key\": \"%s\", \"value\": \"%s\"}"
                                .formatted(base64(prefix + namespace + "/0-7"), base64("x")));

        assertReadFails(
                registry(EtcdCluster.shared(), null, null, prefix),
                "Key '.*/0-7' of etcd is not a lease of a worker ID",
                "snowflake.worker.etcd.prefix: snowflake-worker-ids/");
    }

    /** The client sends the write to the next endpoint, which here is the same member. */
    @Test
    void lostAnswerOfAWriteIsRecognized() throws Exception {
        String prefix = UUID.randomUUID() + "/";
        int port = EtcdCluster.shared().port(0);
        try (HttpLink link = new HttpLink(port);
                HttpLink other = new HttpLink(port)) {
            WorkerRegistry registry = EtcdCluster.registry(
                    List.of("http://127.0.0.1:" + link.port(), "http://127.0.0.1:" + other.port()),
                    prefix,
                    "default",
                    LIMIT);
            assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();
            Claim held = claim("a");
            for (int i = 1; i <= 10; i++) {
                Instant until = SOME_TIME.plusSeconds(i);
                HttpLink used = link.answers() > other.answers() ? link : other;
                // First the read loses its answer, then the write does.
                used.loseAnswerAfter(i % 2);
                assertThat(registry.renew(held, until, TTL)).isTrue();
                assertThat(used.isLost()).isTrue();
                link.forgetAnswers();
                other.forgetAnswers();
                registry.read();
                held = held.until(until);
            }
            assertThat(registry.read().contains(held)).isTrue();
        }
    }
}
