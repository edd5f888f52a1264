package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Logs what happens to the lease of a generator after the start, and tells it as events. It is told by the thread that keeps the
 * lease, and looks itself, asked by {@link LeaseWatch}: where a store does not answer, that other thread waits for it and tells
 * nothing.
 *
 * <p>A trouble is told once when it begins, once when half of the time is over that was left then, once near the end, once when
 * ids stop, and once when it is over. Those that come and go are told once a minute.
 */
final class LeaseLog implements Consumer<WorkerLease> {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    /** The end is near when a tenth of the ttl is left. */
    private static final int NEAR = 10;

    /** In trouble it looks so often, so that its end is noticed, ... */
    private static final int LOOKS_IN_A_TTL = 20;

    /** ... or after that. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** How long nothing more is told of what comes and goes. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    /** Below that, tenths of seconds are of interest. */
    private static final Duration EXACT = Duration.ofSeconds(10);

    /** How far a trouble has come, and been told. */
    private enum Stage {
        NONE,
        BEGUN,
        HALF,
        NEAR,
        STOPPED
    }

    private final String generator;
    private final String label;
    private final Duration ttl;
    private final InstantSource clock;
    private final Consumer<SnowflakeLeaseEvent> events;

    private volatile @Nullable SnowflakeIdGenerator leased;

    private final ReentrantLock lock = new ReentrantLock();

    // All that follows is used under the lock.
    private boolean everHeld;
    private boolean closed;
    private Stage stage = Stage.NONE;
    private Instant begun = Instant.EPOCH;
    private Instant stopped = Instant.EPOCH;
    private Duration leftAtFirst = Duration.ZERO;

    /** Whether the present trouble is one of those that come and go. */
    private boolean silent;

    private @Nullable Instant lastTrouble;
    private @Nullable Instant lastReason;
    private @Nullable Instant lastStop;

    /**
     * The log of a generator.
     *
     * @param generator its name, empty for the unnamed one
     * @param label how each line begins
     */
    LeaseLog(String generator, String label, Duration ttl, InstantSource clock, Consumer<SnowflakeLeaseEvent> events) {
        this.generator = generator;
        this.label = label;
        this.ttl = ttl;
        this.clock = clock;
        this.events = events;
    }

    @Override
    public void accept(WorkerLease lease) {
        lock.lock();
        try {
            tell(lease, clock.instant());
        } finally {
            lock.unlock();
        }
    }

    /** Knows whose lease it is to {@linkplain #look() look} at, once that is made. */
    LeaseLog of(SnowflakeIdGenerator made) {
        leased = made;
        return this;
    }

    /**
     * Tells what has become of the lease just by time.
     *
     * @return how long nothing new can become of it by time
     */
    Duration look() {
        lock.lock();
        try {
            // Under the lock: what was read before may be older than what was told meanwhile.
            SnowflakeIdGenerator made = leased;
            Optional<WorkerLease> lease = made == null ? Optional.empty() : made.lease();
            return lease.isPresent() ? look(lease.get()) : LONGEST_PAUSE;
        } finally {
            lock.unlock();
        }
    }

    Duration look(WorkerLease lease) {
        lock.lock();
        try {
            Instant now = clock.instant();
            if (everHeld && !closed && lease.state() != State.CLOSED) {
                tell(lease, now);
            }
            return untilNext(lease, now);
        } finally {
            lock.unlock();
        }
    }

    private Duration untilNext(WorkerLease lease, Instant now) {
        Duration left = Duration.between(now, lease.fence());
        Duration next = left;
        if (stage == Stage.NONE) {
            next = Duration.between(now, lease.lateFrom(ttl));
        } else if (stage == Stage.BEGUN) {
            next = left.minus(leftAtFirst.dividedBy(2));
        } else if (stage == Stage.HALF) {
            next = left.minus(ttl.dividedBy(NEAR));
        }
        Duration soon = shorter(ttl.dividedBy(LOOKS_IN_A_TTL), LONGEST_PAUSE);
        boolean isPast = next.isNegative() || next.isZero();
        return isPast ? soon : stage == Stage.NONE ? next : shorter(next, soon);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void tell(WorkerLease shown, Instant now) {
        WorkerLease lease = everHeld && !closed ? shown.at(now, ttl) : shown;
        // No switch: that would be another class.
        State state = lease.state();
        if (state == State.CLOSED) {
            stage = Stage.NONE;
            closed = true;
            LOG.info(label + "Lease of " + worker(lease) + " has ended: "
                    + (lease.reason() == null ? "given back" : lease.reason()));
        } else if (state == State.LOST) {
            lost(lease, now);
        } else if (state == State.EXPIRING) {
            troubled(lease, String.valueOf(lease.reason()), now);
        } else {
            held(lease, now);
        }
    }

    private void held(WorkerLease lease, Instant now) {
        if (!everHeld || closed) {
            // At the start, a line of its own says it.
            boolean news = lastReason != null || closed;
            everHeld = true;
            closed = false;
            lastReason = null;
            if (news) {
                LOG.info(label + "Ids are made with " + worker(lease) + ", up to " + lease.fence()
                        + " unless its lease is renewed");
            }
            publish(Kind.HELD, lease, Duration.ZERO);
        } else if (stage != Stage.NONE) {
            boolean were = stage == Stage.STOPPED;
            Duration away = were ? Duration.between(stopped, now) : Duration.ZERO;
            if (were && !silent) {
                LOG.info(label + "Ids are made again, with " + worker(lease) + ", after " + text(away) + " without");
            } else if (!silent) {
                LOG.info(label + "Lease of " + worker(lease) + " is held, after " + text(Duration.between(begun, now))
                        + " of trouble");
            }
            lastReason = null;
            publish(Kind.RECOVERED, lease, away);
        }
        stage = Stage.NONE;
    }

    private void troubled(WorkerLease lease, String reason, Instant now) {
        Duration left = Duration.between(now, lease.fence());
        boolean near = left.compareTo(ttl.dividedBy(NEAR)) <= 0;
        if (left.isNegative() || left.isZero()) {
            stop(
                    lease,
                    lease.fence(),
                    now,
                    "has ended and could not be renewed (" + reason + "); callers get a WorkerLeaseExpiredException"
                            + " until the registry answers");
        } else if (stage == Stage.NONE) {
            begin(now);
            leftAtFirst = left;
            stage = near ? Stage.NEAR : Stage.BEGUN;
            if (!silent) {
                LOG.warn(label + "Lease of " + worker(lease) + " could not be renewed (" + reason
                        + "); ids are made for " + text(left) + " more, up to " + lease.fence()
                        + ", while it is tried again");
            }
            publish(Kind.EXPIRING, lease, Duration.ZERO);
        } else if (near && stage.compareTo(Stage.NEAR) < 0) {
            stage = Stage.NEAR;
            silent = false;
            LOG.warn(label + "Lease of " + worker(lease) + " could not be renewed for "
                    + text(Duration.between(begun, now)) + " (" + reason + "); ids stop in " + text(left) + ", at "
                    + lease.fence());
        } else if (stage == Stage.BEGUN && left.compareTo(leftAtFirst.dividedBy(2)) <= 0) {
            stage = Stage.HALF;
            silent = false;
            LOG.warn(label + "Lease of " + worker(lease) + " still could not be renewed (" + reason
                    + "); ids are made for " + text(left) + " more, up to " + lease.fence());
        }
    }

    private void lost(WorkerLease lease, Instant now) {
        if (!everHeld || closed) {
            reason("No worker id is leased yet: ", lease, now);
        } else if (stage == Stage.STOPPED) {
            reason("Still no worker id is leased: ", lease, now);
        } else {
            stop(
                    lease,
                    now,
                    now,
                    "is lost (" + lease.reason()
                            + "); callers get a WorkerLeaseExpiredException until another worker id" + " is leased");
        }
    }

    /** Another one comes with each try. */
    private void reason(String what, WorkerLease lease, Instant now) {
        if (isOver(lastReason, now)) {
            lastReason = now;
            LOG.warn(label + what + lease.reason() + "; no ids are made until one is");
        }
    }

    private void stop(WorkerLease lease, Instant since, Instant now, String why) {
        if (stage == Stage.STOPPED) {
            return;
        }
        if (stage == Stage.NONE) {
            begin(now);
            // A warning a moment ago does not say that ids have ended.
            silent = !isOver(lastStop, now);
        } else {
            silent = false;
        }
        stage = Stage.STOPPED;
        stopped = since;
        lastReason = null;
        if (!silent) {
            lastStop = now;
            LOG.error(label + "No ids are made any more: lease of " + worker(lease) + " " + why);
        }
        publish(Kind.LOST, lease, Duration.ZERO);
    }

    private void begin(Instant now) {
        begun = now;
        silent = !isOver(lastTrouble, now);
        lastTrouble = silent ? lastTrouble : now;
    }

    private static boolean isOver(@Nullable Instant last, Instant now) {
        return last == null || Duration.between(last, now).compareTo(QUIET) >= 0;
    }

    private void publish(Kind kind, WorkerLease lease, Duration away) {
        events.accept(new SnowflakeLeaseEvent(generator, kind, lease, away));
    }

    private static String worker(WorkerLease lease) {
        return "worker id " + lease.workerId() + ", datacenter id " + lease.datacenterId();
    }

    private static String text(Duration duration) {
        return duration.compareTo(EXACT) < 0
                ? String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0)
                : duration.plusMillis(500).toSeconds() + " s";
    }
}
