package io.github.snowflakeid.it.alone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.springframework.test.util.TestSocketUtils.findAvailableTcpPort;

import io.github.snowflakeid.SnowflakeIdGenerator;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Leases in etcd and Consul need neither a client library nor Jackson. Skipped if the server is not on the path. */
@Timeout(300)
class AloneWithAStoreTests {

    @TempDir
    private Path directory;

    private Process server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.destroyForcibly().onExit().join();
        }
    }

    @Test
    void leasesInEtcd() throws Exception {
        String url = "http://127.0.0.1:" + findAvailableTcpPort();
        String peer = "http://127.0.0.1:" + findAvailableTcpPort();
        start("etcd --name n --data-dir %s --unsafe-no-fsync".formatted(directory.resolve("data"))
                + " --listen-client-urls %s --advertise-client-urls %1$s".formatted(url)
                + " --listen-peer-urls %s --initial-advertise-peer-urls %1$s --initial-cluster n=%1$s".formatted(peer));

        hasDifferentWorkerIdsAtOnceAndTheSameAfterwards("etcd", "--snowflake.worker.etcd.endpoints=" + url);
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
    private static void hasDifferentWorkerIdsAtOnceAndTheSameAfterwards(String strategy, String address) {
        String[] options = {
            "--snowflake.worker.strategy=" + strategy, "--snowflake.worker.lease.acquire-timeout=2m", address
        };
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

    private void start(String command) throws IOException {
        List<String> words = List.of(command.split(" "));
        boolean isPresent = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, words.get(0))));
        assumeThat(isPresent).as("%s is on the path", words.get(0)).isTrue();
        server = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }
}
