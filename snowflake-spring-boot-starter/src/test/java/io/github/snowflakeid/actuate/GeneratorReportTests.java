package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.internal.actuate.GeneratorLabels;
import io.github.snowflakeid.internal.actuate.GeneratorReport;
import io.github.snowflakeid.internal.actuate.GeneratorReport.Condition;
import io.github.snowflakeid.internal.actuate.GeneratorsHealth;
import io.github.snowflakeid.internal.actuate.HealthProperties;
import io.github.snowflakeid.internal.actuate.SnowflakeEndpoint;
import io.github.snowflakeid.servers.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class GeneratorReportTests {

    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    private final FailingRegistry registry = new FailingRegistry();

    private static SnowflakeIdGenerator.Builder fixed(AtomicReference<Instant> clock) {
        return SnowflakeIdGenerator.builder()
                .clock(clock::get)
                .maxWait(Duration.ZERO)
                .maxDrift(Duration.ofSeconds(1))
                .worker(WorkerIdAssigner.fixed(3, 7));
    }

    @Test
    void fixedGeneratorHasNoLease() {
        SnowflakeIdGenerator generator = fixed(new AtomicReference<>(NOW)).build();
        generator.nextId();

        GeneratorReport report = GeneratorReport.of(generator, NOW);

        assertThat(report.condition()).isEqualTo(Condition.UP);
        assertThat(report.details())
                .isEqualTo(Map.of(
                        "workerId", 7,
                        "datacenterId", 3,
                        "strategy", "fixed",
                        "origin", "configured",
                        "drift", "PT0S",
                        "layoutEnds", "2094-09-07T15:47:35.552Z",
                        "issuesIds", true));
    }

    @Test
    void clockThatIsTooFarBehindTheLastIdIsNoIds() {
        AtomicReference<Instant> clock = new AtomicReference<>(NOW);
        SnowflakeIdGenerator generator = fixed(clock).build();
        generator.nextId();
        clock.set(NOW.minusSeconds(1));
        assertThat(GeneratorReport.of(generator, NOW).condition()).isEqualTo(Condition.UP);
        generator.nextId();
        clock.set(NOW.minusMillis(1001));

        GeneratorReport report = GeneratorReport.of(generator, NOW);

        assertThat(report.condition()).isEqualTo(Condition.DOWN);
        assertThat(report.details())
                .containsEntry("drift", "PT1.001S")
                .containsEntry(
                        "reason",
                        "the clock is behind the last ID by more than the tolerated PT1S; IDs resume when it has caught up")
                .containsEntry("issuesIds", false);
    }

    @Test
    void restartIsTheWayOutIfTheWorkerIdIsLeased() {
        AtomicReference<Instant> clock = new AtomicReference<>(Instant.now());
        try (SnowflakeIdGenerator leased = SnowflakeIdGenerator.builder()
                .clock(clock::get)
                .lease(LeaseTerms.of(registry))
                .build()) {
            leased.nextId();
            clock.set(clock.get().minusSeconds(28_800));

            GeneratorReport report = GeneratorReport.of(leased, clock.get());

            assertThat(report.condition()).isEqualTo(Condition.DOWN);
            assertThat(report.details())
                    .containsEntry(
                            "reason",
                            "the clock is behind the last ID by more than the tolerated PT2S; IDs resume when it has caught up, or when this instance is restarted")
                    .containsEntry("issuesIds", false);
        }
    }

    @Test
    void layoutThatHasEndedIsNoIds() {
        SnowflakeIdGenerator generator = fixed(new AtomicReference<>(NOW)).build();

        assertThat(GeneratorReport.of(generator, IdLayout.DEFAULT.end()).details())
                .containsEntry("reason", "the layout is exhausted");
    }

    @Test
    void idsOfALeaseRemainUpToItsFenceInWhateverStateItIsGranted() {
        assertThat(GeneratorLabels.remaining(lease(State.HELD), NOW)).isEqualTo(Duration.ofSeconds(40));
        assertThat(GeneratorLabels.remaining(lease(State.EXPIRING), NOW)).isEqualTo(Duration.ofSeconds(40));
        assertThat(GeneratorLabels.remaining(lease(State.EXPIRING), NOW.plusSeconds(40)))
                .isZero();
        assertThat(GeneratorLabels.remaining(lease(State.ENDED), NOW)).isZero();
        assertThat(GeneratorLabels.remaining(lease(State.LOST), NOW)).isZero();
        assertThat(GeneratorLabels.remaining(lease(State.CLOSED), NOW)).isZero();
    }

    private static WorkerLease lease(State state) {
        return WorkerLease.of(state, 0, 0, NOW.plusSeconds(40), NOW, NOW);
    }

    @Test
    void healthIsThatOfTheWorstAndAnExpiringLeaseHasTheStatusThatIsConfigured() throws Exception {
        BlockingQueue<State> changes = new LinkedBlockingQueue<>();
        // The clock stands still, so that the lease does not end.
        Instant begun = Instant.now();
        try (SnowflakeIdGenerator leased = SnowflakeIdGenerator.builder()
                .clock(() -> begun)
                .lease(LeaseTerms.of(registry)
                        .withTtl(Duration.ofSeconds(1))
                        .withListener(change -> changes.add(change.state())))
                .build()) {
            SnowflakeIdGenerator fixed = fixed(new AtomicReference<>(NOW)).build();
            SnowflakeGenerators generators = TestGenerators.of(Map.of("leased", leased, "default", fixed));
            AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
            GeneratorsHealth usual = new GeneratorsHealth(generators, null, now::get, new HealthProperties("UP"));
            GeneratorsHealth strict =
                    new GeneratorsHealth(generators, null, now::get, new HealthProperties("OUT_OF_SERVICE"));
            // A renewal may be late.
            Waiting.await().until(() -> statusOf(strict), Predicate.isEqual("UP"));
            assertThat(strict.<Map<String, Object>>now((status, details) -> details))
                    .containsOnlyKeys("leased", "default");

            registry.fail(true);
            while (changes.poll(60, TimeUnit.SECONDS) != State.EXPIRING) {
                // Until it is renewed.
            }

            assertThat(statusOf(usual)).isEqualTo("UP");
            assertThat(statusOf(strict)).isEqualTo("OUT_OF_SERVICE");
            now.set(leased.lease().orElseThrow().fence());
            assertThat(statusOf(usual)).isEqualTo("DOWN");
            registry.fail(false);
        }
    }

    private static String statusOf(GeneratorsHealth health) {
        return health.now((status, details) -> status);
    }

    @Test
    void whoeverLooksIntoTheRegistryBringsTheSkewOfItsClockUpToDate() {
        try (SnowflakeIdGenerator leased =
                SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build()) {
            Instant atFirst = leased.lease().orElseThrow().clockReadAt();
            SnowflakeEndpoint endpoint =
                    new SnowflakeEndpoint(TestGenerators.of(Map.of("leased", leased)), Instant::now);
            await(() -> Instant.now().isAfter(atFirst.plusMillis(2)));

            endpoint.generators();

            Instant read = leased.lease().orElseThrow().clockReadAt();
            assertThat(read).isAfter(atFirst);
            assertThat(GeneratorReport.of(leased, read).details())
                    .extractingByKey("lease")
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("clockRead", read.toString());
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void strategyIsAWord() {
        AtomicReference<Instant> clock = new AtomicReference<>(NOW);
        assertThat(GeneratorLabels.strategy(fixed(clock).build())).isEqualTo("fixed");
        assertThat(GeneratorLabels.strategy(fixed(clock)
                        .worker(layout -> new WorkerId(0, 1, "pod number"))
                        .build()))
                .isEqualTo("own");
        assertThat(GeneratorLabels.strategy(fixed(clock)
                        .worker(layout -> new WorkerId(0, 1, "hash of host name 'a'", "guessed"))
                        .build()))
                .isEqualTo("host");
        try (SnowflakeIdGenerator leased =
                SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build()) {
            assertThat(GeneratorLabels.strategy(leased)).isEqualTo("registry");
        }
    }

    @Test
    void endpointShowsHoldersAndDecodesIds() {
        try (SnowflakeIdGenerator one = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(registry).withOwnerInfo("one"))
                        .build();
                SnowflakeIdGenerator other = SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(registry).withOwnerInfo("other"))
                        .build()) {
            SnowflakeEndpoint endpoint = new SnowflakeEndpoint(TestGenerators.of(Map.of("default", one)), Instant::now);

            assertThat(endpoint.generators()).containsOnlyKeys("generators", "namespaces");
            assertThat(endpoint.generators().get("namespaces"))
                    .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                    .singleElement()
                    .satisfies(namespace -> assertThat(((List<?>) namespace.get("leases"))
                                    .stream().<Object>map(lease -> ((Map<?, ?>) lease).get("owner")))
                            .containsExactly("one", "other"));
            assertThat(endpoint.generators().toString())
                    .doesNotContain(registry.read().entries().get(0).owner());
            assertThat(endpoint.id(other.nextId()).toString())
                    .contains(
                            "workerId=1", "known=true, state=leased, owner=other, thisGenerator=false, mayExist=true");
            assertThat(endpoint.id(0).toString()).contains("2025-01-01T00:00:00Z", "workerId=0");
            assertThat(endpoint.id(-1).toString()).contains("error=ID must not be negative, but was -1");
            assertThat(endpoint.id(IdLayout.DEFAULT.encode(new IdFields(NOW, 9, 9, 0)))
                            .toString())
                    .contains("worker={known=false}");
        }
    }

    @Test
    void leaseEndsAtTheInstantAtWhichItExpires() {
        try (SnowflakeIdGenerator held =
                SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build()) {
            SnowflakeIdGenerator.builder()
                    .lease(LeaseTerms.of(registry))
                    .build()
                    .close();
            registry.stopClock(registry.read().entries().get(1).expiresAt());
            SnowflakeEndpoint endpoint =
                    new SnowflakeEndpoint(TestGenerators.of(Map.of("default", held)), Instant::now);

            assertThat(endpoint.generators().get("namespaces").toString()).contains("expiredFor=PT0S");
        }
    }
}
