package io.github.snowflakeid.it.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class StoreFailureTests {

    private static void assertThatStartFails(
            CapturedOutput output, String description, String action, String... options) {
        assertThatThrownBy(() -> StoreServers.run(List.of(options))).isNotNull();

        assertThat(output.getOut().replaceAll("(Redis did not answer): .*", "$1."))
                .contains("""
                        ***************************
                        APPLICATION FAILED TO START
                        ***************************

                        Description:

                        %s

                        Action:

                        %s
                        """.formatted(description, action));
        assertThat(output).doesNotContain("\tat ");
    }

    @Test
    void redisThatDoesNotAnswerIsReported(CapturedOutput output) {
        assertThatStartFails(
                output,
                "No worker ID of namespace 'default' leased within 3000 ms: Redis did not answer.",
                "Start Redis, and check 'spring.data.redis'.",
                "--snowflake.worker.strategy=redis",
                "--spring.data.redis.port=1",
                "--snowflake.worker.lease.acquire-timeout=3s");
    }

    @Test
    void zooKeeperWithoutAClientIsReported(CapturedOutput output) {
        assertThatStartFails(
                output,
                "Worker IDs are leased in ZooKeeper, but there is no unique CuratorFramework bean: no bean is the only one or primary.",
                """
                Give leases a dedicated client:

                snowflake.worker.zookeeper.connect-string: localhost:2181

                or declare a primary bean:

                @Bean(initMethod = "start", destroyMethod = "close")
                @Primary
                CuratorFramework zooKeeper() {
                    return CuratorFrameworkFactory.newClient("localhost:2181", new ExponentialBackoffRetry(100, 3));
                }""",
                "--snowflake.worker.strategy=zookeeper");
    }

    @Test
    void directoryWithoutADatacenterIdIsReported(CapturedOutput output, @TempDir Path directory) {
        assertThatStartFails(
                output,
                "Property 'snowflake.worker.strategy' is 'file', which requires a different datacenter ID on each machine (\"snowflake.worker.strategy\" from property source \"commandLineArgs\"), but 'snowflake.datacenter.id' is not set.",
                """
                Give each machine a different datacenter ID from 0 to 31, through an environment variable, and all its processes the same \
                directory on its disk:

                snowflake.datacenter.id: ${DATACENTER_ID}
                snowflake.worker.file.directory: /var/lib/snowflake""",
                "--snowflake.worker.strategy=file",
                "--snowflake.worker.file.directory=" + directory);
    }
}
