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
 * Generates Snowflake IDs. One generator never generates an ID twice, whatever the clock does. Neither do several generators of one
 * process with one layout and one {@linkplain WorkerIdAssigner#fixed fixed} worker ID, if they read the system clock and one class loader
 * loaded them: they share one sequence of IDs. If one of these has generated IDs far ahead of the clock, another one with a smaller
 * {@code maxDrift} waits for the clock or fails; under load its IDs may be as far ahead as those of the others. Generators of different
 * processes generate different IDs as long as no two of them use one worker ID at the same time. A lease ensures that: each generator
 * with a lease has a worker ID that no other generator has.
 *
 * <p><b>Clock.</b> An ID carries the tick that it was claimed for. {@code maxDrift} is how far that tick may be ahead of the system clock.
 * A step back of the clock and a burst of more IDs than the layout holds both only use up drift, and IDs continue. Beyond the drift, the
 * caller waits, at most {@code maxWait}. If that is not enough, the caller gets a {@link ClockMovedBackwardsException} at once and no ID is
 * claimed, except for IDs that were claimed at that very instant under load and are given up. Callers wait for IDs that they have already
 * claimed, so they are served in the order in which they came. If the clock steps back during the wait, or other callers claim at the same
 * instant, the ID may be given up with the same exception; it is never issued then. An interrupt does not end a wait: the ID is returned
 * and the flag is kept.
 *
 * <p><b>Restart.</b> A process that ends and starts again must not find its clock before the IDs it has generated. {@link #close()} waits
 * until the clock has passed the last ID. A process that is killed cannot wait; with the default {@code maxDrift} of zero, its last ID is
 * no later than its clock was.
 *
 * <p><b>Long ticks.</b> If ticks are longer than 10 ms, a process may be killed and restarted within one tick. Therefore, a generator
 * without a lease issues no ID of the tick in which it is opened, and none before the clock has reached the next tick, whatever {@code
 * maxDrift} allows; {@link #idsBeginAt()} returns when that is. A call before that waits, at most {@code maxWait}, or fails at once with a
 * {@link ClockMovedBackwardsException} if that is too short. A generator that joins another open one with the same worker ID in the same
 * process continues after its IDs instead.
 *
 * <p>Safe for use by any number of threads, including virtual threads: no lock is held, and no thread is pinned.
 *
 * @since 0.1.0
 */
public final class SnowflakeIdGenerator extends ClockFreeIssuer implements ManagedIdGenerator {

    private final String name;
    private final @Nullable WorkerId assigned;
    private final @Nullable LeaseTerms terms;
    private final Lifecycle lifecycle = new Lifecycle();

    /** The present lease, or the last one if the generator is closed. */
    private volatile @Nullable LeaseKeeper lease;

    private SnowflakeIdGenerator(Builder builder) {
        super(
                builder.layout,
                builder.time,
                budget(builder),
                builder.sequenceStart,
                threadName("snowflake-ticker", builder.name));
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
        assigned = builder.worker == null ? null : assigned(builder.worker, layout);
    }

    private static DriftBudget budget(Builder builder) {
        Duration usualDrift = builder.lease != null ? Duration.ofSeconds(1) : Duration.ZERO;
        Duration maxDrift = builder.maxDrift != null ? builder.maxDrift : usualDrift;
        return new DriftBudget(builder.time, builder.layout, maxDrift, builder.maxWait);
    }

    private static WorkerId assigned(WorkerIdAssigner assigner, IdLayout layout) {
        WorkerId worker = assigner.assign(layout);
        if (worker == null) {
            throw new IllegalArgumentException("WorkerIdAssigner must return a worker ID, but returned null");
        }
        layout.nodeOf(worker.datacenterId(), worker.workerId());
        return worker;
    }

    private static String threadName(String kind, String name) {
        return name.isEmpty() ? kind : kind + "-" + name;
    }

    // ---- what the issuer needs of the lease

    @Override
    void fenceNear() {
        LeaseKeeper current = lease;
        if (current != null) {
            current.hurry();
        }
    }

    @Override
    SnowflakeException fenceMissed(long waitedMillis) {
        LeaseKeeper current = lease;
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
    @Override
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
        return Optional.ofNullable(lease).map(LeaseKeeper::view);
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
        return Optional.ofNullable(lease).map(LeaseKeeper::read);
    }

    /**
     * Returns what this generator has done so far. For meters: it takes no lock that callers for IDs need. Counting costs one atomic
     * addition for the first ID of a tick, and nothing for the others.
     *
     * @return a snapshot, also of a closed generator
     */
    public GeneratorStatistics statistics() {
        long ahead = ticks.startOf(lastTick()) - ticks.millis();
        return statistics.statistics(allocation().issued(), Duration.ofMillis(Math.max(0, ahead)), isTickerRunning());
    }

    /**
     * Returns how many IDs this generator can issue now without waiting: to the end of the clock's tick and as far beyond as {@code
     * maxDrift} and the lease allow. For decisions such as whether to begin a large batch. A snapshot, out of date as soon as another
     * thread gets an ID or the clock moves.
     *
     * @return a lower bound at this moment; 0 if a call would wait or fail
     */
    public long availableNow() {
        return available();
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
     * Closes this generator. Calls that begin after this one has returned get a {@link GeneratorClosedException}, and so do, within a
     * second, calls that are waiting for an ID. Then the worker ID is released. A leased worker ID goes back to the registry, which takes
     * at most {@link LeaseTerms#acquireTimeout()}. For other worker IDs this waits until the clock has passed the last issued ID, at most
     * {@code maxDrift} and a tick; with ticks longer than 10 ms it waits only until the clock has reached the tick of that ID. Closing a
     * closed generator does nothing. If a listener to the lease calls this while another thread opens or closes this generator, it returns
     * at once, and the other thread closes the generator.
     */
    @Override
    public void close() {
        if (!lifecycle.lockToClose(mayWait())) {
            return;
        }
        try {
            Allocation last = allocation();
            while (!last.isClosed() && !replace(last, last.closed())) {
                // The lease has replaced it at this moment.
                last = allocation();
            }
            LeaseKeeper current = lease;
            if (!last.isClosed() && current != null) {
                current.close();
            } else if (!last.isClosed()) {
                try {
                    budget.awaitUsed(last.lastTick());
                } finally {
                    AssignedWorkers.close(last, layout);
                }
            }
        } finally {
            unlock();
        }
    }

    /**
     * Opens this generator again after {@link #close()}, as when a process continues after a checkpoint: with the worker ID that it had, or
     * with one that it leases now. IDs continue after the last one; with ticks longer than 10 ms and no lease they continue in the next
     * tick, as another process may have had the worker ID meanwhile. If the generator is open, this does nothing.
     *
     * @throws WorkerIdUnavailableException if there is no worker ID to lease within {@link LeaseTerms#acquireTimeout()}; the generator
     *     remains closed then
     * @throws IllegalStateException if a listener to the lease calls this while another thread opens or closes this generator
     */
    @Override
    public void reopen() {
        lifecycle.lockToOpen(mayWait());
        try {
            Allocation closed = allocation();
            if (closed.isClosed() && assigned != null) {
                replace(closed, assign(assigned, closed));
            } else if (closed.isClosed()) {
                lease(closed, Objects.requireNonNull(terms));
            }
        } finally {
            unlock();
        }
    }

    /** Returns false if a listener to the lease is calling: another thread may wait for the lease's thread. */
    private boolean mayWait() {
        LeaseKeeper current = lease;
        return current == null || !current.isKeptByCurrentThread();
    }

    private void unlock() {
        if (lifecycle.unlock()) {
            close();
        }
    }

    private Allocation assign(WorkerId worker, Allocation closed) {
        boolean late = ticks.mayOutlastARestart();
        long fence = late ? Math.min(ticks.current() + 1, layout.endTick()) : layout.endTick();
        Allocation.Grant grant = new Allocation.Grant(worker, layout, late ? fence : 0, fence, Long.MAX_VALUE);
        return AssignedWorkers.open(grant, time, firstSlot(grant.firstTick(), fence), closed);
    }

    private void lease(Allocation closed, LeaseTerms terms) {
        Allocation vacancy = closed.vacant();
        LeaseKeeper opening = new LeaseKeeper(this, vacancy, terms, threadName("snowflake-lease", name));
        lease = opening;
        replace(closed, vacancy);
        try {
            opening.open(lifecycle::isCloseAsked);
        } catch (Throwable e) {
            close();
            throw e;
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
         * @param lease where and on which terms; {@link #build()} waits for the lease
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
         * Builds the generator, and leases its worker ID if it is leased, which takes at most {@link LeaseTerms#acquireTimeout()}.
         *
         * @return a generator that is open until {@link SnowflakeIdGenerator#close()}
         * @throws IllegalStateException if not exactly one of worker and lease was set
         * @throws IllegalArgumentException if the worker ID does not fit the layout, the epoch is in the future, or
         *     the bound of the sequence start is beyond the sequence
         * @throws TimestampExhaustedException if the layout has ended
         * @throws WorkerIdUnavailableException if the assigner or the registry has no worker ID
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
