package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.internal.actuate.GeneratorLabels;
import io.github.snowflakeid.internal.actuate.GeneratorReport;
import io.github.snowflakeid.internal.actuate.GeneratorsHealth;
import io.github.snowflakeid.internal.actuate.HealthProperties;
import io.github.snowflakeid.internal.actuate.SnowflakeEndpoint;
import io.github.snowflakeid.segment.InMemorySegmentStore;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentReportTests {

    private final InMemorySegmentStore store = new InMemorySegmentStore();

    private static SegmentIdGenerator invoices(SegmentStore... stores) {
        return SegmentIdGenerator.builder()
                .name("invoices")
                .stores(List.of(stores))
                .maxValue(999)
                .maxWait(Duration.ZERO)
                .build();
    }

    private static SnowflakeGenerators generators(Map<String, Object> beans) {
        return TestGenerators.of(beans);
    }

    private static String status(GeneratorsHealth health) {
        return health.now((status, details) -> status);
    }

    @Test
    void healthyGeneratorShowsItsDetails() {
        try (SegmentIdGenerator invoices = invoices(store)) {
            invoices.nextId();

            GeneratorReport report = GeneratorReport.of(invoices, Instant.EPOCH);

            assertThat(report.condition()).isEqualTo(GeneratorReport.Condition.UP);
            assertThat(report.details())
                    .isEqualTo(Map.of(
                            "type", "segment",
                            "counter", "invoices",
                            "stores", "memory",
                            "initialValue", 1L,
                            "maxValue", 999L,
                            "last", 100L,
                            "remaining", 99L,
                            "step", 100L,
                            "issuesIds", true));
            assertThat(GeneratorLabels.stores(invoices)).isEqualTo("memory");
        }
    }

    @Test
    void healthIsDownIfThereAreNoNumbersAndNotBefore() {
        try (SegmentIdGenerator invoices = invoices(store)) {
            GeneratorsHealth health = new GeneratorsHealth(
                    generators(Map.of("invoices", invoices)), null, Instant::now, new HealthProperties("UP"));
            store.failWith(new IllegalStateException("away"));
            invoices.nextId();
            assertThat(status(health)).isEqualTo("UP");

            while (invoices.tryNextId().isPresent() || invoices.unavailability().isEmpty()) {
                Thread.onSpinWait();
            }

            assertThat(status(health)).isEqualTo("DOWN");
            assertThat(health.<String>now((status, details) -> String.valueOf(details.get("invoices"))))
                    .contains("remaining=0", "excludedStores=memory", "issuesIds=false")
                    .contains("reason=No numbers of 'invoices' left, and no store delivered more within 0 ms (away)");
        }
    }

    @Test
    void storeThatIsLeftOutIsNamed() {
        InMemorySegmentStore other = new InMemorySegmentStore("other");
        // A counter starts only while both stores answer.
        invoices(store, other).close();
        other.failWith(new IllegalStateException("away"));
        try (SegmentIdGenerator invoices = invoices(store, other)) {
            assertThat(GeneratorReport.of(invoices, Instant.EPOCH).condition()).isEqualTo(GeneratorReport.Condition.UP);
            assertThat(GeneratorReport.of(invoices, Instant.EPOCH).details()).containsEntry("excludedStores", "other");
        }
    }

    @Test
    void endpointShowsBothKinds() {
        SnowflakeIdGenerator snowflakes = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(0, 9))
                .build();
        try (SegmentIdGenerator invoices = invoices(store)) {
            SnowflakeEndpoint endpoint = new SnowflakeEndpoint(
                    generators(Map.of("default", snowflakes, "invoices", invoices)), Instant::now);

            assertThat((Map<?, ?>) endpoint.generators().get("generators"))
                    .extracting(generators -> generators.get("invoices").toString())
                    .asString()
                    .contains("type=segment", "counter=invoices", "remaining=100");
            assertThat(endpoint.id(7).toString())
                    .contains("default={timestamp=")
                    .contains("invoices={note=sequential numbers have no fields, type=segment}");
        }
    }
}
