package io.github.snowflakeid;

import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerLease;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes Snowflake ids. One generator never makes an id twice, whatever the clock does. Nor do several of one process that
 * read the system clock, were loaded by one class loader and have one layout, even if they have one worker id: they share
 * what is used. Generators of different processes make different ids as long as no two use a worker id at the same time.
 *
 * <p><b>Clock.</b> An id carries the tick it was claimed for. {@code maxDrift} is how far that may lie ahead of the
 * system clock: a step back of the clock and a burst of more ids than the layout holds both only use up drift, and ids
 * go on. Beyond it the caller waits, at most {@code maxWait}; where that would not do, it gets a
 * {@link ClockMovedBackwardsException} at once and nothing is claimed, but for what was claimed at that very instant under
 * load and is given up. Whoever waits, waits for a slot of its own, first come first served; only if the clock steps back
 * meanwhile, or others claim at the same instant what was left, is that slot given up with the same exception, never to be
 * issued. An interrupt does not end a wait: the id is returned and the flag kept.
 *
 * <p><b>Restart.</b> A process that ends and starts again must not find its clock before the ids it has made.
 * {@link #close()} sees to that as far as it can: it waits until the clock has passed the last id. A process that is
 * killed has no such moment; with the default {@code maxDrift} of zero its last id is no later than its clock was.
 *
 * <p>Safe for use by any number of threads, also virtual ones: no lock is held, nothing is pinned.
 */
public final class SnowflakeIdGenerator implements IdGenerator, AutoCloseable {

    /*
     * Who races with whom. Any number of threads claim slots from one allocation (see there); each claimed slot belongs
     * to one thread, so what follows a claim needs no care about other claims.
     *
     * close() replaces the allocation, then reads its next slot, while others may be between reading the allocation and
     * returning an id. They look at the allocation once more after their claim: if it is still theirs, the claim came
     * before the replacement and close() sees it in the word; if not, the slot is given up. So once close() has
     * returned, whatever was claimed is either accounted for or never issued.
     *
     * The look at the next slot before a claim is advice, there to claim nothing in vain; several threads may pass it
     * at once and then claim beyond. The look at the claimed slot is what decides.
     *
     * Where an allocation is limited, a caller claims of it without looking at the clock or the next slot, and issues what
     * is below the limit. Whoever claims beyond takes the limit away, so that others do not do the same in vain. That an
     * allocation is limited is advice, too, and may be out of date: the limit is read after the claim, and the allocation
     * is looked at once more. Several may set a limit at once, the ticker and callers who found one reached; which of them
     * remains does not matter, for none is beyond the drift or the fence.
     *
     * That the limit is read after the claim is for the sake of speed, too. Where many claim, the word goes from processor
     * to processor, and one that has it claims several times before it goes on, as long as nothing else has to be fetched
     * from memory first.
     */

    private static final VarHandle ALLOCATION;

    static {
        try {
            ALLOCATION =
                    MethodHandles.lookup().findVarHandle(SnowflakeIdGenerator.class, "allocation", Allocation.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** As good as forever; what is longer would only overflow. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** How many ids a batch claims at once at most, so that those who want a single one get it in between. */
    private static final int LONGEST_RUN = 1 << 16;

    /** The longest sleep at the end of the drift. */
    private static final long SLACK_MILLIS = 8;

    // What every call reads: the less of it there is, the sooner it is there after a while without calls.
    volatile Allocation allocation = Allocation.NONE;

    /** The allocation if it has a limit, so that a caller need not look at the clock; null if it has none. */
    private volatile @Nullable Allocation limited;

    private final Ticks ticks;
    private final int sequenceBits;
    private final int nodeBits;
    private final long sequenceMask;
    private final long maxDriftTicks;

    /** From which sequence on a ticker pays off; beyond the last one if it never does. */
    private final long manyInTick;

    private final boolean startsAtZero;

    // What few calls read, or none.
    private final IdLayout layout;
    private final SequenceStart sequenceStart;
    private final int longestRun;
    private final Time time;
    private final long maxDriftMillis;
    private final long maxWaitMillis;

    /** How much longer than it must a caller sleeps who has used up the drift: one long sleep is cheaper than many. */
    private final long slackTicks;

    private final @Nullable LeaseTerms terms;
    private final @Nullable Allocation unleased;
    private volatile Ticker ticker;
    private volatile @Nullable Lease lease;
    private volatile WorkerId workerId;

    /** The last tick that ids of an earlier allocation may have; those of the next one are later. */
    private final AtomicLong lastTick = new AtomicLong(-1);

    /** Held by who opens or closes. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    private SnowflakeIdGenerator(Builder builder) {
        layout = builder.layout;
        sequenceBits = layout.sequenceBits();
        nodeBits = layout.datacenterBits() + layout.workerBits();
        sequenceMask = layout.maxSequence();
        longestRun = (int) Math.min(sequenceMask + 1, LONGEST_RUN);
        sequenceStart = builder.sequenceStart;
        startsAtZero = sequenceStart.bound() == 1;
        time = builder.time;
        ticks = new Ticks(time, layout);
        terms = builder.lease;
        maxDriftMillis = millis(builder.maxDrift != null ? builder.maxDrift : defaultMaxDrift(terms != null));
        maxWaitMillis = millis(builder.maxWait);
        maxDriftTicks = Math.min(ticks.ticksIn(maxDriftMillis), layout.endTick());
        slackTicks = Math.min(maxDriftTicks / 4, ticks.ticksIn(Math.min(SLACK_MILLIS, maxWaitMillis / 2)));
        long many = ticks.startOf(1) * time.manyInAMillisecond();
        manyInTick = many == 0 ? Long.MAX_VALUE : many + sequenceStart.bound() - 1;
        ticker = new Ticker(this, time, ticks);
        if (sequenceStart.bound() > sequenceMask + 1) {
            throw new IllegalArgumentException(
                    "bound of the sequence start must be in [1, %d] (%d sequence bits), but was %d"
                            .formatted(sequenceMask + 1, sequenceBits, sequenceStart.bound()));
        }
        long now = ticks.current();
        if (now < 0) {
            throw new IllegalArgumentException("epoch must not be in the future, but was %s (the clock says %s)"
                    .formatted(layout.epoch(), time.instant()));
        }
        if (now >= layout.endTick()) {
            throw new TimestampExhaustedException(layout);
        }
        if (builder.worker != null) {
            workerId = builder.worker.assign(layout);
            unleased = Allocation.of(workerId, layout, time, firstSlotOf(now), maxDriftTicks);
        } else {
            workerId = new WorkerId(0, 0, "not leased yet");
            unleased = null;
        }
    }

    /**
     * Starts a generator. Only {@link Builder#worker(WorkerIdAssigner)} has to be called.
     *
     * @return a builder with the defaults
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@inheritDoc}
     *
     * @throws ClockMovedBackwardsException if the clock is too far behind the last id
     * @throws TimestampExhaustedException if the layout has ended
     * @throws WorkerLeaseExpiredException if the lease has ended and the registry grants none
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public long nextId() {
        Allocation mine = limited;
        if (mine == null) {
            return claimByTheClock(null);
        }
        long slot = mine.claim(1);
        long limit = mine.limit();
        return slot + Long.MIN_VALUE < limit && mine == allocation
                ? idAt(slot, mine)
                : settle(limit, new Run(mine, slot, 1));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Ids are claimed in runs of up to one tick's worth; {@code maxWait} holds for each run, and for a single id
     * before it. Other threads get their ids between the runs.
     *
     * @throws ClockMovedBackwardsException if the clock is too far behind the last id
     * @throws TimestampExhaustedException if the layout has ended
     * @throws WorkerLeaseExpiredException if the lease has ended and the registry grants none
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public void nextIds(long[] ids) {
        for (int filled = 0; filled < ids.length; ) {
            if (limited != allocation) {
                // It enters the tick for the run that follows.
                ids[filled++] = claimByTheClock(null);
            }
            int count = Math.min(ids.length - filled, longestRun);
            if (count == 0) {
                return;
            }
            long first = claimRun(count);
            // A run has no more slots than a tick, so it lies in two ticks at most, and within one ids are successive.
            int inFirstTick = (int) Math.min(count, sequenceMask + 1 - (first & sequenceMask));
            fill(ids, filled, filled + inFirstTick, first);
            fill(
                    ids,
                    filled + inFirstTick,
                    filled + count,
                    (first & ~sequenceMask) + (1L << (nodeBits + sequenceBits)));
            filled += count;
        }
    }

    private long claimRun(int count) {
        Allocation mine = allocation;
        boolean blind = mine == limited;
        if (!blind) {
            long next = mine.next();
            if (!awaitFence(mine, tickOf(next))) {
                return claimRun(count);
            }
            refuseIfBeyondBudget(next, maxWaitMillis);
        }
        long slot = mine.claim(count);
        long limit = mine.limit();
        if (slot + count - 1 + Long.MIN_VALUE < limit && mine == allocation) {
            return idAt(slot, mine);
        }
        Run claimed = new Run(mine, slot, count);
        return blind ? settle(limit, claimed) : claimByTheClock(claimed);
    }

    private static void fill(long[] ids, int from, int to, long first) {
        for (int i = from; i < to; i++) {
            ids[i] = first + (i - from);
        }
    }

    /**
     * The layout of the ids.
     *
     * @return the layout this generator was built with
     */
    public IdLayout layout() {
        return layout;
    }

    /**
     * The worker id in the ids, and where it comes from.
     *
     * @return the worker id that the assigner chose, or the one that was leased last
     */
    public WorkerId workerId() {
        return workerId;
    }

    /**
     * The lease of the worker id.
     *
     * @return how it stands at this moment; empty if the worker id is not leased
     */
    public Optional<WorkerLease> lease() {
        Lease current = lease;
        return current == null ? Optional.empty() : Optional.of(current.view());
    }

    /**
     * Ends this generator. Calls that begin after this one has returned get a {@link GeneratorClosedException}, and so
     * do those that are waiting for an id, within a second. Then another process is given the worker id: a leased one goes
     * back to the registry, which takes at most {@link LeaseTerms#acquireTimeout()}; for others this waits until the clock
     * has passed the last id issued, at most {@code maxDrift} and a tick. Closing again does nothing.
     */
    @Override
    public void close() {
        lifecycle.lock();
        try {
            Allocation last = (Allocation) ALLOCATION.getAndSet(this, Allocation.NONE);
            if (last == Allocation.NONE) {
                return;
            }
            ticker.close();
            limited = null;
            last.unlimit();
            remember(last);
            if (lease != null) {
                lease.close();
            } else {
                long until = Math.min(lastTick.get(), ticks.current() + maxDriftTicks) + 1;
                long atMost = ticks.startOf(1) + maxDriftMillis;
                long start = time.nanos();
                boolean interrupted = false;
                while (ticks.millis() < ticks.startOf(until) && millisSince(start) < atMost) {
                    ticks.approach(until, atMost - millisSince(start));
                    interrupted |= Thread.interrupted();
                }
                keep(interrupted);
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /**
     * Opens this generator again after {@link #close()}, as when a process goes on after a checkpoint: with the worker id
     * that it had, or with one that it leases now. Ids go on behind the last one. Does nothing if it is open.
     *
     * @throws WorkerIdUnavailableException if there is no worker id to lease; the generator remains closed then
     */
    public void reopen() {
        lifecycle.lock();
        try {
            if (allocation != Allocation.NONE) {
                return;
            }
            ticker = new Ticker(this, time, ticks);
            if (terms == null) {
                allocation = Objects.requireNonNull(unleased);
                return;
            }
            Lease opening = new Lease(this, terms, layout, time);
            lease = opening;
            allocation = opening.placeholder();
            try {
                opening.open();
            } catch (WorkerIdUnavailableException none) {
                remember((Allocation) ALLOCATION.getAndSet(this, Allocation.NONE));
                opening.close();
                throw none;
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /**
     * Lets ids be made of another worker id from now on, later than all made before.
     *
     * @param replaced what the new allocation takes the place of
     * @param firstTick the first tick that is granted
     * @return the new allocation; null if this generator was closed meanwhile
     */
    @Nullable
    Allocation grant(Allocation replaced, WorkerId granted, long firstTick, long fence, long nearFence) {
        long first = Math.max(Math.max(firstTick, lastTick.get() + 1), ticks.current());
        Allocation next = Allocation.leased(granted, layout, firstSlotOf(first), fence, nearFence, maxDriftTicks);
        workerId = granted;
        return ALLOCATION.compareAndSet(this, replaced, next) ? next : null;
    }

    /** Lets no more ids be made of an allocation, if it is still in use. */
    void withdraw(Allocation lost, Allocation placeholder) {
        if (ALLOCATION.compareAndSet(this, lost, placeholder)) {
            remember(lost);
        }
    }

    /** The last tick that ids made so far may have. */
    long lastTick() {
        Allocation current = allocation;
        return Math.max(lastTick.get(), lastTickOf(current));
    }

    /** Called after an allocation was replaced, when its word tells all that will ever be issued of it. */
    private void remember(Allocation replaced) {
        lastTick.accumulateAndGet(lastTickOf(replaced), Math::max);
    }

    private long lastTickOf(Allocation any) {
        long next = any.next();
        return next == 0 ? -1 : Math.min(tickOf(next - 1), any.fence() - 1);
    }

    /**
     * What the ticker does each tick, and who looks at the clock in its place: enters the tick, and lets callers do without
     * the clock as far as they may.
     *
     * @param slots for how many slots at most
     * @return the next free slot
     */
    long advance(long slots) {
        Allocation mine = allocation;
        long limit = mine.limit();
        long now = ticks.current();
        long drift = mine.maxDriftTicks();
        long fence = mine.fence();
        long next = mine.next();
        hurryIfNear(mine, now);
        if (now >= fence || tickOf(next) > Math.min(now + drift, fence - 1)) {
            limited = null;
            mine.unlimit(limit);
            return next;
        }
        long from = tickOf(next) < now ? firstSlotOf(now) : next;
        long end = Math.min(now + drift + 1, fence) << sequenceBits;
        mine.limitTo(from + Math.min(slots, end - from), drift);
        if (limited != mine) {
            limited = mine;
        }
        if (!mine.skip(now << sequenceBits, from) || mine != allocation) {
            letAllLookAtTheClock(mine);
        }
        return mine.next();
    }

    /**
     * How many slots were claimed, at most, since the next free one was another. Those that were skipped to enter a tick do not
     * count, and are skipped up to the clock's tick only.
     */
    long claimedSince(long before) {
        long next = allocation.next();
        long inItsTick = Math.max(0, (next & sequenceMask) - (sequenceStart.bound() - 1));
        return tickOf(next) > ticks.current() ? next - before : Math.min(next - before, inItsTick);
    }

    /** What the ticker does at its end, and who looked in its place meanwhile. */
    void letAllLookAtTheClock() {
        letAllLookAtTheClock(allocation);
    }

    private void letAllLookAtTheClock(Allocation mine) {
        limited = null;
        mine.unlimit();
    }

    /**
     * {@linkplain #claimByTheClock Issues} what was claimed without a look at the clock and is not below the limit, or the like
     * of it if it is of a tick that has passed: it may be that nobody has looked for long. A limit that was reached is taken
     * away, or another one set.
     */
    private long settle(long limit, Run claimed) {
        Allocation mine = claimed.of;
        mine.unlimit(limit);
        if (mine.limit() == Allocation.NO_LIMIT) {
            limited = null;
        }
        ticker.standIn();
        long now = ticks.current();
        if (tickOf(claimed.first + claimed.count - 1) >= now) {
            return claimByTheClock(claimed);
        }
        // For a run it enters the tick.
        long id = claimByTheClock(null);
        return claimed.count == 1 ? id : claimRun(claimed.count);
    }

    /** Successive slots that were claimed of an allocation. */
    private record Run(Allocation of, long first, int count) {}

    /**
     * Claims a slot, unless a run is claimed already, and waits until it, or the last of the run, may be issued. Refuses,
     * before the claim, what will not be served in time, and waits for the fence, if that is in the way, without claiming.
     *
     * <p>That this is one long method with one parameter is for the sake of {@link #nextId()}. HotSpot inlines no method of
     * more than 325 bytes; were this inlined where ids are made in a loop, or called there with more in its hands, the
     * compiler would keep the caller's variables on the stack instead of in registers, and storing them before each claim
     * costs a fifth of the ids with one thread, and nearly half with two.
     *
     * @return the first id; of another run if the allocation was replaced, and then nobody ever issues the one given
     */
    private long claimByTheClock(@Nullable Run claimed) {
        Allocation mine = claimed == null ? allocation : claimed.of;
        // Before the clock: processors fetch from memory what is read after it only when they have read it.
        long next = mine.next();
        long fence = mine.fence();
        long now = ticks.current();
        long furthest = Math.min(now + maxDriftTicks, fence - 1);
        long slot;
        long last;
        if (claimed == null) {
            if (tickOf(next) > furthest || now > furthest) {
                if (!awaitFence(mine, Math.max(now, tickOf(next)))) {
                    return claimByTheClock(null);
                }
                refuseIfBeyondBudget(next, maxWaitMillis);
                // It may have waited.
                next = mine.next();
                now = ticks.current();
            }
            if (tickOf(next) < now) {
                hurryIfNear(mine, now);
                slot = mine.claimFrom(next, now << sequenceBits, firstSlotOf(now));
            } else {
                slot = mine.claim(1);
            }
            last = slot;
            if ((slot & sequenceMask) >= manyInTick && tickOf(slot) <= now) {
                if (mine.limit() == Allocation.NO_LIMIT) {
                    ticker.begin();
                } else {
                    // Another generator of this worker has a ticker.
                    limited = mine;
                }
            }
        } else {
            slot = claimed.first;
            last = slot + claimed.count - 1;
        }
        long tick = tickOf(last);
        if (tick <= furthest && mine == allocation) {
            return idAt(slot, mine);
        }
        long atMost = maxWaitMillis + ticks.startOf(1);
        long start = time.nanos();
        boolean interrupted = false;
        try {
            while (ticks.millis() < ticks.startOf(tick - maxDriftTicks) && mine == allocation) {
                refuseIfBeyondBudget(last, atMost - millisSince(start));
                ticks.approach(tick - maxDriftTicks + slackTicks, atMost - millisSince(start));
                interrupted |= Thread.interrupted();
            }
        } finally {
            keep(interrupted);
        }
        if (awaitFence(mine, tick)) {
            return idAt(slot, mine);
        }
        return claimed == null ? claimByTheClock(null) : claimRun(claimed.count);
    }

    /** Lets the fence be moved when it is near. */
    private void hurryIfNear(Allocation mine, long tick) {
        if (tick >= mine.nearFence()) {
            Lease current = lease;
            if (current != null) {
                current.hurry();
            }
        }
    }

    /**
     * Waits until the fence is behind a tick; where the allocation is replaced, until that of the present one is behind
     * what would be claimed of it.
     *
     * @return whether the allocation was not replaced
     */
    private boolean awaitFence(Allocation mine, long tick) {
        Allocation current = mine;
        long needed = tick;
        long start = time.nanos();
        boolean replaced = false;
        boolean interrupted = false;
        try {
            while (true) {
                // In this order: a fence that moves after the allocation was replaced counts for nobody.
                long fence = current.fence();
                if (current != allocation) {
                    replaced = true;
                    current = allocation;
                    needed = Math.max(ticks.current(), tickOf(current.next()));
                    continue;
                }
                if (current == Allocation.NONE) {
                    throw new GeneratorClosedException();
                }
                if (needed < fence) {
                    return !replaced;
                }
                Lease expired = lease;
                if (needed >= layout.endTick() || expired == null) {
                    throw new TimestampExhaustedException(layout);
                }
                long waited = millisSince(start);
                if (waited >= maxWaitMillis) {
                    throw expired.expired(maxWaitMillis);
                }
                expired.hurry();
                ticks.pause(waited, maxWaitMillis - waited);
                interrupted |= Thread.interrupted();
            }
        } finally {
            keep(interrupted);
        }
    }

    private long millisSince(long start) {
        return (time.nanos() - start) / 1_000_000;
    }

    private static void keep(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void refuseIfBeyondBudget(long slot, long waitMillis) {
        long now = ticks.millis();
        long toOwn = ticks.startOf(tickOf(slot)) - now;
        if (toOwn - ticks.startOf(maxDriftTicks) <= Math.max(waitMillis, 0)) {
            return;
        }
        long toLast = ticks.startOf(tickOf(Math.max(slot - 1, 0))) - now;
        long tolerated = maxDriftMillis + maxWaitMillis;
        String message = toLast > 0
                ? "Clock is %d ms behind the last issued id (tolerated: %d ms); no id issued"
                        .formatted(toLast, tolerated)
                : "All ids of this tick are used and the next tick begins in %d ms (tolerated: %d ms); no id issued"
                        .formatted(toOwn, tolerated);
        throw new ClockMovedBackwardsException(
                message, Duration.ofMillis(toLast > 0 ? toLast : toOwn), Duration.ofMillis(tolerated));
    }

    private long firstSlotOf(long tick) {
        return startsAtZero ? tick << sequenceBits : (tick << sequenceBits) | sequenceStart.next();
    }

    private long tickOf(long slot) {
        return slot >>> sequenceBits;
    }

    private long idAt(long slot, Allocation mine) {
        return ((slot & ~sequenceMask) << nodeBits) | mine.node | (slot & sequenceMask);
    }

    private static Duration defaultMaxDrift(boolean leased) {
        return leased ? Duration.ofSeconds(1) : Duration.ZERO;
    }

    private static long millis(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toMillis() : LONGEST.toMillis();
    }

    /** Collects the settings of a generator. For use by one thread. */
    public static final class Builder {

        private IdLayout layout = IdLayout.DEFAULT;
        private @Nullable WorkerIdAssigner worker;
        private @Nullable LeaseTerms lease;
        private Time time = new Time(Time.SYSTEM);
        private @Nullable Duration maxDrift;
        private Duration maxWait = Duration.ofSeconds(1);
        private SequenceStart sequenceStart = SequenceStart.zero();

        private Builder() {}

        /**
         * Sets how the bits of an id are divided.
         *
         * @param layout the layout; {@link IdLayout#DEFAULT} unless set
         * @return this
         */
        public Builder layout(IdLayout layout) {
            this.layout = Objects.requireNonNull(layout, "layout");
            return this;
        }

        /**
         * Sets where the worker id comes from.
         *
         * @param worker asked once, by {@link #build()}
         * @return this
         */
        public Builder worker(WorkerIdAssigner worker) {
            this.worker = Objects.requireNonNull(worker, "worker");
            return this;
        }

        /**
         * Lets the worker id be leased, instead of {@link #worker(WorkerIdAssigner)}.
         *
         * @param lease where and on which terms; the first lease is awaited by {@link #build()}
         * @return this
         */
        public Builder lease(LeaseTerms lease) {
            this.lease = Objects.requireNonNull(lease, "lease");
            return this;
        }

        /**
         * Sets the clock that ids are stamped by. Only milliseconds of it are used.
         *
         * @param clock safe for use by many threads; the system clock unless set
         * @return this
         */
        public Builder clock(InstantSource clock) {
            return time(new Time(Objects.requireNonNull(clock, "clock")));
        }

        Builder time(Time time) {
            this.time = time;
            return this;
        }

        /**
         * Sets how far ids may run ahead of the clock. With a lease that is safe, because its fence remembers how far
         * they were. Without, a process that is killed while its ids are ahead, and starts again within that time,
         * repeats them; leave it at zero unless a restart is known to take longer.
         *
         * @param maxDrift not negative, counted in whole ticks; unless set, one second with a lease, zero without
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxDrift(Duration maxDrift) {
            this.maxDrift = notNegative("maxDrift", maxDrift);
            return this;
        }

        /**
         * Sets how long a caller waits for its id where the clock is behind by more than {@code maxDrift}. A caller that finds
         * the lease at its end waits up to this long for its renewal or for another lease, too, in addition to any wait for
         * the clock.
         *
         * @param maxWait not negative, with a precision of a tick; one second unless set
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = notNegative("maxWait", maxWait);
            return this;
        }

        /**
         * Sets where the sequence of a new tick starts.
         *
         * @param sequenceStart {@link SequenceStart#zero()} unless set
         * @return this
         */
        public Builder sequenceStart(SequenceStart sequenceStart) {
            this.sequenceStart = Objects.requireNonNull(sequenceStart, "sequenceStart");
            return this;
        }

        /**
         * Makes the generator.
         *
         * @return a generator that is open until {@link SnowflakeIdGenerator#close()}
         * @throws IllegalStateException if not exactly one of worker and lease was set
         * @throws IllegalArgumentException if the worker id does not fit the layout, the epoch is in the future, or
         *     the bound of the sequence start is beyond the sequence
         * @throws TimestampExhaustedException if the layout has ended
         * @throws WorkerIdUnavailableException if the assigner or the registry has no worker id
         */
        public SnowflakeIdGenerator build() {
            if ((worker == null) == (lease == null)) {
                throw new IllegalStateException(
                        worker == null
                                ? "worker must be set, for example .worker(WorkerIdAssigner.fixed(datacenterId, workerId))"
                                : "worker and lease must not both be set: a worker id is either assigned or leased");
            }
            SnowflakeIdGenerator generator = new SnowflakeIdGenerator(this);
            generator.reopen();
            return generator;
        }

        private static Duration notNegative(String name, Duration duration) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("%s must not be negative, but was %s".formatted(name, duration));
            }
            return duration;
        }
    }
}
