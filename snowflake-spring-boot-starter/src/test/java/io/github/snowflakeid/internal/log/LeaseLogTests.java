package io.github.snowflakeid.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.pages.GeneratedTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    /** By how much the clock was set back since the start. */
    private Duration setBack = Duration.ZERO;

    private LeaseLog log = new LeaseLog("", "", () -> now, this::nanos, events::add);

    /** The time at which the registry last confirmed the lease. */
    private Instant renewedAt = START;

    private long nanos() {
        return Duration.between(START, now).plus(setBack).toNanos();
    }

    private void setClockBack(Duration by) {
        now = now.minus(by);
        setBack = setBack.plus(by);
    }

    @Test
    void isSilentWhileAllIsWell(CapturedOutput output) {
        accept(State.HELD, null);
        for (int renewals = 0; renewals < 10; renewals++) {
            now = now.plusSeconds(20);
            renewedAt = now;
            accept(State.HELD, null);
        }

        assertThat(lines(output)).isEmpty();
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD);
    }

    @Test
    void logsAnOutageFromItsBeginningToItsEnd(CapturedOutput output) {
        anOutage();

        assertThat(lines(output))
                .containsExactly(
                        "WARN The lease of worker ID 7, datacenter ID 3 could not be renewed (no answer). IDs continue for 38 s,"
                                + " up to 2026-03-01T00:01:00Z, while renewal is retried",
                        "ERROR ID generation stopped: the lease of worker ID 7, datacenter ID 3 expired and could not be renewed"
                                + " (no answer). Callers get WorkerLeaseExpiredException until the store answers",
                        "INFO Recovered: generating IDs with worker ID 7, datacenter ID 3 again after 24 s of outage");
        assertThat(events)
                .extracting(SnowflakeLeaseEvent::kind)
                .containsExactly(Kind.HELD, Kind.EXPIRING, Kind.ENDED, Kind.RECOVERED);
        assertThat(events).last().extracting(SnowflakeLeaseEvent::outage).isEqualTo(Duration.ofSeconds(24));
    }

    @Test
    void logsOnceThatAClockWasSetFarBack(CapturedOutput output) {
        aClockThatWasSetFarBack();

        assertThat(lines(output))
                .containsExactly(
                        "ERROR ID generation stopped: the lease of worker ID 7, datacenter ID 3 waits for the clock (this machine's clock"
                                + " is 28780000 ms behind the last ID (tolerated: 2000 ms)). Callers get ClockMovedBackwardsException"
                                + " until it has caught up. If the clock was corrected, restart this process: it then leases another"
                                + " worker ID",
                        "INFO Recovered: generating IDs with worker ID 7, datacenter ID 3 again after 28800 s of outage");
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD, Kind.LOST, Kind.RECOVERED);
    }

    private void aClockThatWasSetFarBack() {
        accept(State.HELD, null);
        setClockBack(Duration.ofSeconds(28_800));
        log.watch(() -> true);
        accept(State.EXPIRING, "this machine's clock is 28780000 ms behind the last ID (tolerated: 2000 ms)");
        now = now.plusSeconds(3600);
        accept(State.EXPIRING, "no answer");
        now = START;
        log.watch(() -> false);
        accept(State.HELD, null);
    }

    @Test
    void outagesAreMeasuredAndLoggedAlthoughTheClockIsSetBack(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.EXPIRING, "no answer");
        now = START.plusSeconds(61);
        accept(State.ENDED, "no answer");
        setClockBack(Duration.ofHours(1));
        now = now.plusSeconds(5);
        renewedAt = now;
        accept(State.HELD, null);
        now = now.plusSeconds(60);
        accept(State.LOST, "its entry was deleted");

        assertThat(lines(output))
                .hasSize(4)
                .endsWith(
                        "INFO Recovered: generating IDs with worker ID 7, datacenter ID 3 again after 6.0 s of outage",
                        "ERROR ID generation stopped: the lease of worker ID 7, datacenter ID 3 was lost (its entry was"
                                + " deleted). Callers get WorkerLeaseExpiredException until another worker ID is leased");
        assertThat(events)
                .filteredOn(event -> event.kind() == Kind.RECOVERED)
                .extracting(SnowflakeLeaseEvent::outage)
                .containsExactly(Duration.ofSeconds(6));
    }

    @Test
    void failedReopeningIsNotLoggedAsALostLease(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.CLOSED, null);
        now = START.plusSeconds(300);
        accept(State.LOST, "all 32 worker ids are leased");

        assertThat(lines(output))
                .containsExactly(
                        "INFO The lease of worker ID 7, datacenter ID 3 ended: released",
                        "WARN No worker ID is leased (all 32 worker ids are leased). No IDs are generated until then");
    }

    @Test
    void logsTheWorkerIdThatIsLeasedAfterAStop(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.CLOSED, null);
        now = START.plusSeconds(300);
        renewedAt = now;
        accept(State.HELD, null);

        assertThat(lines(output))
                .containsExactly(
                        "INFO The lease of worker ID 7, datacenter ID 3 ended: released",
                        "INFO Generating IDs with worker ID 7, datacenter ID 3, up to 2026-03-01T00:06:00Z unless the lease is"
                                + " renewed");
    }

    @Test
    void logsALeaseThatIsLostAndReplaced(CapturedOutput output) {
        log = new LeaseLog("orders", "Generator 'orders': ", () -> now, this::nanos, events::add);
        aLossAndAnotherWorkerId();

        assertThat(lines(output))
                .containsExactly(
                        "ERROR Generator 'orders': ID generation stopped: the lease of worker ID 7, datacenter ID 3 was lost"
                                + " (its entry was deleted). Callers get WorkerLeaseExpiredException until another worker"
                                + " ID is leased",
                        "WARN Generator 'orders': Still no worker ID is leased (All 32 worker IDs of namespace 'orders' are"
                                + " leased; the next lease expires in 41 s). No IDs are generated until then",
                        "INFO Generator 'orders': Recovered: generating IDs with worker ID 7, datacenter ID 3 again after 2.5 s of"
                                + " outage",
                        "INFO Generator 'orders': The lease of worker ID 7, datacenter ID 3 ended: released");
        assertThat(events).extracting(SnowflakeLeaseEvent::generator).containsOnly("orders");
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD, Kind.LOST, Kind.RECOVERED);
    }

    @Test
    void logsRecurringProblemsOnceAMinuteAndPublishesAllAsEvents(CapturedOutput output) {
        accept(State.HELD, null);
        for (int troubles = 0; troubles < 7; troubles++) {
            now = now.plusSeconds(10);
            accept(State.EXPIRING, "no answer");
            now = now.plusSeconds(1);
            renewedAt = now;
            accept(State.HELD, null);
        }

        assertThat(lines(output)).hasSize(4).allMatch(line -> line.contains("lease of worker ID 7"));
        assertThat(events).filteredOn(event -> event.kind() == Kind.EXPIRING).hasSize(7);
    }

    @Test
    void outageThatBeganInSilenceIsLoggedWhenIdsStop(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.EXPIRING, "no answer");
        accept(State.HELD, null);
        accept(State.EXPIRING, "no answer");
        now = START.plusSeconds(60);
        accept(State.ENDED, "no answer");
        now = START.plusSeconds(62);
        accept(State.HELD, null);

        assertThat(lines(output))
                .hasSize(4)
                .element(2)
                .asString()
                .startsWith("ERROR ID generation stopped: the lease of worker ID 7, datacenter ID 3 expired");
        assertThat(lines(output))
                .last()
                .isEqualTo(
                        "INFO Recovered: generating IDs with worker ID 7, datacenter ID 3 again after 2.0 s of outage");
    }

    @Test
    void firstFailureAfterTheEndOfTheLeaseIsItsEnd(CapturedOutput output) {
        accept(State.HELD, null);
        now = START.plusSeconds(90);
        accept(State.ENDED, "no answer");

        assertThat(lines(output)).singleElement().asString().startsWith("ERROR ID generation stopped: ");
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD, Kind.ENDED);
    }

    @Test
    void leaseThatIsLostAfterItsEndIsAnEventOnceAndAnOutageSinceTheEnd() {
        accept(State.HELD, null);
        now = START.plusSeconds(60);
        accept(State.ENDED, "no answer");
        now = START.plusSeconds(70);
        accept(State.LOST, "it was taken over by another process");
        accept(State.LOST, "no answer");
        now = START.plusSeconds(75);
        accept(State.HELD, null);

        assertThat(events)
                .extracting(SnowflakeLeaseEvent::kind)
                .containsExactly(Kind.HELD, Kind.ENDED, Kind.LOST, Kind.RECOVERED);
        assertThat(events).last().extracting(SnowflakeLeaseEvent::outage).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void reportsUntilWhenAFirstWorkerIdIsWaitedFor(CapturedOutput output) {
        aFirstWorkerIdWhoseIdsBeginLater();

        assertThat(lines(output))
                .containsExactly(
                        "WARN No worker ID is leased (the registry may have lost leases; IDs begin at"
                                + " 2026-03-01T00:01:11Z). No IDs are generated until then",
                        "INFO Generating IDs with worker ID 7, datacenter ID 3, up to 2026-03-01T00:02:11Z unless the lease is"
                                + " renewed");
    }

    @Test
    void logsTheWorkerIdThatItContinuesWithAfterAStop(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.CLOSED, null);
        now = START.plusSeconds(3600);
        renewedAt = now;
        accept(State.HELD, null);

        assertThat(lines(output))
                .containsExactly(
                        "INFO The lease of worker ID 7, datacenter ID 3 ended: released",
                        "INFO Generating IDs with worker ID 7, datacenter ID 3, up to 2026-03-01T01:01:00Z unless the lease is"
                                + " renewed");
        assertThat(events).extracting(SnowflakeLeaseEvent::kind).containsExactly(Kind.HELD, Kind.HELD);
    }

    @Test
    void linesAreThoseOfTheTroubleshootingPage(CapturedOutput output) {
        for (Runnable story : List.<Runnable>of(
                this::aFirstWorkerIdWhoseIdsBeginLater,
                this::anOutage,
                this::aClockThatWasSetFarBack,
                this::aLateAnswer,
                this::aLossAndAnotherWorkerId)) {
            now = START;
            renewedAt = START;
            log = new LeaseLog("", "", () -> now, this::nanos, events::add);
            story.run();
        }

        GeneratedTable.of("troubleshooting.md", "messages of leases")
                .check(lines(output).stream()
                        .map(line -> line.replaceAll("\\((?:[^()]|\\([^()]*\\))*\\)", "(…)")
                                .replaceAll("worker ID 7, datacenter ID 3|2026-\\S+Z|[0-9.]+ s\\b|released$", "…")
                                // What follows does not help to find the line.
                                .replaceFirst("\\. (Callers|IDs) .*", ""))
                        .toList());
    }

    private void anOutage() {
        accept(State.HELD, null);
        now = START.plusSeconds(22);
        accept(State.EXPIRING, "no answer");
        accept(State.EXPIRING, "no answer");
        now = START.plusSeconds(60);
        accept(State.ENDED, "no answer");
        now = START.plusSeconds(84);
        renewedAt = now;
        accept(State.HELD, null);
    }

    private void aLossAndAnotherWorkerId() {
        accept(State.HELD, null);
        accept(State.LOST, "its entry was deleted");
        now = START.plusSeconds(1);
        accept(State.LOST, "All 32 worker IDs of namespace 'orders' are leased; the next lease expires in 41 s");
        now = START.plusSeconds(2);
        accept(State.LOST, "All 32 worker IDs of namespace 'orders' are leased; the next lease expires in 40 s");
        now = START.plusMillis(2500);
        renewedAt = now;
        accept(State.HELD, null);
        accept(State.CLOSED, null);
    }

    private void aFirstWorkerIdWhoseIdsBeginLater() {
        accept(State.LOST, "the registry may have lost leases; IDs begin at 2026-03-01T00:01:11Z");
        now = START.plusSeconds(71);
        renewedAt = now;
        accept(State.HELD, null);
    }

    private void aLateAnswer() {
        accept(State.HELD, null);
        now = START.plusSeconds(30);
        accept(State.EXPIRING, "no answer");
        now = START.plusSeconds(33);
        renewedAt = now;
        accept(State.HELD, null);
    }

    private WorkerLease lease(State state, @Nullable String reason) {
        return WorkerLease.of(state, 3, 7, renewedAt.plus(TTL), START, renewedAt)
                .withReason(reason);
    }

    private void accept(State state, @Nullable String reason) {
        log.accept(lease(state, reason));
    }

    private static List<String> lines(CapturedOutput output) {
        return LogLines.ofThisThread(output).stream()
                .map(line -> line.replaceFirst(".* (INFO|WARN|ERROR) .*[.]SnowflakeIdGenerator +(:|-+) ", "$1 "))
                .toList();
    }
}
