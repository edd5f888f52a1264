package io.github.snowflakeid;

import io.github.snowflakeid.internal.ForStarter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Generates Snowflake IDs. A generator never generates an ID twice, whatever the clock does.
 *
 * <p><b>Several generators.</b> Generators in different processes generate different IDs as long as no two of them use
 * the same worker ID at the same time. A {@linkplain Builder#lease lease} ensures that. With an
 * {@linkplain Builder#worker assigned} worker ID, you must ensure it. Generators in the same process that have the same
 * layout and the same assigned worker ID share one sequence of IDs, so their IDs differ, provided that they read the
 * system clock; it does not matter which class loaders loaded them. If one of them has generated IDs far ahead of the
 * clock, another one with a smaller {@code maxDrift} waits for the clock or fails; under load, its IDs may be as far
 * ahead as the IDs of the others.
 *
 * <p><b>Clock.</b> An ID carries the tick for which it was claimed. {@code maxDrift} limits how far that tick may be
 * ahead of the system clock. Both a clock that steps back and a burst of more IDs than the layout provides use up
 * drift, and IDs continue. Beyond the drift, the caller waits, at most {@code maxWait}. If waiting would not be enough,
 * the caller gets a {@link ClockMovedBackwardsException} at once and no ID is claimed, except for IDs that were claimed
 * at that very instant under load; these are never issued. Callers wait for IDs that they have already claimed, so they
 * are served in the order in which they came. If the clock steps back during the wait, or other callers claim IDs at
 * the same instant, a waiting caller may get the same exception; its ID is never issued then. An interrupt does not end
 * a wait: the ID is returned and the interrupt flag remains set.
 *
 * <p><b>Restart.</b> When a process restarts without a lease, its clock must not be before the IDs that it has already
 * generated. {@link #close()} therefore waits until the clock has passed the last ID. A process that is killed cannot
 * wait; with the default {@code maxDrift} of zero, its last ID is no later than its clock was.
 *
 * <p><b>Long ticks.</b> If ticks are longer than 10 ms, a process may be killed and restarted within one tick.
 * Therefore, a generator without a lease issues no ID for the tick in which it is opened, and no ID before the clock
 * has reached the next tick, whatever {@code maxDrift} allows; {@link #idsBeginAt()} returns that instant. A call
 * before that instant waits, at most {@code maxWait}, or fails immediately with a {@link ClockMovedBackwardsException}
 * if that is too short. If another generator in the process is open with the same worker ID, the new generator
 * continues after its IDs instead.
 *
 * <p>Safe for use by any number of threads, including virtual threads: generating an ID holds no lock and pins no
 * thread.
 *
 * @since 1.0
 */
public final class SnowflakeIdGenerator extends ClockFreeIssuer implements ManagedIdGenerator {

    private final String name;
    private final @Nullable WorkerId assigned;
    private final @Nullable LeaseTerms terms;
    private final Lifecycle lifecycle = new Lifecycle();

    /** The current lease, or the last one if the generator is closed; null if the worker ID is not leased. */
    private volatile @Nullable LeaseKeeper lease;

    /** Creates the exception for callers that wait for the first worker ID; null if callers do not wait for it. */
    private volatile @Nullable Function<WorkerIdUnavailableException, RuntimeException> opening;

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
                    "bound of the sequence start must be in [1, %s] (%s sequence bits), but was %s"
                            .formatted(layout.maxSequence() + 1L, layout.sequenceBits(), start.bound()));
        }
        long now = ticks.current();
        if (now < 0) {
            throw new IllegalArgumentException(
                    "epoch must not be in the future, but was %s (this machine's clock is at %s)"
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
        return new DriftBudget(builder.time, builder.layout, maxDrift, builder.maxWait, builder.lease != null);
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

    // ---- callbacks of the issuer

    @Override
    void fenceNear(long near) {
        LeaseKeeper current = lease;
        if (current != null) {
            current.hurry(near);
        }
    }

    @Override
    boolean awaitWorkerId() {
        return opening != null && awaitLease(null);
    }

    @Override
    SnowflakeException fenceMissed(long waitedMillis) {
        LeaseKeeper current = lease;
        return current == null
                ? new TimestampExhaustedException(layout, time.timestamp())
                : current.expired(waitedMillis);
    }

    /**
     * Creates a builder. Either {@link Builder#worker(WorkerIdAssigner)} or {@link Builder#lease(LeaseTerms)} must be
     * called; everything else has a default.
     *
     * @return a builder with the defaults
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@inheritDoc}
     *
     * @throws ClockMovedBackwardsException if the clock is too far behind the last ID
     * @throws TimestampExhaustedException if the layout is exhausted
     * @throws WorkerLeaseExpiredException if the lease has expired or was lost, and the registry grants neither a
     *     renewal nor another lease
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public long nextId() {
        return next();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Never waits, acquires no lock and starts no thread, so event-loop threads may call it.
     */
    @Override
    public OptionalLong tryNextId() {
        return tryNext();
    }

    /**
     * {@inheritDoc}
     *
     * <p>IDs are claimed in ranges of at most as many IDs as a tick has. {@code maxWait} applies to the last ID of each
     * range, and to a single ID that may be claimed before the range. A range that would take longer is rejected with a
     * {@link ClockMovedBackwardsException} before any of its IDs is claimed. Other threads get IDs between the ranges.
     * Each range, and each such single ID, waits at most {@code maxWait} for the clock and at most {@code maxWait} for
     * the lease. So a call waits at most four times {@code maxWait} in all for each full or partial tick of IDs, unless
     * the lease is replaced during the call, and usually not at all.
     *
     * @throws ClockMovedBackwardsException if the clock is too far behind the last ID
     * @throws TimestampExhaustedException if the layout is exhausted
     * @throws WorkerLeaseExpiredException if the lease has expired or was lost, and the registry grants neither a
     *     renewal nor another lease
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public void nextIds(long[] ids) {
        next(ids);
    }

    /**
     * Returns the name of this generator, which distinguishes it from other generators of the application.
     *
     * @return the name that this generator was built with; empty if it has none
     */
    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the layout of the IDs.
     *
     * @return the layout that this generator was built with
     */
    public IdLayout layout() {
        return layout;
    }

    /**
     * Returns the worker ID of the IDs, and its origin.
     *
     * @return the worker ID that the assigner chose, or the worker ID that was leased last; 0 as long as none has been
     *     leased
     */
    public WorkerId workerId() {
        awaitWorkerId();
        return assigned != null ? assigned : allocation().worker();
    }

    /**
     * Returns the lease of the worker ID.
     *
     * @return the state of the lease at this moment; empty if this generator uses no lease
     */
    public Optional<WorkerLease> lease() {
        return Optional.ofNullable(lease).map(LeaseKeeper::view);
    }

    /**
     * Returns the terms on which the worker ID is leased, including the registry.
     *
     * @return the terms that this generator was built with; empty if it uses no lease
     */
    public Optional<LeaseTerms> leaseTerms() {
        return Optional.ofNullable(terms);
    }

    /**
     * Reads the registry that the worker ID is leased from, for monitoring. This also measures the skew between the
     * clocks of this machine and of the registry, which {@link #lease()} returns from then on.
     *
     * @return the contents of the registry at this moment; empty if this generator uses no lease
     * @throws RuntimeException if the registry cannot be read, as described at {@link WorkerRegistry#read()}
     */
    public Optional<WorkerRegistry.Snapshot> readRegistry() {
        return Optional.ofNullable(lease).map(LeaseKeeper::read);
    }

    /**
     * Returns the statistics of this generator, for meters. Neither this call nor the counting slows down callers for
     * IDs: it acquires no lock that they need, and counting costs one atomic addition for the first ID of a tick and
     * nothing for the others.
     *
     * @return a snapshot, which is also available after the generator was closed
     */
    public GeneratorStatistics statistics() {
        long ahead = ticks.startOf(lastTick()) - ticks.millis();
        return statistics.statistics(allocation().issued(), Duration.ofMillis(Math.max(0, ahead)), isTickerRunning());
    }

    /**
     * Returns when the first ID may be issued. A generator without a lease and with ticks longer than 10 ms issues no
     * ID before the tick after the one in which it was opened; other generators do not wait.
     *
     * @return the start of the first tick; empty once the clock has reached it, and for generators that do not wait
     */
    public Optional<Instant> idsBeginAt() {
        Allocation present = allocation();
        // The fence is read first: another thread may begin the first tick now, which moves the fence.
        long first = present.fence();
        return present.hasBegun() || first <= ticks.current()
                ? Optional.empty()
                : Optional.of(layout.timestampOf(first));
    }

    /**
     * Returns how far IDs may be ahead of the clock before callers get a {@link ClockMovedBackwardsException}.
     *
     * @return the sum of {@code maxDrift} and {@code maxWait}
     */
    public Duration toleratedDrift() {
        return budget.tolerated();
    }

    /** Returns the last tick that an ID issued so far may have. */
    long lastTick() {
        return allocation().lastTick();
    }

    /**
     * Closes this generator and releases its worker ID. Later calls for an ID get a {@link GeneratorClosedException}.
     * Calls that are already waiting for an ID get it within a second.
     *
     * <p>With a lease, this method waits until the registry has released the worker ID, at most
     * {@link LeaseTerms#acquireTimeout()}. Without a lease, it waits until the clock has passed the last issued ID, at
     * most {@code maxDrift} and a tick; with ticks longer than 10 ms, it waits only until the clock has reached the
     * tick of that ID. Closing a closed generator does nothing.
     *
     * <p>If a listener to the lease calls this method while another thread opens or closes this generator, the method
     * returns immediately and the other thread closes the generator.
     */
    @Override
    public void close() {
        if (!lifecycle.lockToClose(mayWait())) {
            return;
        }
        try {
            Allocation last = allocation();
            while (!last.isClosed() && !replace(last, last.closed())) {
                // The lease's thread has just replaced the allocation.
                last = allocation();
            }
            LeaseKeeper current = lease;
            if (!last.isClosed() && current != null) {
                current.close();
            } else if (!last.isClosed()) {
                try {
                    budget.awaitUsed(last.lastTick());
                } finally {
                    AssignedWorkers.close(last);
                }
            }
        } finally {
            opening = null;
            lifecycle.unlock();
        }
    }

    /**
     * Opens this generator again after {@link #close()}, for example when a process is restored from a checkpoint. The
     * generator uses its assigned worker ID again, or leases a worker ID. IDs continue after the last one. With ticks
     * longer than 10 ms and no lease, they continue in the next tick, because another process may have used the worker
     * ID in between. If another thread is opening the generator, this method waits for the lease. If it is open, this
     * method does nothing.
     *
     * @throws WorkerIdUnavailableException if no worker ID can be leased within {@link LeaseTerms#acquireTimeout()};
     *     the generator remains closed then
     * @throws IllegalStateException if a listener to the lease calls this method while another thread opens or closes
     *     this generator
     */
    @Override
    public void reopen() {
        lifecycle.lockToOpen(mayWait());
        try {
            beginToOpen();
            awaitLease(lifecycle::isCancelled);
            if (!lifecycle.opened()) {
                close();
            }
        } catch (Throwable e) {
            close();
            throw e;
        } finally {
            lifecycle.unlock();
        }
    }

    private void beginToOpen() {
        Allocation closed = allocation();
        if (closed.isClosed() && assigned != null) {
            replace(closed, assign(assigned, closed));
        } else if (closed.isClosed()) {
            Allocation vacancy = closed.vacant();
            LeaseKeeper keeper =
                    new LeaseKeeper(this, vacancy, Objects.requireNonNull(terms), threadName("snowflake-lease", name));
            lease = keeper;
            replace(closed, vacancy);
            keeper.start();
        }
    }

    private boolean awaitLease(@Nullable BooleanSupplier isCancelled) {
        LeaseKeeper keeper = lease;
        Function<WorkerIdUnavailableException, RuntimeException> explained = opening;
        try {
            return keeper != null && mayWait() && keeper.awaitOpen(isCancelled);
        } catch (WorkerIdUnavailableException e) {
            throw explained == null ? e : explained.apply(e);
        }
    }

    /**
     * Returns false on the lease's thread, which calls the listener: a thread that opens or closes the generator may be
     * waiting for it.
     */
    private boolean mayWait() {
        LeaseKeeper current = lease;
        return current == null || !current.isLeaseThread();
    }

    private Allocation assign(WorkerId worker, Allocation closed) {
        boolean late = ticks.mayOutlastARestart();
        long fence = late ? Math.min(ticks.current() + 1, layout.endTick()) : layout.endTick();
        Allocation.Grant grant = new Allocation.Grant(worker, layout, late ? fence : 0, fence, Long.MAX_VALUE);
        return AssignedWorkers.open(grant, time, firstSlot(grant.firstTick(), fence), closed);
    }

    /** Collects the settings of a generator. Not safe for use by several threads. */
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
         * Sets the name of the generator, if an application has several. The generator's threads are named after it.
         *
         * @param name the name; empty, which means no name, unless set
         * @return this builder
         */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets the layout, which divides the bits of an ID.
         *
         * @param layout the layout; {@link IdLayout#DEFAULT} unless set
         * @return this builder
         */
        public Builder layout(IdLayout layout) {
            this.layout = Objects.requireNonNull(layout, "layout");
            return this;
        }

        /**
         * Sets the assigner of the worker ID. Use either this or {@link #lease(LeaseTerms)}.
         *
         * @param worker the assigner, which {@link #build()} calls once
         * @return this builder
         */
        public Builder worker(WorkerIdAssigner worker) {
            this.worker = Objects.requireNonNull(worker, "worker");
            return this;
        }

        /**
         * Leases the worker ID from a registry. Use either this or {@link #worker(WorkerIdAssigner)}.
         *
         * @param lease the registry and the terms of the lease; {@link #build()} waits for the lease
         * @return this builder
         */
        public Builder lease(LeaseTerms lease) {
            this.lease = Objects.requireNonNull(lease, "lease");
            return this;
        }

        /**
         * Sets the clock that provides the timestamps of IDs. Only its milliseconds are used. With ticks longer than 10
         * ms and no lease, no ID is issued before this clock has reached the tick after the tick in which the generator
         * is opened.
         *
         * @param clock a clock that is safe for use by many threads; the system clock unless set
         * @return this builder
         */
        public Builder clock(InstantSource clock) {
            return time(new TimeSource(Objects.requireNonNull(clock, "clock")));
        }

        Builder time(TimeSource time) {
            this.time = time;
            return this;
        }

        /**
         * Sets how far IDs may run ahead of the clock. With a lease, any value is safe, because the registry records
         * how far IDs may have come. Without a lease, a process that is killed while its IDs are ahead of the clock,
         * and restarts before the clock has caught up, repeats IDs. Leave it at zero then, unless a restart always
         * takes longer.
         *
         * @param maxDrift the drift, rounded down to whole ticks; unless set, one second with a lease and zero without
         * @return this builder
         * @throws IllegalArgumentException if {@code maxDrift} is negative
         */
        public Builder maxDrift(Duration maxDrift) {
            this.maxDrift = notNegative("maxDrift", maxDrift);
            return this;
        }

        /**
         * Sets how long a caller waits for its ID if IDs are ahead of the clock by more than {@code maxDrift}. If the
         * lease has expired, a caller also waits up to this long for its renewal or for another lease, in addition to
         * any wait for the clock.
         *
         * @param maxWait the longest wait; one second unless set. A wait may take longer by a tick or 10 ms, whichever
         *     is less.
         * @return this builder
         * @throws IllegalArgumentException if {@code maxWait} is negative
         */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = notNegative("maxWait", maxWait);
            return this;
        }

        /**
         * Sets where the sequence of a new tick starts.
         *
         * @param sequenceStart the policy; {@link SequenceStart#zero()} unless set
         * @return this builder
         */
        public Builder sequenceStart(SequenceStart sequenceStart) {
            this.sequenceStart = Objects.requireNonNull(sequenceStart, "sequenceStart");
            return this;
        }

        /**
         * Builds the generator and opens it. With a lease, this method waits until a worker ID is leased, at most
         * {@link LeaseTerms#acquireTimeout()}.
         *
         * @return a generator that is open until {@link SnowflakeIdGenerator#close()}
         * @throws IllegalStateException unless exactly one of worker and lease was set
         * @throws IllegalArgumentException if the worker ID does not fit the layout, the epoch is in the future, or the
         *     bound of the sequence start exceeds the number of sequence values
         * @throws TimestampExhaustedException if the layout is exhausted
         * @throws WorkerIdUnavailableException if the assigner or the registry has no worker ID
         */
        public SnowflakeIdGenerator build() {
            SnowflakeIdGenerator generator = buildClosed(ForStarter.KEY);
            generator.reopen();
            return generator;
        }

        /**
         * Builds the generator and begins to open it. With a lease, this method does not wait for it. Callers for an ID
         * or the worker ID wait for the lease, at most {@link LeaseTerms#acquireTimeout()}, and
         * {@link SnowflakeIdGenerator#reopen()} waits as well. If no worker ID can be leased, {@code reopen} closes the
         * generator.
         *
         * @hidden
         * @param key only the starter has it
         * @param failure creates the exception for all who wait if no worker ID can be leased
         * @return a generator that is being opened
         * @throws IllegalStateException unless exactly one of worker and lease was set
         * @throws IllegalArgumentException as for {@link #build()}
         * @throws TimestampExhaustedException if the layout is exhausted
         * @throws WorkerIdUnavailableException if the assigner has no worker ID
         */
        @SuppressWarnings("exports")
        public SnowflakeIdGenerator buildOpening(
                ForStarter key, Function<WorkerIdUnavailableException, RuntimeException> failure) {
            SnowflakeIdGenerator generator = buildClosed(key);
            generator.opening = Objects.requireNonNull(failure, "failure");
            generator.beginToOpen();
            return generator;
        }

        /**
         * Builds the generator without opening it, so that no worker ID is leased. Callers for an ID get a
         * {@link GeneratorClosedException} until {@link SnowflakeIdGenerator#reopen()} opens it.
         *
         * @hidden
         * @param key only the starter has it
         * @return a generator that is closed
         * @throws IllegalStateException unless exactly one of worker and lease was set
         * @throws IllegalArgumentException as for {@link #build()}
         * @throws TimestampExhaustedException if the layout is exhausted
         * @throws WorkerIdUnavailableException if the assigner has no worker ID
         */
        @SuppressWarnings("exports")
        public SnowflakeIdGenerator buildClosed(ForStarter key) {
            if ((worker == null) == (lease == null)) {
                throw new IllegalStateException(
                        worker == null
                                ? "worker or lease must be set, for example .worker(WorkerIdAssigner.fixed(datacenterId, workerId))"
                                : "worker and lease must not both be set: a worker ID is either assigned or leased");
            }
            return new SnowflakeIdGenerator(this);
        }

        private static Duration notNegative(String name, Duration duration) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("%s must not be negative, but was %s".formatted(name, duration));
            }
            return duration;
        }
    }
}
