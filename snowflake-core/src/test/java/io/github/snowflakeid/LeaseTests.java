package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import io.github.snowflakeid.internal.ForStarter;
import io.github.snowflakeid.test.SettableClock;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseTests {

    private static final IdLayout TWO_WORKERS =
            IdLayout.builder().datacenterBits(0).workerBits(1).build();

    /** Long enough to read a registry that has no free worker ID. */
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final ScriptedTime time = ScriptedTime.at(TWO_WORKERS.timestampOf(1000));
    private final InMemoryRegistry registry = new InMemoryRegistry(time::now);
    private final Queue<WorkerLease> changes = new ConcurrentLinkedQueue<>();
    private final List<SnowflakeIdGenerator> opened = new ArrayList<>();

    private LeaseTerms terms = LeaseTerms.of(registry)
            .withOwnerInfo("test")
            .withTtl(Duration.ofSeconds(1))
            .withAcquireTimeout(Duration.ofSeconds(10))
            .withListener(changes::add);

    private final AskersTime askers = new AskersTime(SettableClock.at(TWO_WORKERS.timestampOf(1000)));
    private final InMemoryRegistry ofAskers = new InMemoryRegistry(askers::instant);

    @BeforeEach
    void letTimePass() {
        time.passWhileSleeping();
    }

    @AfterEach
    void closeAll() {
        askers.began = false;
        registry.failWith(null);
        ofAskers.failWith(null);
        opened.forEach(SnowflakeIdGenerator::close);
    }

    private SnowflakeIdGenerator open(IdLayout layout) {
        return open(layout, Duration.ofMillis(100));
    }

    private SnowflakeIdGenerator open(IdLayout layout, Duration maxWait) {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(layout)
                .time(time)
                .lease(terms)
                .maxWait(maxWait)
                .build();
        opened.add(generator);
        return generator;
    }

    /** Lets time pass until the lease has changed. */
    private WorkerLease nextChange() {
        time.passUntil(() -> !changes.isEmpty());
        return changes.remove();
    }

    private static long reservedUntil(Entry entry) {
        return entry.reservedUntil().toEpochMilli();
    }

    @Test
    void generatorThatIsBuiltClosedLeasesWhenItIsOpened() {
        SnowflakeIdGenerator generator =
                SnowflakeIdGenerator.builder().time(time).lease(terms).buildClosed(ForStarter.KEY);
        opened.add(generator);

        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        assertThat(generator.lease()).isEmpty();
        assertThat(registry.read().entries()).isEmpty();

        generator.reopen();

        assertThat(generator.nextId()).isPositive();
    }

    @Test
    void descriptionOfTheOwnerIsStoredInAsciiOfAtMost255Characters() {
        LeaseTerms named = terms.withOwnerInfo("\u8ba2\u5355, orders-3, pid 42").withTtl(Duration.ofSeconds(2));
        opened.add(SnowflakeIdGenerator.builder().time(time).lease(named).build());

        assertThat(registry.read().entries())
                .extracting(Entry::ownerInfo)
                .containsExactly("\\u8ba2\\u5355, orders-3, pid 42");
        assertThat(terms.withOwnerInfo("\u96ea".repeat(255)).ownerInfo())
                .hasSize(255)
                .startsWith("\\u96ea\\u96ea");
    }

    @Test
    void theThreadThatRenewsHasTheNameOfTheGenerator() {
        List<String> started = new CopyOnWriteArrayList<>();
        TimeSource recording = new ScriptedTime(time.now()) {
            @Override
            Thread start(String name, Runnable body) {
                started.add(name);
                return super.start(name, body);
            }
        };
        for (String name : List.of("", "orders")) {
            opened.add(SnowflakeIdGenerator.builder()
                    .name(name)
                    .layout(TWO_WORKERS)
                    .lease(terms)
                    .time(recording)
                    .build());
        }

        assertThat(opened).extracting(SnowflakeIdGenerator::name).containsExactly("", "orders");
        assertThat(started).containsExactly("snowflake-lease", "snowflake-lease-orders");
    }

    @Test
    void generatorsLeaseDifferentWorkerIdsAndReportTheirSource() {
        SnowflakeIdGenerator one = open(TWO_WORKERS);
        SnowflakeIdGenerator other = open(TWO_WORKERS);

        assertThat(one.workerId().workerId()).isZero();
        assertThat(other.workerId().workerId()).isOne();
        assertThat(one.workerId().origin()).isEqualTo("leased, namespace 'orders'");
        assertThat(TWO_WORKERS.decode(other.nextId()).workerId()).isOne();
        assertThat(nextChange().state()).isEqualTo(State.HELD);
        assertThat(one.lease()).get().extracting(WorkerLease::reason).isNull();
    }

    @Test
    void exhaustedRegistryReportsWhenTheNextLeaseExpires() {
        open(TWO_WORKERS);
        open(TWO_WORKERS);
        terms = terms.withAcquireTimeout(A_WHILE);

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(TWO_WORKERS))
                .withMessageMatching(
                        "All 2 worker IDs of namespace 'orders' are leased; the next lease expires in [12] s")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.ALL_LEASED));
    }

    @Test
    void clockThatIsBehindIsNotReportedAsLeasesOfOthers() {
        open(TWO_WORKERS);
        Entry mine = registry.read().entries().get(0);
        Instant later = time.now().plusSeconds(3600);
        registry.put(Entry.of(0, 1, null, "stopped", later, Instant.EPOCH, mine.layout()));
        terms = terms.withAcquireTimeout(A_WHILE);

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(TWO_WORKERS))
                .withMessageMatching(
                        "No worker ID of namespace 'orders' can be leased \\(leased: 1, free: 1\\): IDs of free ones begin at "
                                + later
                                + ", but this machine's clock is at .*Z; correct the clock if it is behind, or wait until then")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.ALL_LEASED));
    }

    @Test
    void datacenterIdNarrowsTheLease() {
        terms = terms.withDatacenterId(3);
        IdLayout layout = IdLayout.builder().workerBits(0).build();
        assertThat(open(layout).workerId().datacenterId()).isEqualTo(3);
        terms = terms.withAcquireTimeout(A_WHILE);

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(layout))
                .withMessageMatching(
                        "All 1 worker IDs of datacenter ID 3 in namespace 'orders' are leased; the next lease expires in [12] s");
        terms = terms.withDatacenterId(32);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(layout))
                .withMessage("datacenterId must be in [0, 31] (5 datacenter bits), but was 32");
    }

    @Test
    void closingReleasesTheWorkerIdUpToTheLastIdAndReopeningContinuesAfterIt() {
        SnowflakeIdGenerator generator = open(TWO_WORKERS);
        long last = generator.nextId();
        generator.close();
        Entry entry = registry.read().entries().get(0);

        assertThat(entry.owner()).isNull();
        assertThat(reservedUntil(entry))
                .isEqualTo(TWO_WORKERS.decode(last).timestamp().toEpochMilli() + 1);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        generator.reopen();
        generator.reopen();
        assertThat(generator.nextId()).isGreaterThan(last);
        assertThat(changes).extracting(WorkerLease::state).containsExactly(State.HELD, State.CLOSED, State.HELD);
    }

    @Test
    void generatorWhoseIdsBeginLaterReportsWhen() {
        Instant floor = time.now().plusSeconds(3);
        WorkerRegistry forgetful = (WorkerRegistry) Proxy.newProxyInstance(
                WorkerRegistry.class.getClassLoader(),
                new Class<?>[] {WorkerRegistry.class},
                (proxy, call, arguments) -> {
                    Object answer = call.invoke(registry, arguments);
                    return answer instanceof Snapshot seen ? seen.withFloor(floor) : answer;
                });
        terms = LeaseTerms.of(forgetful).withTtl(Duration.ofSeconds(1)).withListener(changes::add);
        // The first renewal follows immediately and extends the empty range.
        SnowflakeIdGenerator generator = open(TWO_WORKERS, Duration.ofSeconds(5));

        WorkerLease waiting = nextChange();
        assertThat(waiting.state()).isEqualTo(State.LOST);
        assertThat(waiting.reason()).isEqualTo("the registry may have lost leases; IDs begin at " + floor);
        assertThat(nextChange().state()).isEqualTo(State.HELD);
        assertThat(generator.layout().decode(generator.nextId()).timestamp()).isAfterOrEqualTo(floor);
    }

    @Test
    void deletedEntryEndsTheLeaseAtOnceAndAnotherOneIsAcquired() {
        SnowflakeIdGenerator generator = open(TWO_WORKERS);
        assertThat(nextChange().state()).isEqualTo(State.HELD);
        long last = generator.nextId();
        registry.clear();

        WorkerLease lost = nextChange();
        assertThat(lost.state()).isEqualTo(State.LOST);
        assertThat(lost.reason()).isEqualTo("its entry was deleted");
        assertThat(nextChange().state()).isEqualTo(State.HELD);
        assertThat(generator.nextId()).isGreaterThan(last);
    }

    @Test
    void ownerThatTookALeaseOverForgesNoLine() {
        open(TWO_WORKERS);
        nextChange();
        Entry mine = registry.read().entries().get(0);
        registry.put(Entry.of(
                0,
                0,
                "other token",
                "shop\r\n\u001b[2JERROR all is lost",
                mine.reservedUntil(),
                mine.expiresAt().plusSeconds(60),
                mine.layout()));

        assertThat(nextChange().reason())
                .isEqualTo("it was taken over by shop\\u000d\\u000a\\u001b[2JERROR all is lost");
    }

    @Test
    void entryOfAnotherOwnerMovesTheGeneratorToAnotherWorkerId() {
        SnowflakeIdGenerator generator = open(TWO_WORKERS);
        nextChange();
        Entry mine = registry.read().entries().get(0);
        registry.put(Entry.of(
                0,
                0,
                "other token",
                "orders-7, pid 1",
                mine.reservedUntil(),
                mine.expiresAt().plusSeconds(60),
                mine.layout()));

        assertThat(nextChange().reason()).isEqualTo("it was taken over by orders-7, pid 1");
        assertThat(nextChange().workerId()).isOne();
        assertThat(TWO_WORKERS.decode(generator.nextId()).workerId()).isOne();
    }

    @Test
    void unavailableRegistryMeansIdsUpToTheFenceThenAnExceptionThenIdsAgain() {
        SnowflakeIdGenerator generator = open(TWO_WORKERS);
        nextChange();
        long last = generator.nextId();
        registry.failWith(new IllegalStateException("connection refused"));

        WorkerLease expiring = nextChange();
        assertThat(expiring.state()).isEqualTo(State.EXPIRING);
        assertThat(expiring.reason()).isEqualTo("connection refused");
        WorkerLeaseExpiredException expired = null;
        while (expired == null) {
            try {
                last = generator.nextId();
            } catch (WorkerLeaseExpiredException e) {
                expired = e;
            }
        }
        assertThat(TWO_WORKERS.decode(last).timestamp())
                .isBefore(expired.lease().fence());
        assertThat(expired)
                .hasMessage(
                        "No ID issued: the lease of worker ID 0 expired at %s and was not renewed within 100 ms (connection refused)",
                        expired.lease().fence());
        registry.failWith(null);
        assertThat(nextChange().state()).isEqualTo(State.HELD);
        assertThat(generator.nextId()).isGreaterThan(last);
    }

    /** Time in which the calling thread sleeps no longer than a call takes, once the test begins. */
    private static final class AskersTime extends TimeSource {
        private final SettableClock clock;
        private final Thread asker = Thread.currentThread();
        private final List<Duration> sleeps = new ArrayList<>();
        private volatile boolean began;
        private Runnable meanwhile = () -> {};

        AskersTime(SettableClock clock) {
            super(clock);
            this.clock = clock;
        }

        @Override
        long nanos() {
            return asks() ? sleeps.stream().mapToLong(Duration::toNanos).sum() : super.nanos();
        }

        @Override
        void sleep(long nanos) {
            if (asks()) {
                sleeps.add(Duration.ofNanos(nanos));
                meanwhile.run();
            } else {
                super.sleep(nanos);
            }
        }

        private boolean asks() {
            return began && Thread.currentThread() == asker;
        }
    }

    private SnowflakeIdGenerator outOfReach(Duration maxWait) {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(TWO_WORKERS)
                .time(askers)
                .lease(LeaseTerms.of(ofAskers).withAcquireTimeout(Duration.ofSeconds(10)))
                .maxWait(maxWait)
                .build();
        opened.add(generator);
        ofAskers.failWith(new IllegalStateException("connection refused"));
        askers.clock.advance(Duration.ofMillis(3_600_000));
        askers.began = true;
        return generator;
    }

    @Test
    void waitForAFenceLastsAsLongAgainEachTimeAndNoLongerThanMaxWait() {
        SnowflakeIdGenerator generator = outOfReach(Duration.ofMillis(165));

        assertThatExceptionOfType(WorkerLeaseExpiredException.class)
                .isThrownBy(generator::nextId)
                .withMessageContaining("within 165 ms");
        assertThat(askers.sleeps).extracting(Duration::toMillis).containsExactly(10L, 10L, 20L, 40L, 80L, 5L);
    }

    @Test
    void waitForAFenceDoesNotBeginAnewIfTheLeaseIsReplacedMeanwhile() {
        SnowflakeIdGenerator generator = outOfReach(Duration.ofMillis(100));
        askers.meanwhile = () ->
                generator.replace(generator.allocation(), generator.allocation().vacant());

        assertThatExceptionOfType(WorkerLeaseExpiredException.class).isThrownBy(generator::nextId);
        assertThat(askers.sleeps).extracting(Duration::toMillis).containsExactly(10L, 10L, 20L, 40L, 20L);

        askers.sleeps.clear();
        WorkerId other = new WorkerId(0, 1, "test");
        long farAway = Long.MAX_VALUE >> 30;
        askers.meanwhile = () -> generator.replace(
                generator.allocation(),
                Allocation.leased(
                        new Allocation.Grant(other, TWO_WORKERS, 0, farAway, farAway),
                        generator.firstSlot(0, farAway),
                        generator.allocation()));
        assertThat(TWO_WORKERS.decode(generator.nextId()).workerId()).isOne();
        assertThat(askers.sleeps).hasSize(1);
    }

    @Test
    void clockThatIsFarAheadForAMomentWhileAFenceIsAwaitedHoldsIdsUpNoFurtherThanTheFence() {
        SnowflakeIdGenerator generator = outOfReach(Duration.ofMillis(100));
        Instant asked = askers.instant();
        long fence = TWO_WORKERS.tickAtOrAfter(asked.plusMillis(500));
        askers.meanwhile = () -> {
            askers.meanwhile = () -> {};
            generator.allocation().moveFence(fence, fence);
            askers.clock.advance(Duration.ofMillis(3_600_000));
        };
        long id = generator.nextId();
        askers.clock.advance(Duration.ofMillis(-3_600_000));

        assertThat(TWO_WORKERS.decode(id).timestamp()).isEqualTo(asked.plusMillis(499));
        assertThat(generator.nextId()).isEqualTo(id + 1);
    }

    @Test
    void clockThatIsBeyondTheFenceForAMomentHoldsNoCallerUpOnceItIsBack() {
        SnowflakeIdGenerator generator = outOfReach(Duration.ofSeconds(10));
        askers.meanwhile = () -> {
            askers.meanwhile = () -> {};
            askers.clock.advance(Duration.ofMillis(-3_600_000));
        };

        assertThat(TWO_WORKERS.decode(generator.nextId()).timestamp()).isEqualTo(askers.instant());
        assertThat(askers.sleeps).hasSize(1);
    }

    @Test
    void unreachableRegistryEndsTheStartAfterTheTimeOut() {
        registry.failWith(new IllegalStateException("connection refused"));
        terms = terms.withAcquireTimeout(A_WHILE);

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(TWO_WORKERS))
                .withMessage("No worker ID of namespace 'orders' leased within 1000 ms: connection refused")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.REGISTRY_UNREACHABLE));
    }

    @Test
    void messageOfTheRegistryForgesNoLine() {
        registry.failWith(new IllegalStateException("refused\nERROR all is lost"));
        terms = terms.withAcquireTimeout(A_WHILE);

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(TWO_WORKERS))
                .withMessageContaining(": refused\\u000aERROR all is lost");
    }

    @Test
    void layoutInTheRegistryForgesNoLine() {
        registry.put(Entry.of(0, 0, "other token", "shop", time.now(), time.now(), "none\nERROR \u001b[2J"));

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(TWO_WORKERS))
                .withMessageContaining("has IDs of layout none\\u000aERROR \\u001b[2J, but");
    }

    @Test
    void otherLayoutInTheNamespaceIsRejected() {
        open(TWO_WORKERS);

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(IdLayout.DEFAULT))
                .withMessage(
                        "No worker ID leased: namespace 'orders' has IDs of layout 41+0+1+12 bits of 1 ms from 2025-01-01T00:00:00Z, but"
                                + " this process is configured for layout 41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LAYOUT_MISMATCH));
    }

    @Test
    void clockFarFromTheRegistrysIsRejectedAtStartup() {
        terms = LeaseTerms.of(new InMemoryRegistry(() -> time.now().plusSeconds(3600)));

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(TWO_WORKERS))
                .withMessageMatching(
                        "No worker ID leased: this machine's clock is 3600000 ms behind the registry's clock \\(.*Z here, .*Z there;"
                                + " tolerated: 10000 ms\\)")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CLOCK_SKEW));
    }

    @Test
    void clockSkewIsThatOfTheLastRead() {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        terms = LeaseTerms.of(new InMemoryRegistry(() -> time.now().plus(ahead.get())))
                .withTtl(Duration.ofSeconds(1));
        SnowflakeIdGenerator generator = open(TWO_WORKERS);
        WorkerLease atFirst = generator.lease().orElseThrow();
        assertThat(atFirst.clockSkew()).isZero();
        ahead.set(Duration.ofHours(1));

        assertThat(renewed(generator).clockReadAt()).isEqualTo(atFirst.clockReadAt());
        assertThat(generator.readRegistry().orElseThrow().entries()).hasSize(1);
        WorkerLease read = generator.lease().orElseThrow();
        assertThat(read.clockSkew()).isEqualTo(Duration.ofHours(1));
        assertThat(read.clockReadAt()).isAfterOrEqualTo(atFirst.clockReadAt());
        assertThat(renewed(generator))
                .extracting(WorkerLease::clockSkew, WorkerLease::clockReadAt)
                .containsExactly(read.clockSkew(), read.clockReadAt());
    }

    @Test
    void latencyOfTheRegistryDoesNotCountAsClockSkew() {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        HookedRegistry slow =
                new HookedRegistry(new InMemoryRegistry(() -> time.now().plus(ahead.get())));
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .time(time)
                .lease(LeaseTerms.of(slow))
                .build()) {
            slow.hook(call -> {
                if (call.name().equals("read") && call.isAfter()) {
                    time.pass(Duration.ofMillis(800));
                }
            });

            assertThat(skewAfterAnotherRead(generator)).isZero();
            ahead.set(Duration.ofMillis(2_000));
            assertThat(skewAfterAnotherRead(generator)).isEqualTo(Duration.ofMillis(1_200));
            ahead.set(Duration.ofMillis(-2_000));
            assertThat(skewAfterAnotherRead(generator)).isEqualTo(Duration.ofMillis(-2_000));
            slow.hook(call -> {});
        }
    }

    private static Duration skewAfterAnotherRead(SnowflakeIdGenerator generator) {
        assertThat(generator.readRegistry()).isPresent();
        return generator.lease().orElseThrow().clockSkew();
    }

    /** Waits for another renewal and returns the lease. */
    private WorkerLease renewed(SnowflakeIdGenerator generator) {
        Instant before = generator.lease().orElseThrow().renewedAt();
        time.passUntil(() -> !generator.lease().orElseThrow().renewedAt().equals(before));
        return generator.lease().orElseThrow();
    }

    @Test
    void generatorWithoutALeaseHasNoRegistryToRead() {
        SnowflakeIdGenerator fixed = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(0, 21))
                .build();
        opened.add(fixed);

        assertThat(fixed.readRegistry()).isEmpty();
    }

    @Test
    void slowAnswerIsNotMistakenForClockSkew() {
        HookedRegistry slow = new HookedRegistry(registry);
        slow.hook(call -> {
            if (call.name().equals("read") && !call.isAfter()) {
                time.pass(Duration.ofMillis(250));
            }
        });
        terms = LeaseTerms.of(slow).withMaxClockSkew(Duration.ofMillis(50));

        assertThat(open(TWO_WORKERS).nextId()).isPositive();
    }

    @Test
    void layoutOfAnEntryThatWasNeverUsedDoesNotMatter() {
        registry.put(Entry.of(0, 1, null, "a mistake", Instant.EPOCH, Instant.EPOCH, "another layout"));
        SnowflakeIdGenerator ofThatEntry = open(TWO_WORKERS);
        open(TWO_WORKERS);

        assertThat(ofThatEntry.workerId().workerId()).isOne();
        assertThat(ofThatEntry.nextId()).isPositive();
        assertThat(registry.read().entries()).extracting(Entry::layout).containsOnly(TWO_WORKERS.fingerprint());
    }

    @Test
    void renewalsReserveNoMoreThanTheTimeToLiveAndATickHoweverLongTicksAre() {
        IdLayout ofHours =
                IdLayout.builder().tick(Duration.ofHours(1)).timestampBits(30).build();
        SnowflakeIdGenerator generator = open(ofHours);
        Instant renewed = generator.lease().orElseThrow().renewedAt();
        time.passUntil(() -> !generator.lease().orElseThrow().renewedAt().isBefore(renewed.plusMillis(900)));

        assertThat(registry.read().entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.reservedUntil())
                        .isBefore(time.now().plus(Duration.ofHours(1)).plusSeconds(10)));
    }

    @Test
    void workerIdIsEitherAssignedOrLeased() {
        assertThatIllegalStateException()
                .isThrownBy(() -> SnowflakeIdGenerator.builder()
                        .lease(terms)
                        .worker(WorkerIdAssigner.fixed(0, 0))
                        .build())
                .withMessage("worker and lease must not both be set: a worker ID is either assigned or leased");
    }

    @Test
    void termsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms.withTtl(Duration.ofMillis(999)))
                .withMessage("ttl must be from 1 s to 1 d, but was PT0.999S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms.withAcquireTimeout(Duration.ZERO))
                .withMessage("acquireTimeout must be from 1 ms to 1 d, but was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms.withMaxClockSkew(Duration.ofDays(1).plusNanos(1)))
                .withMessage("maxClockSkew must be from 0 to 1 d, but was PT24H0.000000001S");
        Duration day = Duration.ofDays(1);
        assertThat(terms.withTtl(Duration.ofSeconds(1)).withAcquireTimeout(day).withMaxClockSkew(Duration.ZERO))
                .returns(Duration.ofSeconds(1), LeaseTerms::ttl)
                .returns(day, LeaseTerms::acquireTimeout)
                .returns(Duration.ZERO, LeaseTerms::maxClockSkew);
        assertThat(terms.withTtl(day).ttl()).isEqualTo(day);
        assertThat(LeaseTerms.processInfo())
                .endsWith(", pid " + ProcessHandle.current().pid());
    }

    /** A registry may load drivers that the class loader of this library cannot see. */
    @Test
    void registryFindsItsOwnClassLoaderAsContext() throws Exception {
        List<ClassLoader> seen = new CopyOnWriteArrayList<>();
        try (URLClassLoader own = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            WorkerRegistry ofOwn = (WorkerRegistry) Proxy.newProxyInstance(
                    own, new Class<?>[] {WorkerRegistry.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("acquire")) {
                            seen.add(Thread.currentThread().getContextClassLoader());
                        }
                        return method.invoke(registry, arguments);
                    });
            terms = LeaseTerms.of(ofOwn);
            open(TWO_WORKERS).close();

            assertThat(seen).containsExactly(own);
        }
    }

    @Test
    void failingListenerDoesNotEndTheLease() {
        terms = terms.withListener(change -> {
            changes.add(change);
            throw new IllegalArgumentException("listener of a test fails on purpose");
        });
        SnowflakeIdGenerator generator = open(TWO_WORKERS);
        nextChange();
        registry.clear();
        nextChange();

        assertThat(nextChange().state()).isEqualTo(State.HELD);
        assertThat(generator.nextId()).isPositive();
    }
}
