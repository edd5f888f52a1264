package io.github.snowflakeid;

import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes Snowflake ids. One generator never makes an id twice, whatever the clock does. Nor do several of one process that
 * read the system clock, were loaded by one class loader and have one layout, even if they have one worker id: they share
 * what is used. Each of these keeps its own {@code maxDrift}: if one has used slots far ahead of the clock, another with a smaller
 * drift waits for the clock or fails. Generators of different processes make different ids as long as no two use a worker id at the
 * same time.
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
 * <p><b>Long ticks.</b> A process may be killed and restarted within one tick if the ticks of the layout are longer than 10 ms.
 * Then a generator without a lease issues no ID of the tick in which it is opened, and none before the clock has reached the next
 * tick, whatever {@code maxDrift} allows; {@link #idsBeginAt()} returns when that is. A call before waits, at most
 * {@code maxWait}, or fails at once with a {@link ClockMovedBackwardsException} if that is too short. A generator that joins
 * another open one with the same worker ID in the same process continues after its IDs instead.
 *
 * <p>Safe for use by any number of threads, also virtual ones: no lock is held, nothing is pinned.
 */
public final class SnowflakeIdGenerator extends SlotIssuer implements IdGenerator, AutoCloseable {

    private final String name;
    private final @Nullable WorkerId assigned;
    private final @Nullable LeaseTerms terms;

    private volatile Ticker ticker;
    private volatile @Nullable Tenants tenants;
    private volatile @Nullable Tenant tenant;
    private volatile @Nullable Tenants opening;

    private final Lifecycle lifecycle = new Lifecycle();

    private SnowflakeIdGenerator(Builder builder) {
        super(builder.layout, builder.time, budget(builder), builder.sequenceStart);
        name = builder.name;
        terms = builder.lease;
        SequenceStart start = builder.sequenceStart;
        if (start.bound() > layout.maxSequence() + 1L) {
            throw new IllegalArgumentException(
                    "bound of the sequence start must be in [1, %d] (%d sequence bits), but was %d"
                            .formatted(layout.maxSequence() + 1L, layout.sequenceBits(), start.bound()));
        }
        long now = ticks.current();
        if (now < 0) {
            throw new IllegalArgumentException("epoch must not be in the future, but was %s (the clock says %s)"
                    .formatted(layout.epoch(), time.instant()));
        }
        if (now >= layout.endTick()) {
            throw new TimestampExhaustedException(layout, time.timestamp());
        }
        assigned = builder.worker == null ? null : AssignedWorkers.ask(builder.worker, layout);
        ticker = newTicker();
    }

    private static DriftBudget budget(Builder builder) {
        Duration usualDrift = builder.lease != null ? Duration.ofSeconds(1) : Duration.ZERO;
        Duration maxDrift = builder.maxDrift != null ? builder.maxDrift : usualDrift;
        TickClock ticks = new TickClock(builder.time, builder.layout);
        return new DriftBudget(
                builder.time, ticks, new StatisticsRecorder(), builder.layout, maxDrift, builder.maxWait);
    }

    private Ticker newTicker() {
        return new Ticker(this, time, ticks, threadName("snowflake-ticker"));
    }

    private String threadName(String kind) {
        return name.isEmpty() ? kind : kind + "-" + name;
    }

    // ---- what the issuer needs of the ticker and the lease

    @Override
    void many() {
        ticker.begin();
    }

    @Override
    void limitReached() {
        ticker.standIn();
    }

    @Override
    void fenceNear() {
        Tenants current = tenants;
        if (current != null) {
            current.hurry();
        }
    }

    @Override
    SnowflakeException fenceMissed(long waitedMillis) {
        Tenant current = tenant;
        return current == null
                ? new TimestampExhaustedException(layout, time.timestamp())
                : current.expired(waitedMillis);
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
        return next();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Never waits, takes no lock and starts no thread, so it may be called by the thread of an event loop.
     */
    @Override
    public OptionalLong tryNextId() {
        return tryNext();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Ids are claimed in runs of up to one tick's worth; {@code maxWait} holds for the last ID of each run, and for a single ID
     * before it. A run that would take longer is refused with a {@link ClockMovedBackwardsException} before any of its IDs is
     * claimed. Other threads get their ids between the runs.
     *
     * @throws ClockMovedBackwardsException if the clock is too far behind the last id
     * @throws TimestampExhaustedException if the layout has ended
     * @throws WorkerLeaseExpiredException if the lease has ended and the registry grants none
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public void nextIds(long[] ids) {
        next(ids);
    }

    /**
     * The name of this generator, among several of one application.
     *
     * @return the name it was built with, empty if it has none
     */
    public String name() {
        return name;
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
     * @return the worker id that the assigner chose, or the one that was leased last; 0 as long as none was
     */
    public WorkerId workerId() {
        return assigned != null ? assigned : allocation().worker();
    }

    /**
     * The lease of the worker id.
     *
     * @return how it stands at this moment; empty if the worker id is not leased
     */
    public Optional<WorkerLease> lease() {
        Tenant current = tenant;
        return current == null ? Optional.empty() : Optional.of(current.view());
    }

    /**
     * On which terms the worker id is leased, for whoever looks into the registry.
     *
     * @return the terms it was built with; empty if the worker id is not leased
     */
    public Optional<LeaseTerms> leaseTerms() {
        return Optional.ofNullable(terms);
    }

    /**
     * Reads the registry that the worker id is leased from, for whoever looks into it. How far its clock is ahead then, {@link
     * #lease()} says from now on.
     *
     * @return what it holds at this moment; empty if the worker id is not leased
     * @throws RuntimeException if the registry cannot be read now, as {@link WorkerRegistry#read()} says
     */
    public Optional<WorkerRegistry.Snapshot> readRegistry() {
        Tenant reader = tenant;
        if (reader == null) {
            return Optional.empty();
        }
        ClockedSnapshot reading = ClockedSnapshot.of(reader.terms.registry(), time);
        reader.measured(reading);
        return Optional.of(reading.seen());
    }

    /**
     * What this generator has done so far. For meters: it takes no lock of those who make ids. The first id of a tick costs two
     * atomic additions for being counted, the others nothing.
     *
     * @return a snapshot, also of a closed generator
     */
    public GeneratorStatistics statistics() {
        long ahead = ticks.startOf(lastTick()) - ticks.millis();
        return tally.statistics(Duration.ofMillis(Math.max(0, ahead)), ticker.isRunning());
    }

    /**
     * When the first ID may be issued. Only a generator without a lease, and with ticks longer than 10 ms, waits for that after it
     * is opened.
     *
     * @return the start of the first tick; empty once the clock has reached it, and if there is no such wait
     */
    public Optional<Instant> idsBeginAt() {
        Allocation present = allocation();
        // In this order: another thread may begin it at this moment.
        long first = present.fence();
        return present.hasBegun() || first <= ticks.current()
                ? Optional.empty()
                : Optional.of(layout.timestampOf(first));
    }

    /**
     * How far ids may be ahead of the clock: beyond that, callers are refused.
     *
     * @return {@code maxDrift} and {@code maxWait} together
     */
    public Duration toleratedDrift() {
        return budget.tolerated();
    }

    /** The last tick that ids made so far may have. */
    long lastTick() {
        return allocation().lastTick();
    }

    /**
     * Ends this generator. Calls that begin after this one has returned get a {@link GeneratorClosedException}, and so
     * do those that are waiting for an id, within a second. Then the worker id is given up, if no other generator of this
     * process shares it: a leased one goes back to the registry, which takes at most {@link LeaseTerms#acquireTimeout()}; for
     * others this waits until the clock has passed the last id issued, at most {@code maxDrift} and a tick; with ticks longer
     * than 10 ms it waits only until the clock has reached the tick of that ID. Closing again does nothing. Called by a listener to
     * the lease while another thread opens or closes this generator, it returns at once, and that thread closes it.
     */
    @Override
    public void close() {
        Tenants pending = opening;
        if (pending != null) {
            pending.abandon();
        }
        if (!lifecycle.lockToClose(tenants)) {
            return;
        }
        try {
            Allocation last = allocation();
            while (!last.isClosed() && !replace(last, last.closed())) {
                // A lease has replaced it at this moment.
                last = allocation();
            }
            opening = null;
            ticker.close();
            // Other generators may share it, and rely on a ticker that has just ended.
            last.unlimit();
            end(last);
        } finally {
            unlock();
        }
    }

    /** @param last what ids were made of */
    private void end(Allocation last) {
        Tenants current = tenants;
        Tenant leaving = tenant;
        if (current != null && leaving != null) {
            current.leave(leaving);
            // Unless a listener has reopened this generator.
            tenants = tenant == leaving ? null : tenants;
        } else if (assigned != null && !last.isClosed()) {
            try {
                budget.awaitUsed(last.lastTick());
            } finally {
                AssignedWorkers.close(last, layout, time);
            }
        }
    }

    /**
     * Opens this generator again after {@link #close()}, as when a process goes on after a checkpoint: with the worker id
     * that it had, or with one that it leases now. Ids go on behind the last one, and with ticks longer than 10 ms and no lease in
     * the next tick, as another process may have had the worker ID meanwhile. If it is open, this does nothing; if it was
     * {@linkplain Builder#start() started}, this {@linkplain #awaitOpen() awaits} that.
     *
     * @throws WorkerIdUnavailableException if there is no worker id to lease; the generator remains closed then
     * @throws IllegalStateException if a listener to the lease calls this while another thread opens or closes this generator
     */
    public void reopen() {
        lifecycle.lockToOpen(tenants);
        try {
            Allocation closed = allocation();
            if (closed.isClosed()) {
                open(closed);
            }
            awaitOpen();
        } finally {
            unlock();
        }
    }

    /**
     * Waits until there is a first worker id, where this generator was {@linkplain Builder#start() started} and not built. Does
     * nothing if it is open, or closed, as it is for whoever else waited in vain.
     *
     * @throws WorkerIdUnavailableException if there is no worker id to lease, {@link LeaseTerms#acquireTimeout()} after this call;
     *     the generator is closed then
     */
    public void awaitOpen() {
        lifecycle.lock();
        try {
            Tenants pending = opening;
            if (pending != null) {
                boolean open = false;
                try {
                    tenants = pending.awaitOpen(Objects.requireNonNull(tenant));
                    open = true;
                } finally {
                    opening = null;
                    if (!open) {
                        close();
                    }
                }
            }
        } finally {
            unlock();
        }
    }

    private void unlock() {
        if (lifecycle.unlock()) {
            close();
        }
    }

    private void open(Allocation closed) {
        ticker = newTicker();
        if (assigned != null) {
            boolean late = ticks.mayOutlastARestart();
            long fence = late ? Math.min(ticks.current() + 1, layout.endTick()) : layout.endTick();
            Allocation.Grant grant = new Allocation.Grant(assigned, layout, late ? fence : 0, fence, Long.MAX_VALUE);
            long first = firstSlot(grant.firstTick(), fence);
            Allocation opened = AssignedWorkers.open(grant, time, first, budget.driftTicks, closed.lastTick());
            AssignedWorkers.closeUnless(() -> replace(closed, opened), opened, layout, time);
        } else {
            beginLease(closed, Objects.requireNonNull(terms));
        }
    }

    private void beginLease(Allocation closed, LeaseTerms terms) {
        Allocation vacancy = closed.vacant();
        Tenant opener = new Tenant(this, vacancy, terms, budget.driftTicks, Tenant.notLeased(layout, time.timestamp()));
        Tenants pending = Lease.of(opener, layout, time, threadName("snowflake-lease"));
        tenant = opener;
        tenants = pending;
        opening = pending;
        replace(closed, vacancy);
        boolean begun = false;
        try {
            pending.begin();
            begun = true;
        } finally {
            if (!begun) {
                close();
            }
        }
    }

    /** Collects the settings of a generator. For use by one thread. */
    public static final class Builder {

        private String name = "";
        private IdLayout layout = IdLayout.DEFAULT;
        private @Nullable WorkerIdAssigner worker;
        private @Nullable LeaseTerms lease;
        private TimeSource time = new TimeSource(TimeSource.SYSTEM);
        private @Nullable Duration maxDrift;
        private Duration maxWait = Duration.ofSeconds(1);
        private SequenceStart sequenceStart = SequenceStart.zero();

        private Builder() {}

        /**
         * Names the generator, where an application has several. Its threads are named after it.
         *
         * @param name empty, that is none, unless set
         * @return this
         */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

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
         * @param worker asked once, by {@link #build()} or {@link #start()}
         * @return this
         */
        public Builder worker(WorkerIdAssigner worker) {
            this.worker = Objects.requireNonNull(worker, "worker");
            return this;
        }

        /**
         * Lets the worker id be leased, instead of {@link #worker(WorkerIdAssigner)}.
         *
         * @param lease where and on which terms; the first lease is awaited by {@link #build()}, or
         *     {@link SnowflakeIdGenerator#awaitOpen()}
         * @return this
         */
        public Builder lease(LeaseTerms lease) {
            this.lease = Objects.requireNonNull(lease, "lease");
            return this;
        }

        /**
         * Sets the clock that ids are stamped by. Only milliseconds of it are used. With ticks longer than 10 ms and no lease, no
         * ID is issued before this clock reaches the tick after the one in which the generator is opened.
         *
         * @param clock safe for use by many threads; the system clock unless set
         * @return this
         */
        public Builder clock(InstantSource clock) {
            return time(new TimeSource(Objects.requireNonNull(clock, "clock")));
        }

        Builder time(TimeSource time) {
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
         * @param maxWait not negative, with a precision of a tick, but at most 10 ms; one second unless set
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
            SnowflakeIdGenerator generator = start();
            generator.awaitOpen();
            return generator;
        }

        /**
         * Makes the generator as {@link #build()} does, but returns while its first worker id is still being leased, for whoever has
         * other things to do meanwhile. Until {@link SnowflakeIdGenerator#awaitOpen()} has returned, a caller that wants an id waits
         * for up to {@code maxWait} and may get a {@link WorkerLeaseExpiredException}.
         *
         * @return a generator that is open, or about to be
         * @throws IllegalStateException if not exactly one of worker and lease was set
         * @throws IllegalArgumentException as {@link #build()} does
         * @throws TimestampExhaustedException if the layout has ended
         * @throws WorkerIdUnavailableException if the assigner has no worker id
         */
        public SnowflakeIdGenerator start() {
            if ((worker == null) == (lease == null)) {
                throw new IllegalStateException(
                        worker == null
                                ? "worker must be set, for example .worker(WorkerIdAssigner.fixed(datacenterId, workerId))"
                                : "worker and lease must not both be set: a worker id is either assigned or leased");
            }
            SnowflakeIdGenerator generator = new SnowflakeIdGenerator(this);
            generator.open(generator.allocation());
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
