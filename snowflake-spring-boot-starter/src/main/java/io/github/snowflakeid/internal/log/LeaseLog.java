package io.github.snowflakeid.internal.log;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs the changes of a generator's lease after startup, and publishes them as events. The lease's thread calls it for
 * each change.
 *
 * <p>An outage has three stages, and each stage is logged once: the first failure, the end of ID generation, and the
 * recovery. Recurring problems are logged at most once a minute, but each one is published as an event.
 */
public final class LeaseLog implements Consumer<WorkerLease> {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    /** Durations below this are logged in tenths of a second. */
    private static final Duration EXACT = Duration.ofSeconds(10);

    private enum Stage {
        /** No worker ID is leased yet, or the lease was closed. */
        WAITING,
        HELD,
        EXPIRING,
        ENDED,
        STOPPED
    }

    private final String generator;
    private final String label;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Consumer<SnowflakeLeaseEvent> events;

    /** Whether the clock is too far behind the last ID. */
    private volatile BooleanSupplier clockIsBehind = () -> false;

    private Stage stage = Stage.WAITING;

    /** The monotonic time when the current stage began: the clock may be corrected during an outage. */
    private long since;

    /** Whether this class logs the next worker ID. The first one is logged at startup. */
    private boolean isNews;

    /** Whether the current outage is a recurring problem that was not logged. */
    private boolean silent;

    /** The problems, by the stages that they begin, or {@code WAITING} while no worker ID is leased. */
    private final QuietPeriods quiet;

    /**
     * Creates the log of a generator.
     *
     * @param generator the name of the generator, empty for the unnamed generator
     * @param label the beginning of each line
     * @param clock the clock of this machine, which the fence is compared with
     * @param nanos the monotonic time, as {@link System#nanoTime()} returns it
     * @param events gets each change
     */
    public LeaseLog(
            String generator,
            String label,
            InstantSource clock,
            LongSupplier nanos,
            Consumer<SnowflakeLeaseEvent> events) {
        this.generator = generator;
        this.label = label;
        this.clock = clock;
        this.nanos = nanos;
        since = nanos.getAsLong();
        quiet = new QuietPeriods(nanos);
        this.events = events;
    }

    /**
     * Sets whether the clock is too far behind the last ID. The generator is created after this log.
     *
     * @param isBehind whether it is
     */
    public void watch(BooleanSupplier isBehind) {
        clockIsBehind = isBehind;
    }

    /** Synchronized, because a generator that is closed and reopened may briefly have two lease threads. */
    @Override
    public synchronized void accept(WorkerLease lease) {
        long now = nanos.getAsLong();
        switch (lease.state()) {
            case HELD -> held(lease, now);
            case EXPIRING -> failed(lease, now);
            case ENDED -> ended(lease, now);
            case LOST -> lost(lease, now);
            case CLOSED -> closed(lease, now);
        }
    }

    private void held(WorkerLease lease, long now) {
        Duration passed = Duration.ofNanos(now - since);
        boolean wasStopped = stage.compareTo(Stage.ENDED) >= 0;
        Duration outage = wasStopped ? passed : Duration.ZERO;
        if (stage == Stage.WAITING) {
            if (isNews) {
                LOG.info("%sGenerating IDs with %s, up to %s unless the lease is renewed"
                        .formatted(label, worker(lease), lease.fence()));
            }
            publish(Kind.HELD, lease, outage);
        } else if (stage != Stage.HELD) {
            if (!silent) {
                LOG.info(
                        wasStopped
                                ? "%sRecovered: generating IDs with %s again after %s of outage"
                                        .formatted(label, worker(lease), text(outage))
                                : "%sRecovered: the lease of %s was renewed after %s of failures"
                                        .formatted(label, worker(lease), text(passed)));
            }
            publish(Kind.RECOVERED, lease, outage);
        }
        become(Stage.HELD, now);
    }

    private void failed(WorkerLease lease, long now) {
        if (clockIsBehind.getAsBoolean()) {
            stop(
                    Stage.STOPPED,
                    lease,
                    now,
                    "waits for the clock (%s). Callers get ClockMovedBackwardsException until it has caught up. If the clock was corrected, restart this process: it then leases another worker ID");
        } else if (stage == Stage.WAITING || stage == Stage.HELD) {
            silent = !quiet.isOver(Stage.EXPIRING);
            if (!silent) {
                Duration left = Duration.between(clock.instant(), lease.fence());
                LOG.warn(
                        "%sThe lease of %s could not be renewed (%s). IDs continue for %s, up to %s, while renewal is retried"
                                .formatted(label, worker(lease), lease.reason(), text(left), lease.fence()));
            }
            become(Stage.EXPIRING, now);
            publish(Kind.EXPIRING, lease, Duration.ZERO);
        }
    }

    private void ended(WorkerLease lease, long now) {
        long sinceEnd = Duration.between(lease.fence(), clock.instant()).toNanos();
        stop(
                Stage.ENDED,
                lease,
                Math.max(since, now - sinceEnd),
                "expired and could not be renewed (%s). Callers get WorkerLeaseExpiredException until the store answers");
    }

    private void lost(WorkerLease lease, long now) {
        if (stage == Stage.HELD || stage == Stage.EXPIRING) {
            stop(
                    Stage.STOPPED,
                    lease,
                    now,
                    "was lost (%s). Callers get WorkerLeaseExpiredException until another worker ID is leased");
            return;
        }
        if (quiet.isOver(Stage.WAITING)) {
            // Attempts may fail for different reasons, so this is logged repeatedly.
            isNews = true;
            LOG.warn("%s%s worker ID is leased (%s). No IDs are generated until then"
                    .formatted(label, stage == Stage.WAITING ? "No" : "Still no", lease.reason()));
        }
        if (stage == Stage.ENDED) {
            stage = Stage.STOPPED;
            publish(Kind.LOST, lease, Duration.ZERO);
        }
    }

    private void stop(Stage next, WorkerLease lease, long begin, String why) {
        if (stage.compareTo(Stage.ENDED) >= 0) {
            return;
        }
        // After a warning, the end of IDs is logged even if another one was logged recently.
        silent = !quiet.isOver(Stage.STOPPED) && stage != Stage.EXPIRING;
        if (!silent) {
            LOG.error(label + "ID generation stopped: the lease of " + worker(lease) + " "
                    + why.formatted(lease.reason()));
        }
        become(next, begin);
        publish(next == Stage.ENDED ? Kind.ENDED : Kind.LOST, lease, Duration.ZERO);
    }

    private void closed(WorkerLease lease, long now) {
        LOG.info("%sThe lease of %s ended: %s"
                .formatted(label, worker(lease), lease.reason() == null ? "released" : lease.reason()));
        become(Stage.WAITING, now);
        isNews = true;
    }

    private void become(Stage next, long begin) {
        stage = next;
        since = begin;
        quiet.end(Stage.WAITING);
    }

    private void publish(Kind kind, WorkerLease lease, Duration outage) {
        events.accept(new SnowflakeLeaseEvent(generator, kind, lease, outage));
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
