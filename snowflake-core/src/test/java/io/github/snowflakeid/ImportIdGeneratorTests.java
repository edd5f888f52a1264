package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImportIdGeneratorTests {

    /** Two bits of sequence and one of worker ID: a tick has four IDs of a worker, and eight of a datacenter. */
    private static final IdLayout NARROW = IdLayout.builder()
            .epoch(Instant.parse("2010-01-01T00:00:00Z"))
            .tick(Duration.ofSeconds(1))
            .workerBits(1)
            .sequenceBits(2)
            .build();

    private static final Instant TIME = Instant.parse("2012-03-04T05:06:07Z");

    private final ImportIdGenerator ids = ImportIdGenerator.of(NARROW, 3, 1);

    @Test
    void idCarriesTheOriginalTimeAndTheReservedWorkerId() {
        assertThat(NARROW.decode(ids.nextId(TIME.plusMillis(999)))).isEqualTo(new IdFields(TIME, 3, 1, 0));
        assertThat(NARROW.decode(ids.nextId(TIME.plusSeconds(86_400))))
                .isEqualTo(new IdFields(TIME.plusSeconds(86_400), 3, 1, 0));
    }

    @Test
    void idsAscendWithinATickIfTimesComeInAnyOrder() {
        long first = ids.nextId(TIME.plusMillis(999));
        long second = ids.nextId(TIME);

        assertThat(second).isEqualTo(first + 1);
        assertThat(NARROW.decode(second)).isEqualTo(new IdFields(TIME, 3, 1, 1));
    }

    @Test
    void rowsBeyondATickAreRejectedAndTheNextTickContinues() {
        long[] tick = {ids.nextId(TIME), ids.nextId(TIME), ids.nextId(TIME), ids.nextId(TIME)};

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ids.nextId(TIME.plusMillis(5)))
                .withMessage("All 4 IDs of the tick at 2012-03-04T05:06:07Z are used (datacenter ID 3 and worker ID 1);"
                        + " import the other rows of this tick with another worker ID");
        assertThat(ids.nextId(TIME.plusSeconds(1))).isGreaterThan(tick[3]);
        assertThat(ImportIdGenerator.of(NARROW, 3, 0).nextId(TIME)).isNotIn(tick[0], tick[1], tick[2], tick[3]);
    }

    @Test
    void datacenterHasTheIdsOfAllItsWorkersInEachTick() {
        ImportIdGenerator datacenter = ImportIdGenerator.ofDatacenter(NARROW, 3);
        List<Long> issued = new ArrayList<>();
        for (int row = 0; row < 8; row++) {
            issued.add(datacenter.nextId(TIME));
        }

        assertThat(issued).doesNotHaveDuplicates().isSorted();
        assertThat(issued.stream().map(NARROW::decode))
                .allMatch(id -> id.timestamp().equals(TIME) && id.datacenterId() == 3)
                .extracting(IdFields::workerId)
                .containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> datacenter.nextId(TIME))
                .withMessageContaining("All 8 IDs of the tick at 2012-03-04T05:06:07Z are used"
                        + " (datacenter ID 3 and all its worker IDs)");
    }

    @Test
    void timesMustAscend() {
        ids.nextId(TIME);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ids.nextId(TIME.minusMillis(1)))
                .withMessage("Original times must ascend, but 2012-03-04T05:06:06.999Z came after 2012-03-04T05:06:07Z;"
                        + " sort the rows by time, or import earlier rows with another worker ID");
    }

    @Test
    void timesMustBeInTheLifeOfTheLayout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ids.nextId(Instant.parse("2009-12-31T23:59:59Z")))
                .withMessageStartingWith("timestamp must be at or after 2010-01-01T00:00:00Z and before ");
        assertThatIllegalArgumentException().isThrownBy(() -> ids.nextId(NARROW.end()));
    }

    @Test
    void continuesAfterTheHighestStoredId() {
        ids.nextId(TIME);
        long stored = ids.nextId(TIME);
        ImportIdGenerator next = ImportIdGenerator.of(NARROW, 3, 1).continueAfter(stored);

        assertThat(next.nextId(TIME)).isEqualTo(stored + 1);
        assertThatIllegalArgumentException().isThrownBy(() -> next.nextId(TIME.minusSeconds(1)));
    }

    @Test
    void neverContinuesBeforeAnIdThatItHasIssued() {
        long first = ids.nextId(TIME);
        long second = ids.nextId(TIME);

        assertThat(ids.continueAfter(first).nextId(TIME)).isEqualTo(second + 1);
    }

    @Test
    void continuesAfterNoIdOfAnotherWorker() {
        long foreign = ImportIdGenerator.of(NARROW, 3, 0).nextId(TIME);
        String message =
                "Import cannot continue after ID %s: it has datacenter ID 3 and worker ID 0, but the import uses %s";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ids.continueAfter(foreign))
                .withMessage(message.formatted(foreign, "datacenter ID 3 and worker ID 1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ImportIdGenerator.ofDatacenter(NARROW, 4).continueAfter(foreign))
                .withMessage(message.formatted(foreign, "datacenter ID 4 and all its worker IDs"));
        assertThat(ImportIdGenerator.ofDatacenter(NARROW, 3)
                        .continueAfter(foreign)
                        .nextId(TIME))
                .isEqualTo(foreign + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2})
    void layoutMustHaveTheWorkerId(int workerId) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ImportIdGenerator.of(NARROW, 0, workerId))
                .withMessage("workerId must be in [0, 1] (1 worker bits), but was " + workerId);
        assertThatIllegalArgumentException().isThrownBy(() -> ImportIdGenerator.ofDatacenter(NARROW, 32));
    }

    /** The first tick of the epoch, whose first ID is 0 for worker ID 0, and the last ID of a layout of 63 bits. */
    @Test
    void firstAndLastIdsOfALayoutAreIssued() {
        IdLayout layout = IdLayout.DEFAULT;
        ImportIdGenerator lowest = ImportIdGenerator.of(layout, 0, 0);
        ImportIdGenerator highest = ImportIdGenerator.of(layout, 31, 31);
        Instant lastTick = layout.end().minusMillis(1);
        for (int i = 0; i < 4095; i++) {
            highest.nextId(lastTick);
        }

        assertThat(lowest.nextId(layout.epoch())).isZero();
        assertThat(lowest.nextId(layout.epoch())).isEqualTo(1);
        assertThat(highest.nextId(lastTick)).isEqualTo(Long.MAX_VALUE);
        assertThatIllegalArgumentException().isThrownBy(() -> highest.nextId(lastTick));
    }

    @Test
    void threadsThatImportOneTickGetDistinctIds() throws InterruptedException {
        ImportIdGenerator shared = ImportIdGenerator.of(IdLayout.TWITTER, 31, 31);
        List<Long> issued = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int thread = 0; thread < 4; thread++) {
            threads.execute(() -> {
                for (int row = 0; row < 1000; row++) {
                    issued.add(shared.nextId(TIME));
                }
            });
        }
        threads.shutdown();

        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(issued).hasSize(4000);
        assertThat(issued).doesNotHaveDuplicates();
    }

    /** The row that docs/migration.md adds to the table of leases: it expires at the end of the year 9999. */
    @Test
    void datacenterOfAllProcessesIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ImportIdGenerator.ofDatacenter(IdLayout.LEAF, 0))
                .withMessageStartingWith(
                        "An import cannot use all worker IDs of datacenter ID 0, which all processes have in layout ");
    }

    @Test
    void reservedWorkerIdIsNeverLeased() {
        Instant end = Instant.ofEpochMilli(253_402_300_799_000L);
        ScriptedTime time = ScriptedTime.at(Instant.parse("2026-03-01T00:00:00Z"));
        time.passWhileSleeping();
        InMemoryRegistry registry = new InMemoryRegistry(time::now);
        registry.put(Entry.of(3, 0, "import", "reserved for imported rows", end, end, NARROW.fingerprint()));
        LeaseTerms terms = LeaseTerms.of(registry).withDatacenterId(3);
        SnowflakeIdGenerator.Builder builder =
                SnowflakeIdGenerator.builder().layout(NARROW).time(time).lease(terms);

        try (SnowflakeIdGenerator generator = builder.build()) {
            assertThat(generator.workerId().workerId()).isEqualTo(1);
            builder.lease(terms.withAcquireTimeout(Duration.ofMillis(500)));
            assertThatExceptionOfType(WorkerIdUnavailableException.class)
                    .isThrownBy(builder::build)
                    .withMessageContaining("All 2 worker IDs of datacenter ID 3 in namespace 'orders' are leased");
        }
    }
}
