package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.worker.WorkerLease;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs what happens to the lease of a generator after startup, and publishes it as events. The thread that keeps the lease calls it for each
 * change.
 *
 * <p>An outage has three stages, each of which is logged once: the first failure, the end of IDs, and the recovery. Recurring problems are
 * logged at most once a minute, but all are events.
 */
final class LeaseLog implements Consumer<WorkerLease> {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    /** How long a recurring problem is not logged again. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    /** Shorter durations are logged with tenths of seconds. */
    private static final Duration EXACT = Duration.ofSeconds(10);

    private enum Stage {
        /** There is no worker ID yet, or the lease was closed. */
        WAITING,
        HELD,
        FAILING,
        STOPPED
    }

    private final String generator;
    private final String label;
    private final InstantSource clock;
    private final Consumer<SnowflakeLeaseEvent> events;

    private Stage stage = Stage.WAITING;

    /** When the present stage began. */
    private Instant since = Instant.MIN;

    /** Whether startup does not log the next worker ID. */
    private boolean isNews;

    /** Whether the present outage is a recurring problem, of which nothing was logged yet. */
    private boolean silent;

    private Instant lastFailure = Instant.MIN;
    private Instant lastStop = Instant.MIN;
    private Instant lastReason = Instant.MIN;

    /**
     * Creates the log of a generator.
     *
     * @param generator its name, empty for the unnamed one
     * @param label how each line begins
     */
    LeaseLog(String generator, String label, InstantSource clock, Consumer<SnowflakeLeaseEvent> events) {
        this.generator = generator;
        this.label = label;
        this.clock = clock;
        this.events = events;
    }

    /** Synchronized since a generator that was closed and opened again may have two threads for a moment. */
    @Override
    public synchronized void accept(WorkerLease lease) {
        Instant now = clock.instant();
        switch (lease.state()) {
            case HELD -> held(lease, now);
            case EXPIRING -> failed(lease, now);
            case LOST -> lost(lease, now);
            case CLOSED -> closed(lease, now);
        }
    }

    private void held(WorkerLease lease, Instant now) {
        Duration away = stage == Stage.STOPPED ? Duration.between(since, now) : Duration.ZERO;
        if (stage == Stage.WAITING) {
            if (isNews) {
                LOG.info("%sGenerating IDs with %s, up to %s unless the lease is renewed"
                        .formatted(label, worker(lease), lease.fence()));
            }
            publish(Kind.HELD, lease, away);
        } else if (stage != Stage.HELD) {
            if (!silent) {
                LOG.info(
                        stage == Stage.STOPPED
                                ? "%sRecovered: generating IDs with %s again after %s of outage"
                                        .formatted(label, worker(lease), text(away))
                                : "%sRecovered: the lease of %s was renewed after %s of failures"
                                        .formatted(label, worker(lease), text(Duration.between(since, now))));
            }
            publish(Kind.RECOVERED, lease, away);
        }
        become(Stage.HELD, now);
    }

    private void failed(WorkerLease lease, Instant now) {
        Duration left = Duration.between(now, lease.fence());
        if (left.isNegative() || left.isZero()) {
            stop(
                    lease,
                    lease.fence(),
                    now,
                    "expired and could not be renewed (%s). Callers get WorkerLeaseExpiredException until the store answers");
        } else if (stage == Stage.WAITING || stage == Stage.HELD) {
            silent = isRecent(lastFailure, now);
            if (!silent) {
                lastFailure = now;
                LOG.warn(
                        "%sThe lease of %s could not be renewed (%s). IDs continue for %s, up to %s, while renewal is retried"
                                .formatted(label, worker(lease), lease.reason(), text(left), lease.fence()));
            }
            become(Stage.FAILING, now);
            publish(Kind.EXPIRING, lease, Duration.ZERO);
        }
    }

    private void lost(WorkerLease lease, Instant now) {
        if (stage == Stage.HELD || stage == Stage.FAILING) {
            stop(
                    lease,
                    now,
                    now,
                    "was lost (%s). Callers get WorkerLeaseExpiredException until another worker ID is leased");
        } else if (!isRecent(lastReason, now)) {
            // Each attempt has another reason.
            lastReason = now;
            isNews = true;
            LOG.warn("%s%s worker ID is leased (%s). No IDs are generated until then"
                    .formatted(label, stage == Stage.WAITING ? "No" : "Still no", lease.reason()));
        }
    }

    private void stop(WorkerLease lease, Instant begin, Instant now, String why) {
        if (stage == Stage.STOPPED) {
            return;
        }
        // A warning shortly before did not say that IDs have ended.
        silent = stage != Stage.FAILING && isRecent(lastStop, now);
        if (!silent) {
            lastStop = now;
            LOG.error(label + "ID generation stopped: the lease of " + worker(lease) + " "
                    + why.formatted(lease.reason()));
        }
        become(Stage.STOPPED, begin);
        publish(Kind.LOST, lease, Duration.ZERO);
    }

    private void closed(WorkerLease lease, Instant now) {
        LOG.info("%sThe lease of %s ended: %s"
                .formatted(label, worker(lease), lease.reason() == null ? "released" : lease.reason()));
        become(Stage.WAITING, now);
        isNews = true;
    }

    private void become(Stage next, Instant begin) {
        stage = next;
        since = begin;
        lastReason = Instant.MIN;
    }

    private static boolean isRecent(Instant last, Instant now) {
        return last.isAfter(now.minus(QUIET));
    }

    private void publish(Kind kind, WorkerLease lease, Duration away) {
        events.accept(new SnowflakeLeaseEvent(generator, kind, lease, away));
    }

    private static String worker(WorkerLease lease) {
        return "worker ID " + lease.workerId() + ", datacenter ID " + lease.datacenterId();
    }

    static String text(Duration duration) {
        return duration.compareTo(EXACT) < 0
                ? String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0)
                : duration.plusMillis(500).toSeconds() + " s";
    }
}
