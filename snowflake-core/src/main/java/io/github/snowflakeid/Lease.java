package io.github.snowflakeid;

/**
 * The thread that keeps generators supplied with a leased worker id, as {@link Holding} says: when the registry is asked,
 * and what becomes of failures.
 *
 * <p>Whatever is thrown at it, by the registry, a listener or the machine, it goes on: it tells, if it can, and tries again
 * after a while.
 */
final class Lease implements Runnable {

    /** Where the registry fails it is asked again after a time that doubles, from this ... */
    private static final long SHORTEST_BACKOFF_NANOS = 50_000_000;

    /** ... to this, or a sixth of the ttl. */
    private static final long LONGEST_BACKOFF_NANOS = 5_000_000_000L;

    private final TimeSource time;
    private final Tenants tenants;
    private final Holding holding;

    private int failures;
    private long due;
    private long leavingSince;

    /** @throws IllegalArgumentException if the datacenter id of the terms does not fit the layout */
    private Lease(Tenants tenants, IdLayout layout, TimeSource time) {
        this.time = time;
        this.tenants = tenants;
        holding = new Holding(tenants, layout, time);
        due = time.nanos();
    }

    /**
     * Makes a lease for a generator. It begins with {@link Tenants#begin}.
     *
     * @throws IllegalArgumentException if the datacenter id of the terms does not fit the layout
     */
    static Tenants of(Tenant first, IdLayout layout, TimeSource time, String threadName) {
        Tenants tenants = new Tenants(first, time, threadName);
        Lease lease = new Lease(tenants, layout, time);
        tenants.keptBy(lease);
        return tenants;
    }

    @Override
    public void run() {
        while (!tenants.hasEnded()) {
            if (tenants.areLeaving() && leavingSince == 0) {
                leavingSince = time.nanos();
                due = leavingSince;
            }
            long wait = due - time.nanos();
            if (wait <= 0 || (tenants.isUrgent() && holding.canHurry() && failures == 0 && leavingSince == 0)) {
                step();
            } else {
                time.sleep(wait);
            }
            // Whoever it was meant for, it must not keep this thread from sleeping.
            Thread.interrupted();
        }
    }

    private void step() {
        try {
            Tenant host = tenants.serve();
            // For what the registry loads, as drivers of a database do.
            Thread.currentThread()
                    .setContextClassLoader(host.terms.registry().getClass().getClassLoader());
            due = leavingSince == 0 ? holding.keep(host) : holding.giveBack(failures > 0);
            failures = 0;
        } catch (Throwable failed) {
            due = time.nanos() + SHORTEST_BACKOFF_NANOS;
            boolean giveUp = leavingSince != 0
                    && time.nanos() - leavingSince
                            >= tenants.host().terms.acquireTimeout().toNanos();
            try {
                troubled(failed, giveUp);
            } catch (Throwable again) {
                // Not even that can be told, for lack of memory perhaps. It is tried again in a while.
            }
            if (giveUp) {
                tenants.end();
            }
        } finally {
            tenants.endService();
            Thread.currentThread().setContextClassLoader(Lease.class.getClassLoader());
        }
    }

    private void troubled(Throwable failed, boolean giveUp) {
        due = time.nanos() + backoff();
        if (leavingSince == 0) {
            tenants.count(StatisticsRecorder.Event.FAILED);
            tenants.changeHost();
            holding.troubled(failed);
        } else if (giveUp) {
            holding.givenUp(failed);
        }
    }

    private long backoff() {
        long longest =
                Math.min(LONGEST_BACKOFF_NANOS, tenants.host().terms.ttl().toNanos() / 6);
        long nanos = Math.min(longest, SHORTEST_BACKOFF_NANOS << Math.min(failures++, 10));
        return nanos - time.draw((int) (nanos / 4));
    }
}
