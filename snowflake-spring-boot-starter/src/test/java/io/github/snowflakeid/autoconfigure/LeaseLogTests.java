package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class LeaseLogTests {

    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final Duration TTL = Duration.ofSeconds(60);

    private final List<SnowflakeLeaseEvent> events = new ArrayList<>();
    private Instant now = START;
    private LeaseLog log = new LeaseLog("", "", TTL, () -> now, events::add);

    /** When the registry has last confirmed the lease. */
    private Instant renewedAt = START;

    @Test
    void isSilentWhileAllIsWell(CapturedOutput output) {
        accept(State.HELD, null);
        for (int renewals = 0; renewals < 10; renewals++) {
            now = now.plusSeconds(20);
            renewedAt = now;
            look(State.HELD, null);
        }

        assertThat(lines(output)).isEmpty();
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD);
    }

    @Test
    void tellsOfAnOutageFromItsBeginningToItsEnd(CapturedOutput output) {
        anOutage();

        assertThat(lines(output))
                .containsExactly(
                        "WARN Lease of worker id 7, datacenter id 3 could not be renewed (no answer); ids are made for 38 s"
                                + " more, up to 2026-03-01T00:01:00Z, while it is tried again",
                        "WARN Lease of worker id 7, datacenter id 3 still could not be renewed (no answer); ids are made for"
                                + " 19 s more, up to 2026-03-01T00:01:00Z",
                        "WARN Lease of worker id 7, datacenter id 3 could not be renewed for 32 s (no answer); ids stop in"
                                + " 6.0 s, at 2026-03-01T00:01:00Z",
                        "ERROR No ids are made any more: lease of worker id 7, datacenter id 3 has ended and could not be"
                                + " renewed (no answer); callers get a WorkerLeaseExpiredException until the registry answers",
                        "INFO Ids are made again, with worker id 7, datacenter id 3, after 24 s without");
        assertThat(events)
                .extracting(SnowflakeLeaseEvent::kind)
                .containsExactly(Kind.HELD, Kind.EXPIRING, Kind.LOST, Kind.RECOVERED);
        assertThat(events).last().extracting(SnowflakeLeaseEvent::away).isEqualTo(Duration.ofSeconds(24));
    }

    @Test
    void warnsAlsoWhereTheStoreDoesNotEvenRefuse(CapturedOutput output) {
        accept(State.HELD, null);
        now = START.plusSeconds(29);
        assertThat(look(State.HELD, null)).isEqualTo(Duration.ofSeconds(1));
        now = START.plusSeconds(30);
        assertThat(look(State.HELD, null)).isEqualTo(Duration.ofSeconds(3));
        renewedAt = now;
        look(State.HELD, null);

        assertThat(lines(output))
                .containsExactly(
                        "WARN Lease of worker id 7, datacenter id 3 could not be renewed (no answer since"
                                + " 2026-03-01T00:00:20Z); ids are made for 30 s more, up to 2026-03-01T00:01:00Z, while it is tried again",
                        "INFO Lease of worker id 7, datacenter id 3 is held, after 0.0 s of trouble");
    }

    @Test
    void eventOfALeaseThatIsExpiringSaysWhyAlsoWhereTheStoreDoesNotEvenRefuse() {
        accept(State.HELD, null);
        now = START.plusSeconds(30);
        look(State.HELD, null);

        assertThat(events).last().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.EXPIRING);
            assertThat(event.lease()).isEqualTo(lease(State.EXPIRING, "no answer since 2026-03-01T00:00:20Z"));
        });
    }

    @Test
    void generatorThatIsOpenedAgainInVainHasLostNothing(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.CLOSED, null);
        now = START.plusSeconds(300);
        accept(State.LOST, "all 32 worker ids are leased");

        assertThat(lines(output))
                .containsExactly(
                        "INFO Lease of worker id 7, datacenter id 3 has ended: given back",
                        "WARN No worker id is leased yet: all 32 worker ids are leased; no ids are made until one is");
    }

    @Test
    void saysWhichWorkerIdIsLeasedAfterAStop(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.CLOSED, null);
        now = START.plusSeconds(300);
        renewedAt = now;
        accept(State.HELD, null);

        assertThat(lines(output))
                .containsExactly(
                        "INFO Lease of worker id 7, datacenter id 3 has ended: given back",
                        "INFO Ids are made with worker id 7, datacenter id 3, up to 2026-03-01T00:06:00Z unless its lease is"
                                + " renewed");
    }

    /** Who looks may have to wait for the thread that tells of the recovery; what it has seen before is out of date then. */
    @Test
    void nothingIsToldOfATroubleThatIsOverMeanwhile() throws Exception {
        FailingRegistry registry = new FailingRegistry();
        BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
        CountDownLatch listenerEnds = new CountDownLatch(1);
        log = new LeaseLog("", "", Duration.ofSeconds(3), Instant::now, event -> {
            events.add(event);
            if (event.kind() == Kind.RECOVERED) {
                awaitUninterruptibly(listenerEnds);
            }
        });
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry).ttl(Duration.ofSeconds(3)).listener(changes::add))
                .build()) {
            log.of(generator);
            WorkerLease held = next(changes, State.HELD);
            log.accept(held);
            registry.before(call -> {
                throw new IllegalStateException("no answer");
            });
            log.accept(next(changes, State.EXPIRING));
            Thread recovering = new Thread(() -> log.accept(
                    new WorkerLease(State.HELD, 0, 0, Instant.MAX, START, Instant.now(), Duration.ZERO, START, null)));
            recovering.start();
            awaitState(recovering, Thread.State.WAITING);
            Thread looking = new Thread(log::look);
            looking.start();
            awaitState(looking, Thread.State.WAITING);
            registry.before(call -> {});
            next(changes, State.HELD);
            listenerEnds.countDown();
            recovering.join();
            looking.join();
        }

        assertThat(events)
                .extracting(SnowflakeLeaseEvent::kind)
                .containsExactly(Kind.HELD, Kind.EXPIRING, Kind.RECOVERED);
    }

    private static WorkerLease next(BlockingQueue<WorkerLease> changes, State state) throws InterruptedException {
        WorkerLease change;
        do {
            change = changes.poll(60, TimeUnit.SECONDS);
            assertThat(change).as("a lease that is %s within 10 s", state).isNotNull();
        } while (change.state() != state);
        return change;
    }

    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.onSpinWait();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void looksWhenSomethingNewIsToBeTold() {
        accept(State.HELD, null);
        assertThat(look(State.HELD, null)).isEqualTo(Duration.ofSeconds(30));
        now = START.plusSeconds(40);
        assertThat(look(State.EXPIRING, "no answer")).isEqualTo(Duration.ofSeconds(3));
        now = START.plusSeconds(49);
        assertThat(look(State.EXPIRING, "no answer")).isEqualTo(Duration.ofSeconds(1));
        now = START.plusSeconds(59);
        assertThat(look(State.EXPIRING, "no answer")).isEqualTo(Duration.ofSeconds(1));
        now = START.plusSeconds(60);
        assertThat(look(State.EXPIRING, "no answer")).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void tellsOfALeaseThatIsLostAndReplaced(CapturedOutput output) {
        log = new LeaseLog("orders", "Generator 'orders': ", TTL, () -> now, events::add);
        aLossAndAnotherWorkerId();

        assertThat(lines(output))
                .containsExactly(
                        "ERROR Generator 'orders': No ids are made any more: lease of worker id 7, datacenter id 3 is lost"
                                + " (its entry was deleted); callers get a WorkerLeaseExpiredException until another worker"
                                + " id is leased",
                        "WARN Generator 'orders': Still no worker id is leased: All 32 worker ids of namespace 'orders' are"
                                + " leased; the next one expires in 41 s; no ids are made until one is",
                        "INFO Generator 'orders': Ids are made again, with worker id 7, datacenter id 3, after 2.5 s without",
                        "INFO Generator 'orders': Lease of worker id 7, datacenter id 3 has ended: given back");
        assertThat(events).extracting(SnowflakeLeaseEvent::generator).containsOnly("orders");
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD, Kind.LOST, Kind.RECOVERED);
    }

    @Test
    void troublesThatComeAndGoAreToldOnceAMinuteAndAllAreEvents(CapturedOutput output) {
        accept(State.HELD, null);
        for (int troubles = 0; troubles < 7; troubles++) {
            now = now.plusSeconds(10);
            accept(State.EXPIRING, "no answer");
            now = now.plusSeconds(1);
            renewedAt = now;
            accept(State.HELD, null);
        }

        assertThat(lines(output)).hasSize(4).allMatch(line -> line.contains("Lease of worker id 7"));
        assertThat(events).filteredOn(event -> event.kind() == Kind.EXPIRING).hasSize(7);
    }

    @Test
    void silentTroubleIsToldWhenItGetsWorse(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.EXPIRING, "no answer");
        accept(State.HELD, null);
        accept(State.EXPIRING, "no answer");
        now = START.plusSeconds(30);
        look(State.EXPIRING, "no answer");

        assertThat(lines(output))
                .hasSize(3)
                .last()
                .asString()
                .startsWith(
                        "WARN Lease of worker id 7, datacenter id 3 still could not be renewed (no answer); ids are made"
                                + " for 30 s more");
    }

    @Test
    void saysUntilWhenAFirstWorkerIdIsWaitedFor(CapturedOutput output) {
        aFirstWorkerIdWhoseIdsBeginLater();

        assertThat(lines(output))
                .containsExactly(
                        "WARN No worker id is leased yet: the registry may have forgotten leases; ids begin at"
                                + " 2026-03-01T00:01:11Z; no ids are made until one is",
                        "INFO Ids are made with worker id 7, datacenter id 3, up to 2026-03-01T00:02:11Z unless its lease is"
                                + " renewed");
    }

    @Test
    void whatIsClosedIsNotLookedAt(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.CLOSED, "not given back: no answer");
        now = START.plusSeconds(300);
        look(State.CLOSED, "not given back: no answer");
        look(State.EXPIRING, "no answer");

        assertThat(lines(output))
                .containsExactly("INFO Lease of worker id 7, datacenter id 3 has ended: not given back: no answer");
    }

    @Test
    void saysWithWhichWorkerIdItGoesOnAfterAStop(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.CLOSED, null);
        now = START.plusSeconds(3600);
        renewedAt = now;
        accept(State.HELD, null);

        assertThat(lines(output))
                .containsExactly(
                        "INFO Lease of worker id 7, datacenter id 3 has ended: given back",
                        "INFO Ids are made with worker id 7, datacenter id 3, up to 2026-03-01T01:01:00Z unless its lease is"
                                + " renewed");
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD, Kind.HELD);
    }

    @Test
    void everyLineIsInTheTableOfTheOperationsPageAndTheOtherWayRound(CapturedOutput output) throws IOException {
        for (Runnable story : List.<Runnable>of(
                this::aFirstWorkerIdWhoseIdsBeginLater,
                this::anOutage,
                this::aLateAnswer,
                this::aLossAndAnotherWorkerId)) {
            now = START;
            renewedAt = START;
            log = new LeaseLog("", "", TTL, () -> now, events::add);
            story.run();
        }
        String page = Files.readString(Path.of("").toAbsolutePath().getParent().resolve("docs/operations.md"))
                .split("Lines of generators of \\[segments", 2)[0];
        List<String> documented = Pattern.compile("(?m)^\\| ([A-Z]+) \\| `(.*?)` \\|")
                .matcher(page)
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .filter(beginning -> !beginning.equals("INFO Snowflake ids with worker id"))
                .toList();
        List<String> lines = lines(output);

        assertThat(lines).allSatisfy(line -> assertThat(documented).anyMatch(line::startsWith));
        assertThat(documented)
                .hasSize(10)
                .allSatisfy(beginning -> assertThat(lines).anyMatch(line -> line.startsWith(beginning)));
    }

    private void anOutage() {
        accept(State.HELD, null);
        now = START.plusSeconds(22);
        accept(State.EXPIRING, "no answer");
        for (int second = 23; second < 85; second++) {
            now = START.plusSeconds(second);
            look(State.EXPIRING, "no answer");
        }
        renewedAt = now;
        accept(State.HELD, null);
    }

    private void aLossAndAnotherWorkerId() {
        accept(State.HELD, null);
        accept(State.LOST, "its entry was deleted");
        now = START.plusSeconds(1);
        accept(State.LOST, "All 32 worker ids of namespace 'orders' are leased; the next one expires in 41 s");
        now = START.plusSeconds(2);
        accept(State.LOST, "All 32 worker ids of namespace 'orders' are leased; the next one expires in 40 s");
        now = START.plusMillis(2500);
        renewedAt = now;
        accept(State.HELD, null);
        accept(State.CLOSED, null);
    }

    private void aFirstWorkerIdWhoseIdsBeginLater() {
        accept(State.LOST, "the registry may have forgotten leases; ids begin at 2026-03-01T00:01:11Z");
        now = START.plusSeconds(71);
        renewedAt = now;
        accept(State.HELD, null);
    }

    private void aLateAnswer() {
        accept(State.HELD, null);
        now = START.plusSeconds(30);
        look(State.HELD, null);
        renewedAt = now;
        look(State.HELD, null);
    }

    private WorkerLease lease(State state, @Nullable String reason) {
        return new WorkerLease(state, 3, 7, renewedAt.plus(TTL), START, renewedAt, Duration.ZERO, START, reason);
    }

    private void accept(State state, @Nullable String reason) {
        log.accept(lease(state, reason));
    }

    private Duration look(State state, @Nullable String reason) {
        return log.look(lease(state, reason));
    }

    private static List<String> lines(CapturedOutput output) {
        return LogLines.ofThisThread(output).stream()
                .map(line -> line.replaceFirst(".* (INFO|WARN|ERROR) .*[.]SnowflakeIdGenerator +(:|-+) ", "$1 "))
                .toList();
    }
}
