package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.file.FileDocuments;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcSegmentStore;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.redis.RedisWorkerRegistry;
import io.github.snowflakeid.redis.Server;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.text.PublicIds;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.zookeeper.ZooKeeperDocuments;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Has the code of docs/plain-java.md. */
class PlainJavaPageTests {

    private static JdbcDataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:plainjava;DB_CLOSE_DELAY=-1");
        return database;
    }

    @Test
    void generatorIssuesAndDecodesIds() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(3, 7))
                .build();
        long id = generator.nextId();
        IdFields fields = generator.layout().decode(id);

        assertThat(fields.datacenterId()).isEqualTo(3);
        assertThat(fields.workerId()).isEqualTo(7);
        assertThat(fields.timestamp()).isBeforeOrEqualTo(Instant.now());
        generator.close();
    }

    @Test
    void rangeContainsTheIdsOfAMonth() {
        IdRange march =
                IdLayout.DEFAULT.range(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-01T00:00:00Z"));

        assertThat(IdLayout.DEFAULT.timestamp(march.first())).isEqualTo("2026-03-01T00:00:00Z");
        assertThat(IdLayout.DEFAULT.timestamp(march.last())).isEqualTo("2026-03-31T23:59:59.999Z");
    }

    @Test
    void workerIdIsLeasedFromADatabase() {
        JdbcDataSource dataSource = database();
        JdbcWorkerRegistry registry = new JdbcWorkerRegistry(dataSource, JdbcWorkerRegistry.DEFAULT_TABLE, "default")
                .initializeSchema(InitializeSchema.ALWAYS);
        try (SnowflakeIdGenerator ids =
                SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build()) {
            long id = ids.nextId();
        }

        assertThat(registry.read().entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.owner()).isNull());
    }

    @Test
    void workerIdsAreLeasedFromRedis() {
        LettuceConnectionFactory connections = Server.shared().connections();
        try {
            RedisWorkerRegistry redis = new RedisWorkerRegistry(
                    connections, RedisWorkerRegistry.DEFAULT_KEY_PREFIX, "default", Duration.ofSeconds(73));
            WorkerRegistry registry = new BoundedRegistry(redis, Duration.ofSeconds(8));

            WorkerRegistry.Snapshot snapshot = registry.read();
            assertThat(snapshot.entries()).isEmpty();
            assertThat(Duration.between(snapshot.now(), snapshot.floor()))
                    .as("wait of the first start in docs/redis.md")
                    .isEqualTo(Duration.ofSeconds(83));
        } finally {
            connections.destroy();
        }
    }

    @Test
    void registryOfZooKeeperHasADedicatedClient() {
        DocumentRegistry registry = ZooKeeperDocuments.registry("zk1:2181,zk2:2181", "/snowflake", "default");

        assertThat(registry.kind()).isEqualTo("zookeeper");
        registry.close();
    }

    @Test
    void registryOfADirectoryNeedsADatacenterId() {
        DocumentRegistry registry = FileDocuments.registry(Path.of("/var/lib/snowflake"), "default");
        LeaseTerms terms = LeaseTerms.of(registry).withDatacenterId(3);

        assertThat(terms.datacenterId()).hasValue(3);
    }

    @Test
    void numbersAreSequential() {
        JdbcDataSource dataSource = database();
        try (SegmentIdGenerator invoices = SegmentIdGenerator.builder()
                .name("invoices")
                .store(new JdbcSegmentStore(dataSource, JdbcSegmentStore.DEFAULT_TABLE)
                        .initializeSchema(InitializeSchema.ALWAYS))
                .build()) {
            long first = invoices.nextId();
        }

        assertThat(new JdbcSegmentStore(dataSource, JdbcSegmentStore.DEFAULT_TABLE).read("invoices"))
                .isNotNull();
    }

    @Test
    void publicIdsAreDecoded() {
        String key = "KbHAGTcGX/FW9Ol7bxxXku8qghLnoXqH2uE9aNOKQ3I=";
        long id = 249828685941993514L;
        PublicIds publicIds = PublicIds.of(PublicIds.Key.of("a", key));
        String text = publicIds.encode("order", id);
        long decoded = publicIds.decode("order", text);

        assertThat(decoded).isEqualTo(id);
    }
}
