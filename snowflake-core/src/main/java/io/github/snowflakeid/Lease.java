package io.github.snowflakeid;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a generator supplied with a leased worker id: acquires one, renews it, replaces it when it is lost, gives it back
 * at the end.
 *
 * <p><b>Why ids are never equal.</b> A lease is a range of ticks of one worker id, written into its registry entry as
 * {@code reservedUntil} before the first id of it is made. Each grant, renewal and release is one atomic write on the
 * condition that owner and {@code reservedUntil} are what this process last knew. So the ranges of a worker id follow
 * one another without overlap, whoever writes them and however late. The fence that stops the generator is moved
 * only after the write was confirmed, and is compared with the id's own tick: whether clocks agree, and how long a thread was
 * paused, does not matter. Clocks only decide when somebody else may take an entry over.
 *
 * <p><b>Who races with whom.</b> One thread, that of {@link #run()}, talks to the registry and owns all fields that are
 * not volatile. It shares with callers of the generator only the allocation, which it replaces by compare-and-set and
 * whose fence it moves; so it can be paused anywhere. Other threads tell it to hurry or to close, and read the view.
 * Closing has replaced the allocation before, so what the release writes is final.
 */
final class Lease {

    /** Where the registry fails it is asked again after a time that doubles, from this ... */
    private static final long SHORTEST_BACKOFF_NANOS = 50_000_000;

    /** ... to this, or a sixth of the ttl. */
    private static final long LONGEST_BACKOFF_NANOS = 5_000_000_000L;

    /** Who lost a race for a worker id picks the next one out of so many, and so hardly meets the same rivals. */
    private static final int SPREAD = 64;

    /** The end of what was reserved in an entry of which no id was ever made, so that its layout binds nobody. */
    private static final Instant NEVER_USED = Instant.EPOCH;

    private final SnowflakeIdGenerator generator;
    private final LeaseTerms terms;
    private final WorkerRegistry registry;
    private final IdLayout layout;
    private final Time time;
    private final long ttlNanos;
    private final long ttlTicks;

    private Allocation allocation = Allocation.none();

    /** What the registry has confirmed. */
    private @Nullable Claim held;

    /** What an attempt would have written whose answer never came. */
    private @Nullable Claim unanswered;

    /** Where the ids of {@link #held}, or what was attempted first, begin. */
    private Instant start;

    private boolean everHeld;
    private int failures;
    private boolean raceLost;
    private long due;

    private volatile WorkerLease view;
    private volatile @Nullable WorkerIdUnavailableException refusal;
    private volatile boolean open;
    private volatile boolean hurry;
    private volatile boolean closing;
    private volatile boolean ended;

    /** Whether anything may have been written that is to be given back. */
    private volatile boolean mayHold;

    private volatile @Nullable Thread thread;
    private volatile @Nullable Thread waiting;

    /** @throws IllegalArgumentException if the datacenter id of the terms does not fit the layout */
    Lease(SnowflakeIdGenerator generator, LeaseTerms terms, IdLayout layout, Time time) {
        this.generator = generator;
        this.terms = terms;
        this.layout = layout;
        this.time = time;
        registry = terms.registry();
        ttlNanos = terms.ttl().toNanos();
        ttlTicks = terms.ttl().toMillis() / layout.tick().toMillis();
        start = layout.epoch();
        due = time.nanos();
        view = new WorkerLease(State.LOST, 0, 0, start, now(), now(), Duration.ZERO, "none was leased yet");
        layout.nodeOf(terms.datacenterId().orElse(0), 0);
    }

    /** What the generator has until the first worker id is leased. */
    Allocation placeholder() {
        return allocation;
    }

    WorkerLease view() {
        return view;
    }

    /**
     * Starts, and waits for a first worker id.
     *
     * @throws WorkerIdUnavailableException if there is none; this is still to be closed then
     */
    void open() {
        long begin = time.nanos();
        waiting = Thread.currentThread();
        thread = time.start("snowflake-lease", this::run);
        while (!open) {
            WorkerIdUnavailableException refused = refusal;
            if (refused != null && isFinal(refused)) {
                throw refused;
            }
            long left = terms.acquireTimeout().toNanos() - (time.nanos() - begin);
            if (left <= 0) {
                throw refused != null ? refused : unreachable("no answer", null);
            }
            time.sleep(left);
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw unreachable("interrupted while waiting for an answer", null);
            }
        }
    }

    /** Asks for a renewal now rather than in time. For any thread, cheap if it was asked already. */
    void hurry() {
        if (!hurry) {
            hurry = true;
            wake(thread);
        }
    }

    /** Gives the worker id back, and waits for that as long as the terms say. The generator has none any more. */
    void close() {
        long begin = time.nanos();
        waiting = Thread.currentThread();
        closing = true;
        wake(thread);
        boolean interrupted = false;
        for (long left; mayHold && !ended && (left = terms.acquireTimeout().toNanos() - (time.nanos() - begin)) > 0; ) {
            time.sleep(left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a caller gets who has waited for the fence to move. */
    WorkerLeaseExpiredException expired(long waitedMillis) {
        WorkerLease now = view;
        String what = now.state() == State.LOST
                ? "Lease of worker id %d was lost and no other worker id leased within %d ms"
                        .formatted(now.workerId(), waitedMillis)
                : "Lease of worker id %d ended at %s and was not renewed within %d ms"
                        .formatted(now.workerId(), now.fence(), waitedMillis);
        String why = now.reason() == null ? "" : " (" + now.reason() + ")";
        return new WorkerLeaseExpiredException(what + why + "; no id issued", now);
    }

    private void run() {
        // For what it loads, as drivers of a database do.
        Thread.currentThread().setContextClassLoader(terms.registry().getClass().getClassLoader());
        try {
            work();
        } finally {
            ended = true;
            wake(waiting);
        }
    }

    private void work() {
        long closingSince = 0;
        while (!ended) {
            if (closing) {
                closingSince = closingSince == 0 ? time.nanos() : closingSince;
                giveBack(time.nanos() - closingSince >= terms.acquireTimeout().toNanos());
            } else if (due - time.nanos() <= 0 || (hurry && failures == 0)) {
                hurry = false;
                if (held == null) {
                    acquire();
                } else {
                    renew(held);
                }
            } else {
                time.sleep(due - time.nanos());
            }
        }
    }

    private void acquire() {
        try {
            long asked = time.nanos();
            Snapshot seen = registry.read();
            Duration uncertainty = Duration.ofNanos((time.nanos() - asked) / 2);
            Instant here = now().minus(uncertainty);
            Duration skew = Duration.between(here, seen.now());
            refuseSkew(here, seen.now(), skew, uncertainty);
            refuseOtherLayouts(seen);
            if (unanswered != null && isStill(unanswered, seen)) {
                granted(unanswered, asked, skew);
                return;
            }
            Candidate candidate = choose(seen);
            start = candidate.entry == null ? layout.epoch() : candidate.entry.reservedUntil();
            unanswered = new Claim(
                    candidate.datacenterId,
                    candidate.workerId,
                    UUID.randomUUID().toString(),
                    terms.ownerInfo(),
                    fenceBehind(start),
                    layout.fingerprint());
            mayHold = true;
            if (!registry.acquire(candidate.entry, unanswered, terms.ttl())) {
                unanswered = null;
                raceLost = true;
                due = time.nanos() + time.draw(20_000_000);
                return;
            }
            if (seen.entries().isEmpty()) {
                // Nobody had said yet what the layout is; somebody may have said so at the same time.
                refuseOtherLayouts(registry.read());
            }
            granted(unanswered, asked, skew);
        } catch (WorkerIdUnavailableException refused) {
            refused(refused);
        } catch (RuntimeException | LinkageError | OutOfMemoryError failed) {
            refused(unreachable(messages(failed), failed));
        }
    }

    private void granted(Claim claim, long asked, Duration skew) {
        held = claim;
        unanswered = null;
        raceLost = false;
        failures = 0;
        due = asked + ttlNanos / 3;
        WorkerId worker = new WorkerId(
                claim.datacenterId(), claim.workerId(), "leased, namespace '%s'".formatted(registry.namespace()));
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        @Nullable
        Allocation granted = generator.grant(allocation, worker, layout.tickAtOrAfter(start), fence, near(fence));
        if (granted == null) {
            return;
        }
        allocation = granted;
        everHeld = true;
        Instant now = now();
        show(new WorkerLease(
                State.HELD, claim.datacenterId(), claim.workerId(), claim.reservedUntil(), now, now, skew, null));
        open = true;
        wake(waiting);
    }

    private void refused(WorkerIdUnavailableException refused) {
        if (refused.reason() == Reason.LAYOUT_MISMATCH && unanswered != null) {
            freeUnanswered(unanswered);
        }
        if (everHeld) {
            show(with(State.LOST, refused.getMessage()));
        } else {
            refusal = refused;
            wake(waiting);
        }
        due = time.nanos() + backoff();
    }

    private void freeUnanswered(Claim claim) {
        try {
            registry.release(claim, start.equals(layout.epoch()) ? NEVER_USED : start);
        } catch (RuntimeException stillUnreachable) {
            // It will expire by itself.
            due = time.nanos();
        }
        unanswered = null;
    }

    /** What will be no different a little later. */
    private static boolean isFinal(WorkerIdUnavailableException refused) {
        return refused.reason() != Reason.REGISTRY_UNREACHABLE && refused.reason() != Reason.ALL_LEASED;
    }

    /** @param uncertainty half the time that the answer took: when in between the other clock was read, nobody knows */
    private void refuseSkew(Instant here, Instant there, Duration skew, Duration uncertainty) {
        if (!everHeld && skew.abs().minus(uncertainty).compareTo(terms.maxClockSkew()) > 0) {
            throw new WorkerIdUnavailableException(
                    Reason.CLOCK_SKEW,
                    "Clock of this machine is %d ms %s the registry's (here %s, there %s; tolerated: %d ms); no worker id leased"
                            .formatted(
                                    skew.abs().toMillis(),
                                    skew.isNegative() ? "ahead of" : "behind",
                                    here,
                                    there,
                                    terms.maxClockSkew().toMillis()),
                    null);
        }
    }

    private void refuseOtherLayouts(Snapshot seen) {
        for (Entry entry : seen.entries()) {
            boolean neverUsed = entry.owner() == null && entry.reservedUntil().equals(NEVER_USED);
            if (!neverUsed && !entry.layout().equals(layout.fingerprint())) {
                throw new WorkerIdUnavailableException(
                        Reason.LAYOUT_MISMATCH,
                        "Namespace '%s' has ids of layout %s, but this process would make ids of layout %s; no worker id leased"
                                .formatted(registry.namespace(), entry.layout(), layout.fingerprint()),
                        null);
            }
        }
    }

    private record Candidate(
            int datacenterId, int workerId, @Nullable Entry entry) {

        static Candidate of(Entry entry) {
            return new Candidate(entry.datacenterId(), entry.workerId(), entry);
        }
    }

    /**
     * Prefers what was given back, then what was never used, then what has expired for a whole ttl: a store that lost its
     * last commits in a failover may have forgotten a renewal.
     */
    private Candidate choose(Snapshot seen) {
        Instant here = now();
        List<Entry> entries = seen.entries().stream()
                .filter(entry ->
                        terms.datacenterId().isEmpty() || terms.datacenterId().getAsInt() == entry.datacenterId())
                .sorted(Comparator.comparingInt(Entry::datacenterId).thenComparingInt(Entry::workerId))
                .toList();
        Predicate<Entry> passed = entry -> !entry.reservedUntil().isAfter(here);
        Predicate<Entry> nearlyPassed = entry -> !entry.reservedUntil().isAfter(here.plus(terms.maxClockSkew()));
        Predicate<Entry> free = entry -> entry.owner() == null;
        Predicate<Entry> expired = entry ->
                entry.owner() != null && !entry.expiresAt().plus(terms.ttl()).isAfter(seen.now());
        List<Candidate> candidates = candidates(entries, free.and(passed));
        if (candidates.isEmpty()) {
            candidates = unused(entries);
        }
        if (candidates.isEmpty()) {
            candidates = candidates(entries, expired.and(passed));
        }
        if (candidates.isEmpty()) {
            candidates = candidates(entries, free.or(expired).and(nearlyPassed));
        }
        if (candidates.isEmpty()) {
            throw allLeased(entries, seen.now());
        }
        return candidates.get(raceLost ? time.draw(Math.min(candidates.size(), SPREAD)) : 0);
    }

    private static List<Candidate> candidates(List<Entry> entries, Predicate<Entry> which) {
        return entries.stream().filter(which).map(Candidate::of).toList();
    }

    private List<Candidate> unused(List<Entry> entries) {
        Set<Long> used = new HashSet<>();
        entries.forEach(entry -> used.add(layout.nodeOf(entry.datacenterId(), entry.workerId())));
        List<Candidate> unused = new ArrayList<>();
        int first = terms.datacenterId().orElse(0);
        int last = terms.datacenterId().orElse(layout.maxDatacenterId());
        for (long datacenterId = first; datacenterId <= last; datacenterId++) {
            for (long workerId = 0; workerId <= layout.maxWorkerId(); workerId++) {
                if (unused.size() == SPREAD) {
                    return unused;
                }
                if (!used.contains(layout.nodeOf((int) datacenterId, (int) workerId))) {
                    unused.add(new Candidate((int) datacenterId, (int) workerId, null));
                }
            }
        }
        return unused;
    }

    private WorkerIdUnavailableException allLeased(List<Entry> entries, Instant there) {
        String next = entries.stream()
                .filter(entry -> entry.owner() != null)
                .map(entry -> entry.expiresAt().plus(terms.ttl()))
                .min(Comparator.naturalOrder())
                .filter(expires -> expires.isAfter(there))
                .map(expires -> "the next one expires in %d s"
                        .formatted(Math.max(0, Duration.between(there, expires).toSeconds() + 1)))
                .orElse("the clock of this machine is behind the ids made of those that are not");
        return new WorkerIdUnavailableException(
                Reason.ALL_LEASED,
                "All %d worker ids of %snamespace '%s' are leased; %s"
                        .formatted(
                                entries.size(),
                                terms.datacenterId().isPresent()
                                        ? "datacenter id %d in "
                                                .formatted(terms.datacenterId().getAsInt())
                                        : "",
                                registry.namespace(),
                                next),
                null);
    }

    private void renew(Claim mine) {
        @Nullable Claim earlier = unanswered;
        Claim target = earlier == null ? mine.until(extensionOf(mine)) : earlier;
        long asked = time.nanos();
        try {
            unanswered = target;
            if (registry.renew(mine, target.reservedUntil(), terms.ttl())) {
                confirmed(target, asked, earlier != null);
                return;
            }
            unanswered = earlier;
            if (earlier == null) {
                stop();
            }
            Snapshot seen = registry.read();
            if (earlier != null && isStill(earlier, seen)) {
                confirmed(earlier, asked, true);
            } else {
                lost(reasonOfLoss(mine, seen));
            }
        } catch (RuntimeException | LinkageError | OutOfMemoryError failed) {
            if (held == null) {
                lost("its entry has changed");
                return;
            }
            show(with(State.EXPIRING, messages(failed)));
            due = time.nanos() + backoff();
        }
    }

    private void confirmed(Claim claim, long asked, boolean late) {
        held = claim;
        unanswered = null;
        failures = 0;
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        allocation.moveFence(fence, near(fence));
        due = late ? asked : asked + ttlNanos / 3;
        WorkerLease before = view;
        show(new WorkerLease(
                State.HELD,
                claim.datacenterId(),
                claim.workerId(),
                claim.reservedUntil(),
                before.acquiredAt(),
                now(),
                before.clockSkew(),
                null));
    }

    /** No more ids, before anything else. */
    private void stop() {
        Allocation placeholder = Allocation.none();
        generator.withdraw(allocation, placeholder);
        allocation = placeholder;
        held = null;
    }

    private void lost(String reason) {
        if (held != null) {
            stop();
        }
        unanswered = null;
        show(with(State.LOST, reason));
        due = time.nanos();
    }

    private static String reasonOfLoss(Claim mine, Snapshot seen) {
        @Nullable Entry entry = entryOf(mine, seen);
        if (entry == null) {
            return "its entry was deleted";
        }
        if (entry.owner() == null) {
            return "its entry was freed by somebody else";
        }
        return entry.owner().equals(mine.owner())
                ? "a copy of this process, or somebody else, changed its entry"
                : "it was taken over by " + entry.ownerInfo();
    }

    /** Gives the worker id back with the time that was really used, so that the next one need not wait for the rest. */
    private void giveBack(boolean lastAttempt) {
        @Nullable Claim mine = held != null ? held : unanswered;
        if (mine == null) {
            end(null);
            return;
        }
        Instant used = layout.timestampOf(Math.max(layout.tickAtOrAfter(start), generator.lastTick() + 1));
        try {
            boolean freed = registry.release(mine, earlierOf(used, mine.reservedUntil()));
            if (!freed && unanswered != null && !unanswered.equals(mine)) {
                freed = registry.release(unanswered, earlierOf(used, unanswered.reservedUntil()));
            }
            end(freed || failures > 0 ? null : "it was not ours any more");
        } catch (RuntimeException failed) {
            if (lastAttempt) {
                end("not given back: " + messages(failed));
            } else {
                time.sleep(backoff());
            }
        }
    }

    private void end(@Nullable String reason) {
        held = null;
        unanswered = null;
        if (everHeld) {
            show(with(State.CLOSED, reason));
        }
        ended = true;
    }

    /** Publishes how it stands, and tells the listener if that is news. */
    private void show(WorkerLease next) {
        WorkerLease before = view;
        view = next;
        boolean sameWorker = next.datacenterId() == before.datacenterId() && next.workerId() == before.workerId();
        if (next.state() == before.state() && sameWorker) {
            return;
        }
        try {
            terms.listener().accept(next);
        } catch (RuntimeException ofListener) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, ofListener);
        }
    }

    private WorkerLease with(State state, @Nullable String reason) {
        WorkerLease now = view;
        return new WorkerLease(
                state,
                now.datacenterId(),
                now.workerId(),
                now.fence(),
                now.acquiredAt(),
                now.renewedAt(),
                now.clockSkew(),
                reason);
    }

    private static @Nullable Entry entryOf(Claim claim, Snapshot seen) {
        return seen.entries().stream()
                .filter(entry -> entry.datacenterId() == claim.datacenterId() && entry.workerId() == claim.workerId())
                .findFirst()
                .orElse(null);
    }

    private static boolean isStill(Claim claim, Snapshot seen) {
        @Nullable Entry entry = entryOf(claim, seen);
        return entry != null
                && claim.owner().equals(entry.owner())
                && claim.reservedUntil().equals(entry.reservedUntil());
    }

    private Instant extensionOf(Claim mine) {
        Instant used = layout.timestampOf(generator.lastTick() + 1);
        // Each renewal writes another value, so that it can be recognized. Not a tick more each time: ticks may be
        // long.
        Instant atLeast = earlierOf(mine.reservedUntil().plusMillis(1), layout.end());
        return laterOf(fenceBehind(used), atLeast);
    }

    /** A ttl from now, or from a later instant, at the start of a tick: no two holders ever share one. */
    private Instant fenceBehind(Instant from) {
        return layout.timestampOf(layout.tickAtOrAfter(laterOf(from, now()).plus(terms.ttl())));
    }

    /** From which tick on a renewal is urgent. */
    private long near(long fence) {
        return fence - ttlTicks / 3;
    }

    private WorkerIdUnavailableException unreachable(String why, @Nullable Throwable cause) {
        return new WorkerIdUnavailableException(
                Reason.REGISTRY_UNREACHABLE,
                "No worker id of namespace '%s' leased within %d ms: the registry is not reachable (%s)"
                        .formatted(registry.namespace(), terms.acquireTimeout().toMillis(), why),
                cause);
    }

    /** What failed, and why in the end: pools and drivers wrap it several times. */
    private static String messages(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String what = Objects.requireNonNullElse(
                failure.getMessage(), failure.getClass().getSimpleName());
        String why =
                Objects.requireNonNullElse(root.getMessage(), root.getClass().getSimpleName());
        return what.contains(why) ? what : what + ": " + why;
    }

    private long backoff() {
        long longest = Math.min(LONGEST_BACKOFF_NANOS, ttlNanos / 6);
        long nanos = Math.min(longest, SHORTEST_BACKOFF_NANOS << Math.min(failures++, 10));
        return nanos - time.draw((int) (nanos / 4));
    }

    private void wake(@Nullable Thread sleeper) {
        if (sleeper != null) {
            time.wake(sleeper);
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.millis());
    }

    private static Instant laterOf(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlierOf(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
