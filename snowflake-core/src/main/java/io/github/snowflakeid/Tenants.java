package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The generators that live on one lease, and where they meet the thread that keeps it: they open, hurry and leave, it
 * serves, grants and withdraws. One of them is the host: its terms and its registry count. That is the one that came first;
 * when it leaves, the next one.
 *
 * <p>Safe for use by many threads. Who is there and what is granted changes under a lock; nothing of others, neither registry
 * nor listener, is called while it is held. All else is volatile, and whoever waits for it is woken after it has changed.
 */
final class Tenants {

    /** How long it takes at most until it is noticed that the process is about to end. */
    private static final long LONGEST_UNNOTICED_NANOS = 500_000_000;

    private final TimeSource time;
    private final String threadName;
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order that they came. Changed under the lock. */
    private final List<Tenant> all = new CopyOnWriteArrayList<>();

    /** What all have; null if nothing is leased, or nobody is left. Changed under the lock. */
    private @Nullable Allocation granted;

    private volatile Tenant host;

    /** How the lease stands, as all were told last. */
    private volatile WorkerLease shown;

    /** The tenant whose registry is being asked. It does not leave before that ends. */
    private volatile @Nullable Tenant served;

    private volatile @Nullable Runnable keeper;
    private volatile @Nullable Thread thread;

    private volatile @Nullable WorkerIdUnavailableException refusal;

    /** Since when a first worker id is awaited: later where its ids only begin later. */
    private volatile long awaitedSince;

    private volatile boolean open;
    private volatile boolean abandoned;
    private volatile @Nullable Tenants successor;
    private volatile boolean urgent;
    private volatile boolean leaving;
    private volatile boolean mayHold;
    private volatile boolean ended;

    Tenants(Tenant first, TimeSource time, String threadName) {
        this.time = time;
        this.threadName = threadName;
        host = first;
        shown = first.view();
        all.add(first);
    }

    // ---- for generators

    /** @param body what the thread does that keeps the lease, until it {@linkplain #hasEnded() has ended} */
    void keptBy(Runnable body) {
        keeper = body;
    }

    /** Starts the thread. */
    void begin() {
        awaitedSince = time.nanos();
        thread = time.start(threadName, Objects.requireNonNull(keeper));
    }

    /**
     * Waits for a first worker id, as long as the terms of the first tenant say from now on.
     *
     * @param opener the first tenant
     * @return where the generator lives: here, or with others of this process
     * @throws WorkerIdUnavailableException if there is no worker id; the generator is still to leave then
     */
    Tenants awaitOpen(Tenant opener) {
        opener.waiting = Thread.currentThread();
        try {
            awaitOpen(opener, time.nanos());
        } finally {
            opener.waiting = null;
        }
        Tenants others = successor;
        return others == null ? this : others;
    }

    private void awaitOpen(Tenant opener, long begin) {
        while (!open) {
            WorkerIdUnavailableException refused = refusal;
            if (refused != null && LeaseFailures.isFinal(refused)) {
                throw refused;
            }
            long left = opener.terms.acquireTimeout().toNanos() - (time.nanos() - Math.max(awaitedSince, begin));
            if (left <= 0) {
                throw refused != null ? refused : opener.trouble().unreachable("its answer is still pending", null);
            }
            if (abandoned || (left > opener.terms.acquireTimeout().toNanos() && time.isEnding())) {
                throw opener.trouble().notAwaited("the generator was closed while it waited");
            }
            time.sleep(Math.min(left, LONGEST_UNNOTICED_NANOS));
            if (Thread.currentThread().isInterrupted()) {
                throw opener.trouble().notAwaited("interrupted while waiting for an answer");
            }
        }
    }

    /** Ends {@link #awaitOpen(Tenant)}, which may wait for long: whoever closes the generator waits for that. */
    void abandon() {
        abandoned = true;
        wake(host.waiting);
    }

    /** Whether it is the thread that keeps the lease which asks, as a listener may. */
    boolean isKeeperAsking() {
        Tenants others = successor;
        return Thread.currentThread().equals(thread) || (others != null && others.isKeeperAsking());
    }

    /** Asks for a renewal now rather than in time. Cheap if it was asked already. */
    void hurry() {
        Tenants others = successor;
        if (others != null) {
            others.hurry();
        } else if (!urgent) {
            urgent = true;
            wake(thread);
        }
    }

    /**
     * Ends a tenancy, and waits, as long as its terms say, until its registry is not used any more; not where nothing was
     * acquired yet, for then a read may still be under way. With the last tenant the worker id is given back. The generator
     * has been closed before.
     */
    void leave(Tenant tenant) {
        long begin = time.nanos();
        tenant.waiting = Thread.currentThread();
        boolean wasHere;
        boolean last;
        lock.lock();
        try {
            wasHere = all.remove(tenant);
            last = wasHere && all.isEmpty();
            if (last) {
                leaving = true;
                granted = null;
            } else if (wasHere && tenant == host) {
                host = all.get(0);
            }
        } finally {
            lock.unlock();
        }
        Tenants others = successor;
        if (others != null) {
            others.leave(tenant);
        }
        wake(thread);
        // A listener may close its generator: the step that it is told in ends only after that.
        boolean waits = !Thread.currentThread().equals(thread);
        boolean interrupted = false;
        for (long left;
                waits
                        && (last ? mayHold && !ended : served == tenant)
                        && (left = tenant.terms.acquireTimeout().toNanos() - (time.nanos() - begin)) > 0; ) {
            time.sleep(left);
            interrupted |= Thread.interrupted();
        }
        TimeSource.keepInterrupt(interrupted);
        if (wasHere && !last) {
            tenant.show(tenant.view().with(State.CLOSED, "other generators of this process go on with it"));
        }
    }

    // ---- for the thread that keeps the lease

    /** The tenant whose terms and registry count; the last one that left, if there is none. */
    Tenant host() {
        Tenant present = served;
        return present == null ? host : present;
    }

    /** Lets the host stay until {@link #endService()}. */
    Tenant serve() {
        urgent = false;
        lock.lock();
        try {
            served = host;
            return host;
        } finally {
            lock.unlock();
        }
    }

    void endService() {
        Tenant before = served;
        served = null;
        wake(before == null ? null : before.waiting);
    }

    /** Lets another tenant be the host, if there is one: the registry of this one fails. */
    void changeHost() {
        lock.lock();
        try {
            if (!all.isEmpty()) {
                host = all.get((all.indexOf(host) + 1) % all.size());
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isUrgent() {
        return urgent;
    }

    boolean areLeaving() {
        return leaving;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether there was a first worker id. */
    boolean hasOpened() {
        return open;
    }

    /** Something may be in the registry soon that is to be given back; false if all have left, so that it must not. */
    boolean mayHold() {
        lock.lock();
        try {
            mayHold |= !leaving;
            return !leaving;
        } finally {
            lock.unlock();
        }
    }

    /** Why there is no first worker id yet. */
    void refuse(WorkerIdUnavailableException why) {
        postpone(Math.min(awaitedSince, time.nanos()), why);
    }

    /**
     * There is a worker id, but its ids begin later: who opens waits for that, however long it is.
     *
     * @param begin when they begin
     * @param why there is no first worker id yet
     */
    void postpone(long begin, WorkerIdUnavailableException why) {
        refusal = why;
        awaitedSince = begin;
        wake(host.waiting);
    }

    /** Where the ids of a grant may begin, at the earliest, and how far they may be ahead of the clock, for all. */
    Allocation allocate(Allocation.Grant grant) {
        // Nobody comes while nothing is granted.
        long first = 0;
        long lastTick = -1;
        long drift = Long.MAX_VALUE;
        for (Tenant tenant : all) {
            first = Math.max(first, tenant.issuer.firstSlot(grant.firstTick(), grant.fence()));
            lastTick = Math.max(lastTick, tenant.issuer.allocation().lastTick());
            drift = Math.min(drift, tenant.driftTicks);
        }
        return Allocation.leased(grant, first, drift, lastTick);
    }

    /** How far IDs of any may be ahead of the clock before callers are refused. */
    Duration tolerated() {
        Duration longest = Duration.ZERO;
        for (Tenant tenant : all) {
            Duration tolerated = tenant.issuer.budget.tolerated();
            longest = tolerated.compareTo(longest) > 0 ? tolerated : longest;
        }
        return longest;
    }

    /** Lets all make ids of an allocation; false if all were closed meanwhile, and the last one is about to leave. */
    boolean grant(Allocation next, WorkerLease view) {
        lock.lock();
        try {
            shown = view;
            boolean taken = false;
            for (Tenant tenant : all) {
                taken |= tenant.take(next);
            }
            granted = taken ? next : null;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Lets nobody make ids any more, until there is another grant. */
    void withdraw() {
        lock.lock();
        try {
            granted = null;
            for (Tenant tenant : all) {
                tenant.take(tenant.issuer.allocation().vacant());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts something for all. */
    void count(StatisticsRecorder.Event event) {
        for (Tenant tenant : all) {
            tenant.issuer.tally.count(event);
        }
    }

    /** Tells all how the lease stands. */
    void show(WorkerLease view) {
        shown = view;
        for (Tenant tenant : all) {
            tenant.show(view);
        }
    }

    /** Lets all know how far the clock of the registry is ahead. */
    void measured(ClockedSnapshot reading) {
        for (Tenant tenant : all) {
            tenant.measured(reading);
        }
    }

    /** There is a first worker id. */
    void opened() {
        open = true;
        wake(host.waiting);
    }

    /** Moves the only tenant to others; false if they have nothing to share, or it was closed meanwhile. */
    boolean moveTo(Tenants others) {
        // Before it moves, so that one who leaves meanwhile leaves there, too.
        successor = others;
        boolean moved = false;
        try {
            moved = others.add(host);
        } finally {
            if (!moved) {
                successor = null;
            }
        }
        if (moved) {
            try {
                others.tell(host);
            } finally {
                end();
                opened();
            }
        }
        return moved;
    }

    private boolean add(Tenant tenant) {
        boolean taken = false;
        lock.lock();
        try {
            Allocation common = granted;
            if (common == null || tenant.isTooFarAheadFor(common)) {
                return false;
            }
            common.share(tenant.driftTicks, tenant.issuer.allocation().lastTick());
            all.add(tenant);
            taken = tenant.take(common);
        } finally {
            if (!taken) {
                all.remove(tenant);
            }
            lock.unlock();
        }
        return taken;
    }

    private void tell(Tenant tenant) {
        WorkerLease told;
        do {
            told = shown;
            tenant.show(told);
        } while (!told.equals(shown));
    }

    /** There is nothing to keep any more. */
    void end() {
        ended = true;
        wake(host.waiting);
    }

    private void wake(@Nullable Thread sleeper) {
        if (sleeper != null) {
            time.wake(sleeper);
        }
    }
}
