package io.github.snowflakeid.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.worker.DocumentStore;
import io.github.snowflakeid.worker.DocumentStore.Documents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The objects that a real API server keeps. */
@Tag("servers")
@Timeout(300)
class KubernetesLeasesTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private KubernetesServer server;
    private String cluster;
    private String token;
    private String path;

    @BeforeEach
    void open() {
        server = KubernetesServer.shared();
        cluster = server.newNamespace();
        server.permit(cluster, "get, list, create, update");
        token = server.token(cluster);
        path = "/apis/coordination.k8s.io/v1/namespaces/" + cluster + "/leases";
    }

    private KubernetesDocuments documents(String namespace) {
        return KubernetesServer.documents(
                KubernetesServer.servers(server.url(), server.certificate(), KubernetesServer.USUAL_LIMIT),
                () -> token,
                cluster,
                namespace);
    }

    private WorkerRegistry registry(String namespace) {
        return new DocumentRegistry(documents(namespace), "snowflake/", namespace);
    }

    private static Claim claim(String owner) {
        return Claim.of(0, 7, owner, "shop-" + owner + ", pid 1", Instant.EPOCH, SOME_TIME, "layout");
    }

    private static Map<?, ?> part(Map<?, ?> object, String name) {
        return (Map<?, ?>) object.get(name);
    }

    @Test
    void leaseShowsPeopleWhoHoldsTheWorkerId() {
        WorkerRegistry registry = registry("shop");
        assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();

        Map<String, Object> created = server.request("GET", path + "/snowflake-shop-0-7", "");
        Map<?, ?> spec = part(created, "spec");
        assertThat(spec.get("holderIdentity")).isEqualTo("shop-a, pid 1");
        assertThat(spec.get("leaseDurationSeconds")).isEqualTo(60);
        assertThat(spec.get("acquireTime")).isEqualTo(spec.get("renewTime"));
        assertThat(part(created, "metadata").get("labels"))
                .isEqualTo(Map.of("snowflakeid.github.io/namespace", "shop"));
        assertThat(part(created, "metadata").toString()).doesNotContain("ownerReferences", "finalizers");

        ServerProcess.sleep(1100);
        Claim held = claim("a");
        assertThat(registry.renew(held, SOME_TIME.plusSeconds(20), TTL)).isTrue();
        Map<?, ?> renewed = part(server.request("GET", path + "/snowflake-shop-0-7", ""), "spec");
        assertThat(renewed.get("acquireTime")).isEqualTo(spec.get("acquireTime"));
        assertThat(renewed.get("renewTime").toString())
                .isGreaterThan(spec.get("renewTime").toString());

        assertThat(registry.release(held.until(SOME_TIME.plusSeconds(20)), SOME_TIME))
                .isTrue();
        Map<?, ?> released = part(server.request("GET", path + "/snowflake-shop-0-7", ""), "spec");
        assertThat(released.containsKey("holderIdentity")).isFalse();
        assertThat(released.get("leaseDurationSeconds")).isEqualTo(1);
        assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    @Test
    void partsOfOthersStay() {
        WorkerRegistry registry = registry("shop");
        assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();
        server.request(
                "PATCH",
                path + "/snowflake-shop-0-7",
                "{\"metadata\": {\"labels\": {\"team\": \"a\"}, \"annotations\": {\"note\": \"{\\\"a\\\": 1}\\n\"}, \"finalizers\": [\"example.org/f\"]},"
                        + " \"spec\": {\"leaseTransitions\": 3}}");

        assertThat(registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL)).isTrue();

        Map<String, Object> lease = server.request("GET", path + "/snowflake-shop-0-7", "");
        assertThat(part(part(lease, "metadata"), "labels").get("team")).isEqualTo("a");
        assertThat(part(part(lease, "metadata"), "annotations").get("note")).isEqualTo("{\"a\": 1}\n");
        assertThat(part(lease, "metadata").get("finalizers")).isEqualTo(List.of("example.org/f"));
        assertThat((List<?>) part(lease, "metadata").get("managedFields")).hasSize(2);
        assertThat(part(lease, "spec").get("leaseTransitions")).isEqualTo(3);
    }

    /** The last namespaces are what the names or labels of others contain. */
    @Test
    void eachNamespaceHasSeparateObjects() {
        Set<String> namespaces = new HashSet<>(
                List.of("a", "a-1", "A", "a/b", "a_b", "a.b", "-a", "a-", "订单", "😀", "\u007f\u0085", "\\u007f", " a"));
        namespaces.add("n".repeat(100));
        namespaces.add("N".repeat(64));
        namespaces.add("n".repeat(63));
        for (String namespace : List.copyOf(namespaces)) {
            assertThat(registry(namespace).acquire(null, claim("a"), TTL))
                    .as(namespace)
                    .isTrue();
        }
        for (Object lease : (List<?>) server.request("GET", path, "").get("items")) {
            Map<?, ?> metadata = part((Map<?, ?>) lease, "metadata");
            namespaces.add(
                    part(metadata, "labels").get(KubernetesDocuments.NAMESPACE).toString());
            namespaces.add(
                    metadata.get("name").toString().replace("snowflake-", "").replace("-0-7", ""));
        }
        assertThat(namespaces).hasSizeGreaterThan(24);
        for (String namespace : namespaces) {
            registry(namespace).acquire(null, claim("a"), TTL);
        }

        for (String namespace : namespaces) {
            assertThat(registry(namespace).read().entries()).as(namespace).hasSize(1);
        }
        assertThat((List<?>) server.request("GET", path, "").get("items")).hasSameSizeAs(namespaces);
    }

    /** With the version alone, the API server would create the object anew. */
    @Test
    void deletedLeaseIsNotCreatedAgain() {
        WorkerRegistry registry = registry("shop");
        assertThat(registry.acquire(null, claim("a"), TTL)).isTrue();
        DocumentStore call = documents("shop").forOneCall();
        Documents found = call.get("snowflake/shop/0-7");
        server.request("DELETE", path + "/snowflake-shop-0-7", "");

        String version = found.documents().get(0).version();
        assertThat(call.put(
                        "snowflake/shop/0-7", version, found.documents().get(0).text()))
                .isFalse();

        assertThat(registry.renew(claim("a"), SOME_TIME.plusSeconds(20), TTL)).isFalse();
        assertThat(server.admin("GET", path + "/snowflake-shop-0-7", "").status())
                .isEqualTo(404);
    }

    @Test
    void objectOfOthersIsReported() {
        String labelled = "\"labels\": {\"snowflakeid.github.io/namespace\": \"shop\"}";
        for (String metadata : List.of("\"labels\": {}", labelled)) {
            server.admin("DELETE", path + "/snowflake-shop-0-7", "");
            server.request("POST", path, "{\"metadata\": {\"name\": \"snowflake-shop-0-7\", %s}}".formatted(metadata));

            assertThatThrownBy(() -> registry("shop").acquire(null, claim("a"), TTL))
                    .isInstanceOf(SnowflakeException.class)
                    .hasMessage(
                            "Lease 'snowflake-shop-0-7' in namespace '%s' of Kubernetes is not a lease of a worker ID of namespace 'shop'"
                                    .formatted(cluster))
                    .satisfies(e -> assertThat(((ConfigurationException) e.getCause())
                                    .action()
                                    .orElseThrow())
                            .contains("snowflake.worker.kubernetes.namespace: snowflake"));
        }
        assertThatThrownBy(() -> registry("shop").read()).hasMessageContaining("is not a lease of a worker ID");
        // An object with another name is no obstacle.
        server.request("DELETE", path + "/snowflake-shop-0-7", "");
        server.request("POST", path, "{\"metadata\": {\"name\": \"shop-0-7\", %s}}".formatted(labelled));
        assertThat(registry("shop").read().entries()).isEmpty();
    }

    /** Another client writes the object all the time, but not the document. */
    @Test
    void conflictsWithOthersDoNotEndTheLease() {
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry("shop")).withTtl(Duration.ofSeconds(3)))
                .maxWait(Duration.ofMinutes(1))
                .build()) {
            Instant begun = Instant.now();
            String lease = path + "/snowflake-shop-0-" + generator.workerId().workerId();
            CompletableFuture<Void> storm = CompletableFuture.runAsync(() -> {
                long end = System.nanoTime() + Duration.ofSeconds(6).toNanos();
                for (int i = 0; System.nanoTime() < end; i++) {
                    server.request(
                            "PATCH", lease, "{\"metadata\": {\"annotations\": {\"writes\": \"%s\"}}}".formatted(i));
                }
            });
            Set<Long> ids = new HashSet<>();
            int issued = 0;
            while (!storm.isDone()) {
                ids.add(generator.nextId());
                issued++;
                ServerProcess.sleep(1);
            }
            storm.join();
            assertThat(ids).hasSize(issued);
            assertThat(generator.lease().orElseThrow().renewedAt()).isAfter(begun.plusSeconds(3));
        }
    }

    /** Says in the log how much a list of all worker IDs of the default layout transfers. */
    @Test
    @Tag("full")
    void readsAListOfAllWorkerIds() {
        WorkerRegistry registry = registry("shop");
        for (int i = 0; i < 1024; i++) {
            Claim claim = Claim.of(
                    i / 32,
                    i % 32,
                    "3f2b8a10-7c1d-4e7a-9a55-0c9d5d1f6a3b",
                    "shop-7d9c5b6f4-x2x7k, pid 1, shop",
                    Instant.EPOCH,
                    SOME_TIME,
                    "41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z");
            assertThat(registry.acquire(null, claim, TTL)).isTrue();
            assertThat(registry.renew(claim, SOME_TIME.plusSeconds(20), TTL)).isTrue();
        }
        for (int i = 0; i < 5; i++) {
            long begin = System.nanoTime();
            assertThat(registry.read().entries()).hasSize(1024);
            System.out.printf("1024 leases read in %s ms%n", (System.nanoTime() - begin) / 1_000_000);
        }
        System.out.printf(
                "a list of 1024 leases has %s bytes%n",
                server.admin("GET", path, "").body().length());
    }

    /** Says in the log how many requests a rollout takes. */
    @Test
    @Tag("full")
    void leasesForManyPodsAtOnce() throws Exception {
        int pods = 64;
        long before = requests();
        long begin = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(pods);
        List<SnowflakeIdGenerator> generators = new ArrayList<>();
        try {
            List<Future<SnowflakeIdGenerator>> opening = threads.invokeAll(Collections.nCopies(
                    pods,
                    () -> SnowflakeIdGenerator.builder()
                            .lease(LeaseTerms.of(registry("shop")).withAcquireTimeout(Duration.ofSeconds(60)))
                            .build()));
            for (Future<SnowflakeIdGenerator> each : opening) {
                generators.add(each.get());
            }
            System.out.printf(
                    "%s pods at once: %s ms, %s requests%n",
                    pods, (System.nanoTime() - begin) / 1_000_000, requests() - before);
            assertThat(generators)
                    .extracting(each -> List.of(
                            each.workerId().datacenterId(), each.workerId().workerId()))
                    .doesNotHaveDuplicates();
        } finally {
            threads.shutdown();
            generators.forEach(SnowflakeIdGenerator::close);
        }
    }

    /** Returns how many requests for leases the API server has answered. */
    private long requests() {
        return server.admin("GET", "/metrics", "")
                .body()
                .lines()
                .filter(line -> line.startsWith("apiserver_request_total{") && line.contains("resource=\"leases\""))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
