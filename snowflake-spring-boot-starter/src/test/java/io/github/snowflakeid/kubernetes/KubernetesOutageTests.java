package io.github.snowflakeid.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.servers.StoreChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.util.FileSystemUtils;

/** Outages of a real API server and of its etcd. */
// Slow: restarts the API server.
@Tag("full")
@Tag("servers")
@Timeout(300)
class KubernetesOutageTests {

    private static KubernetesServer server;

    @BeforeAll
    static void open() {
        server = new KubernetesServer();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    private enum Outage {
        API_SERVER_KILLED,
        API_SERVER_FROZEN,
        ETCD_KILLED,
        ETCD_FROZEN;

        void begin() {
            ServerProcess process = name().startsWith("ETCD") ? server.etcd() : server.api();
            if (name().endsWith("KILLED")) {
                process.kill();
            } else {
                process.freeze();
            }
        }
    }

    private static WorkerRegistry registry(Path certificate, String cluster, Duration limit) {
        server.permit(cluster, "get, list, create, update");
        String token = server.token(cluster);
        return KubernetesServer.registry(server.url(), certificate, () -> token, cluster, "shop", limit);
    }

    @ParameterizedTest
    @EnumSource
    void idsEndWithTheLeaseAndResumeWithTheSameWorkerId(Outage outage) {
        WorkerRegistry registry = registry(server.certificate(), server.newNamespace(), Duration.ofMillis(500));
        StoreChecks.assertIdsEndAndResume(
                registry,
                outage::begin,
                server::start,
                "Kubernetes did not answer",
                "is overloaded, or does not reach its etcd");
    }

    /** A pod has a copy of the certificate, which is replaced with a delay. */
    @Test
    void replacedCertificateIsReadAgain(@TempDir Path directory) throws Exception {
        Path certificate = Files.copy(server.certificate(), directory.resolve("ca.crt"));
        WorkerRegistry registry = registry(certificate, server.newNamespace(), KubernetesServer.USUAL_LIMIT);
        registry.read();

        server.api().kill();
        FileSystemUtils.deleteRecursively(server.certificate().getParent());
        server.start();

        assertThatThrownBy(registry::read)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("Kubernetes did not answer");
        Files.copy(server.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
        assertThat(registry.read().entries()).isEmpty();
    }
}
