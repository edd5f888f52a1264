package io.github.snowflakeid.it.alone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.springframework.test.util.TestSocketUtils.findAvailableTcpPort;

import io.github.snowflakeid.SnowflakeIdGenerator;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.context.ConfigurableApplicationContext;

/** Leases in etcd, Consul and Kubernetes need neither a client library nor Jackson. Skipped if the server is not on the path. */
@Timeout(300)
class AloneWithAStoreTests {

    @TempDir
    private Path directory;

    private final List<Process> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(server -> server.destroyForcibly().onExit().join());
    }

    @Test
    void leasesInEtcd() throws Exception {
        hasDifferentWorkerIdsAtOnceAndTheSameAfterwards("etcd", "--snowflake.worker.etcd.endpoints=" + startEtcd());
    }

    private String startEtcd() throws IOException {
        String url = "http://127.0.0.1:" + findAvailableTcpPort();
        String peer = "http://127.0.0.1:" + findAvailableTcpPort();
        start("etcd --name n --data-dir %s --unsafe-no-fsync".formatted(directory.resolve("data"))
                + " --listen-client-urls %s --advertise-client-urls %1$s".formatted(url)
                + " --listen-peer-urls %s --initial-advertise-peer-urls %1$s --initial-cluster n=%1$s".formatted(peer));
        return url;
    }

    @Test
    void leasesInKubernetes() throws Exception {
        int port = findAvailableTcpPort();
        Files.writeString(directory.resolve("tokens"), "secret,admin,1,system:masters");
        Path key = Files.writeString(
                directory.resolve("key"),
                "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                        .formatted(Base64.getMimeEncoder()
                                .encodeToString(KeyPairGenerator.getInstance("RSA")
                                        .generateKeyPair()
                                        .getPrivate()
                                        .getEncoded())));
        assumePresent("kube-apiserver");
        start("kube-apiserver --etcd-servers=%s --secure-port=%s --bind-address=127.0.0.1".formatted(startEtcd(), port)
                + " --advertise-address=127.0.0.1 --cert-dir=%s --token-auth-file=%1$s/tokens".formatted(directory)
                + " --service-account-issuer=https://kubernetes.default.svc --service-account-key-file=" + key
                + " --service-account-signing-key-file=" + key);
        Path certificate = directory.resolve("apiserver.crt");
        awaitNamespace("https://127.0.0.1:" + port, certificate);

        hasDifferentWorkerIdsAtOnceAndTheSameAfterwards(
                "kubernetes",
                "--snowflake.worker.kubernetes.url=https://127.0.0.1:" + port,
                "--snowflake.worker.kubernetes.namespace=default",
                "--snowflake.worker.kubernetes.token=secret",
                "--snowflake.worker.kubernetes.ssl-bundle=api-server",
                "--spring.ssl.bundle.pem.api-server.truststore.certificate=file:" + certificate);
    }

    /** The API server creates its certificate and the namespace while it starts. */
    private static void awaitNamespace(String url, Path certificate) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/namespaces/default"))
                .header("Authorization", "Bearer secret")
                .build();
        PemSslStoreDetails ca = PemSslStoreDetails.forCertificate("file:" + certificate);
        int status = 0;
        while (status != 200) {
            Thread.sleep(50);
            try {
                status = HttpClient.newBuilder()
                        .sslContext(SslBundle.of(new PemSslStoreBundle((PemSslStoreDetails) null, ca))
                                .createSslContext())
                        .build()
                        .send(request, BodyHandlers.discarding())
                        .statusCode();
            } catch (IOException | IllegalStateException e) {
                // It has not started yet.
            }
        }
    }

    @Test
    void leasesInConsul() throws Exception {
        int port = findAvailableTcpPort();
        start("consul agent -server -bootstrap-expect=1 -data-dir %s".formatted(directory.resolve("data"))
                + " -hcl performance{raft_multiplier=1} -bind 127.0.0.1 -client 127.0.0.1 -dns-port -1 -http-port "
                + port
                + " -server-port %s -serf-lan-port %s -serf-wan-port %s"
                        .formatted(findAvailableTcpPort(), findAvailableTcpPort(), findAvailableTcpPort()));

        hasDifferentWorkerIdsAtOnceAndTheSameAfterwards(
                "consul", "--snowflake.worker.consul.url=http://127.0.0.1:" + port);
    }

    /** The application waits for the server to start. */
    private static void hasDifferentWorkerIdsAtOnceAndTheSameAfterwards(String strategy, String... address) {
        String[] options = Stream.concat(
                        Stream.of(
                                "--snowflake.worker.strategy=" + strategy,
                                "--snowflake.worker.lease.acquire-timeout=2m"),
                        Stream.of(address))
                .toArray(String[]::new);
        long last;
        try (ConfigurableApplicationContext first = SpringApplication.run(AloneTests.Application.class, options);
                ConfigurableApplicationContext second = SpringApplication.run(AloneTests.Application.class, options)) {
            SnowflakeIdGenerator ids = first.getBean(SnowflakeIdGenerator.class);
            last = ids.nextId();
            assertThat(ids.workerId().workerId()).isZero();
            assertThat(second.getBean(SnowflakeIdGenerator.class).workerId().workerId())
                    .isOne();
        }
        try (ConfigurableApplicationContext again = SpringApplication.run(AloneTests.Application.class, options)) {
            SnowflakeIdGenerator ids = again.getBean(SnowflakeIdGenerator.class);
            assertThat(ids.workerId().workerId()).isZero();
            assertThat(ids.nextId()).isGreaterThan(last);
        }
    }

    private static void assumePresent(String program) {
        boolean isPresent = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
        assumeThat(isPresent).as("%s is on the path", program).isTrue();
    }

    private void start(String command) throws IOException {
        List<String> words = List.of(command.split(" "));
        assumePresent(words.get(0));
        servers.add(new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(words.get(0) + ".log").toFile())
                .start());
    }
}
