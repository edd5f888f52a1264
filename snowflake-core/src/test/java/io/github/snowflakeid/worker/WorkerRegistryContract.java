package io.github.snowflakeid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link WorkerRegistry} as a suite of tests. If you write a registry, extend this class and implement
 * the methods that open and close it. This class is public API in the test jar of the core; new versions may add tests.
 *
 * <p>It needs JUnit Jupiter and AssertJ. Each test begins with an empty store, runs in one process, and uses up to 16
 * threads. The suite cannot check how servers behave when they are killed or fail over.
 */
@Timeout(600)
@SuppressWarnings("exports")
public abstract class WorkerRegistryContract {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final String LAYOUT = "41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z";
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private WorkerRegistry registry;

    /** Creates the suite; called by subclasses. */
    protected WorkerRegistryContract() {}

    /**
     * Opens a store without any entries. Called before each test.
     *
     * @throws Exception if the store cannot be opened; the test then fails
     */
    protected abstract void openEmptyStore() throws Exception;

    /**
     * Returns a registry in that store, as another process would open it. A test calls this several times, from several
     * threads at once.
     *
     * @param namespace any text of 1 to 100 characters
     * @return a registry of that namespace, which the test does not close
     */
    protected abstract WorkerRegistry registry(String namespace);

    /**
     * Closes the store. Called after each test, even if the test failed.
     *
     * @throws Exception if the store cannot be closed; the test then fails
     */
    protected abstract void closeStore() throws Exception;

    @BeforeEach
    void open() throws Exception {
        openEmptyStore();
        registry = registry("default");
    }

    @AfterEach
    void close() throws Exception {
        closeStore();
    }

    private static Claim claim(int workerId, String owner) {
        return Claim.of(0, workerId, owner, "test, pid 1", Instant.EPOCH, SOME_TIME, LAYOUT);
    }

    @Test
    void reportsItsNamespace() {
        assertThat(registry.namespace()).isEqualTo("default");
    }

    @Test
    void readsAcquiredLeasesAndTheClockOfTheStore() {
        Snapshot empty = registry.read();
        assertThat(empty.entries()).isEmpty();
        assertThat(empty.now())
                .isBetween(Instant.now().minusSeconds(30), Instant.now().plusSeconds(30));

        assertThat(registry.acquire(null, claim(7, "a"), TTL)).isTrue();

        Snapshot one = registry("default").read();
        assertThat(one.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.datacenterId()).isZero();
            assertThat(entry.workerId()).isEqualTo(7);
            assertThat(entry.owner()).isEqualTo("a");
            assertThat(entry.ownerInfo()).isEqualTo("test, pid 1");
            assertThat(entry.reservedUntil()).isEqualTo(SOME_TIME);
            assertThat(entry.layout()).isEqualTo(LAYOUT);
            assertThat(entry.expiresAt())
                    .isBetween(one.now().plusSeconds(30), one.now().plus(TTL));
        });
    }

    @Test
    void writesOnlyOnTheConditionThatNothingChanged() {
        Claim mine = claim(7, "a");
        assertThat(registry.acquire(null, mine, TTL)).isTrue();
        assertThat(registry.acquire(null, claim(7, "b"), TTL)).isFalse();
        Entry seen = registry.read().entries().get(0);

        Instant later = SOME_TIME.plusSeconds(20);
        assertThat(registry.renew(claim(7, "b"), later, TTL)).isFalse();
        assertThat(registry.renew(mine.until(later), later, TTL)).isFalse();
        assertThat(registry.renew(claim(8, "a"), later, TTL)).isFalse();
        assertThat(registry.renew(mine, later, TTL)).isTrue();
        assertThat(registry.renew(mine, later, TTL)).isFalse();
        assertThat(registry.acquire(seen, claim(7, "b"), TTL)).isFalse();
        assertThat(registry.release(mine, SOME_TIME)).isFalse();

        assertThat(registry.release(mine.until(later), SOME_TIME)).isTrue();
        Entry free = registry.read().entries().get(0);
        assertThat(free.owner()).isNull();
        assertThat(free.reservedUntil()).isEqualTo(SOME_TIME);
        assertThat(free.expiresAt()).isBeforeOrEqualTo(registry.read().now());
        assertThat(registry.renew(mine, later, TTL)).isFalse();
        assertThat(registry.acquire(free, claim(7, "c"), TTL)).isTrue();
        assertThat(registry.acquire(free, claim(7, "d"), TTL)).isFalse();
    }

    @Test
    void renewalExtendsTheTimeUntilTheClaimExpires() {
        Claim mine = claim(7, "a");
        registry.acquire(null, mine, Duration.ofSeconds(20));

        assertThat(registry.renew(mine, SOME_TIME.plusSeconds(20), TTL)).isTrue();

        Snapshot renewed = registry.read();
        assertThat(renewed.entries().get(0).expiresAt())
                .isBetween(renewed.now().plusSeconds(30), renewed.now().plus(TTL));
    }

    @Test
    void writesNothingIfTheConditionDoesNotHold() {
        registry.acquire(null, claim(7, "a"), TTL);
        Entry before = registry.read().entries().get(0);

        registry.acquire(null, claim(7, "b"), TTL.multipliedBy(2));
        registry.renew(claim(7, "b"), SOME_TIME.plusSeconds(1), TTL.multipliedBy(2));
        registry.release(claim(7, "b"), SOME_TIME.plusSeconds(1));

        assertThat(registry.read().entries()).containsExactly(before);
    }

    @Test
    void oneOfManyAtOnceWins() throws Exception {
        assertThat(atOnce(16, i -> registry.acquire(null, claim(0, "first " + i), TTL)))
                .filteredOn(Boolean::booleanValue)
                .hasSize(1);
        Entry seen = registry.read().entries().get(0);
        assertThat(atOnce(16, i -> registry.acquire(seen, claim(0, "second " + i), TTL)))
                .filteredOn(Boolean::booleanValue)
                .hasSize(1);
        assertThat(registry.read().entries()).hasSize(1);
    }

    @Test
    void namespacesAreIndependentHoweverMuchAlike() {
        for (String name : List.of("other", "Default", "default.", "\u96ea")) {
            WorkerRegistry other = registry(name);

            assertThat(other.acquire(null, claim(7, "b"), TTL)).isTrue();
            assertThat(registry.read().entries()).isEmpty();
            assertThat(other.release(claim(7, "b"), SOME_TIME)).isTrue();
        }
        assertThat(registry.acquire(null, claim(7, "a"), TTL)).isTrue();
        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly("a");
    }

    @Test
    void keepsTheLongestTextsAndTheFarthestTimes() {
        WorkerRegistry longest = registry("n".repeat(100));
        for (Instant time : List.of(Instant.EPOCH, Instant.parse("9999-12-31T23:59:59.999Z"))) {
            int workerId = time.equals(Instant.EPOCH) ? 0 : Integer.MAX_VALUE;
            Claim claim = Claim.of(
                    workerId, workerId, "o".repeat(36), "\u96ea".repeat(255), Instant.EPOCH, time, "l".repeat(100));
            assertThat(longest.acquire(null, claim, Duration.ofDays(1))).isTrue();
            assertThat(longest.read().entries())
                    .filteredOn(entry -> entry.workerId() == workerId)
                    .singleElement()
                    .satisfies(entry -> {
                        assertThat(entry.datacenterId()).isEqualTo(workerId);
                        assertThat(entry.owner()).isEqualTo(claim.owner());
                        assertThat(entry.ownerInfo()).isEqualTo(claim.ownerInfo());
                        assertThat(entry.reservedUntil()).isEqualTo(time);
                        assertThat(entry.layout()).isEqualTo(claim.layout());
                    });
        }
    }

    /** Arabic digits are not in ASCII, and Turkish has another lower-case letter for I. */
    @Test
    void processesOfDifferentLocalesShareTheStore() {
        Locale before = Locale.getDefault();
        try {
            int workerId = 0;
            for (String locale : List.of("ar-EG", "en-US", "tr-TR", "ar-EG")) {
                Locale.setDefault(Locale.forLanguageTag(locale));
                WorkerRegistry other = registry("TITLE");
                Claim mine = claim(++workerId, locale + workerId);
                assertThat(other.acquire(null, mine, TTL)).isTrue();
                assertThat(other.renew(mine, SOME_TIME.plusSeconds(20), TTL)).isTrue();
                assertThat(other.read().entries())
                        .hasSize(workerId)
                        .allSatisfy(entry -> assertThat(entry.reservedUntil()).isEqualTo(SOME_TIME.plusSeconds(20)));
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    /** Terms of leases that begin in time even if the machine or the store is slow. */
    private static LeaseTerms terms(WorkerRegistry registry) {
        return LeaseTerms.of(registry).withAcquireTimeout(Duration.ofMinutes(1));
    }

    @Test
    void manyGeneratorsAtOnceHaveDifferentWorkerIdsAndGiveThemBack() throws Exception {
        List<SnowflakeIdGenerator> generators = atOnce(
                16,
                i -> SnowflakeIdGenerator.builder()
                        .lease(terms(registry("default")))
                        .build());
        assertThat(generators).extracting(SnowflakeIdGenerator::workerId).doesNotHaveDuplicates();
        assertThat(generators).extracting(SnowflakeIdGenerator::nextId).doesNotHaveDuplicates();

        generators.forEach(SnowflakeIdGenerator::close);
        assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    @Test
    void restartAtOnceHasTheSameWorkerIdAndGreaterIds() {
        long last = -1;
        for (int start = 0; start < 3; start++) {
            try (SnowflakeIdGenerator generator =
                    SnowflakeIdGenerator.builder().lease(terms(registry)).build()) {
                assertThat(generator.workerId().workerId()).isZero();
                long id = generator.nextId();
                assertThat(id).isGreaterThan(last);
                last = id;
            }
            // Within the tick of the last ID, the generator would have to wait for this worker ID, so it acquires
            // another one.
            Instant used = IdLayout.DEFAULT.decode(last).timestamp();
            while (!Instant.now().minusMillis(1).isAfter(used)) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void expiredEntryIsTakenOverBehindItsFence() {
        IdLayout ofOneWorker =
                IdLayout.builder().datacenterBits(0).workerBits(0).build();
        Instant fence = Instant.ofEpochMilli(registry.read().now().toEpochMilli() + 700);
        String layout = ofOneWorker.toString().replaceFirst(" \\(.*", "");
        Claim ofAKilledProcess = Claim.of(0, 0, "killed", "killed, pid 1", Instant.EPOCH, fence, layout);
        assertThat(registry.acquire(null, ofAKilledProcess, Duration.ofMillis(1)))
                .isTrue();

        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(ofOneWorker)
                .lease(terms(registry).withTtl(Duration.ofSeconds(1)))
                .maxWait(Duration.ofMinutes(1))
                .build()) {
            assertThat(ofOneWorker.decode(generator.nextId()).timestamp()).isAfterOrEqualTo(fence);
        }
        assertThat(registry.renew(ofAKilledProcess, fence.plusSeconds(1), TTL)).isFalse();
    }

    /**
     * The work of one of several threads.
     *
     * @param <T> the result
     */
    public interface Part<T> {
        /**
         * Does the work of a thread.
         *
         * @param number the number of the thread, from 0
         * @return the result
         * @throws Exception if the work fails
         */
        T of(int number) throws Exception;
    }

    /**
     * Runs work in several threads at once.
     *
     * @param threads the number of threads
     * @param part the work of each thread
     * @param <T> the result of each thread
     * @return the results, in the order of the threads' numbers
     * @throws Exception if the work of a thread fails
     */
    public static <T> List<T> atOnce(int threads, Part<T> part) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                parts.add(() -> part.of(number));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : executor.invokeAll(parts)) {
                results.add(result.get());
            }
            return results;
        } finally {
            executor.shutdown();
        }
    }
}
