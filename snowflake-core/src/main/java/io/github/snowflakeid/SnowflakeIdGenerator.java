package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes Snowflake ids. One generator never makes an id twice, whatever the clock does. Nor do several of one process that
 * read the system clock, were loaded by one class loader and have one layout, even if they have one worker id: they share
 * what is used. Generators of different processes make different ids as long as no two use a worker id at the same time.
 *
 * <p><b>Clock.</b> An id carries the tick it was claimed for. {@code maxDrift} is how far that may lie ahead of the
 * system clock: a step back of the clock and a burst of more ids than the layout holds both only use up drift, and ids
 * go on. Beyond it the caller waits, at most {@code maxWait}; where that would not do, it gets a
 * {@link ClockMovedBackwardsException} at once and nothing is claimed. Whoever waits, waits for a slot of its own, first
 * come first served; only if the clock steps back meanwhile, or others claim at the same instant what was left, is that
 * slot given up with the same exception, never to be issued. An interrupt does not end a wait: the id is returned and the
 * flag kept.
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

    private final IdLayout layout;
    private final int sequenceBits;
    private final int nodeBits;
    private final long sequenceMask;
    private final int longestRun;
    private final Ticks ticks;
    private final long maxDriftTicks;
    private final long maxDriftMillis;
    private final long maxWaitMillis;
    private final SequenceStart sequenceStart;
    private final WorkerId workerId;

    private volatile Allocation allocation;

    private SnowflakeIdGenerator(Builder builder, WorkerIdAssigner assigner) {
        layout = builder.layout;
        sequenceBits = layout.sequenceBits();
        nodeBits = layout.datacenterBits() + layout.workerBits();
        sequenceMask = layout.maxSequence();
        longestRun = (int) Math.min(sequenceMask + 1, 1 << 30);
        sequenceStart = builder.sequenceStart;
        ticks = new Ticks(builder.clock, layout);
        maxDriftMillis = millis(builder.maxDrift);
        maxWaitMillis = millis(builder.maxWait);
        maxDriftTicks = Math.min(ticks.ticksIn(maxDriftMillis), layout.endTick());
        if (sequenceStart.bound() > sequenceMask + 1) {
            throw new IllegalArgumentException(
                    "bound of the sequence start must be in [1, %d] (%d sequence bits), but was %d"
                            .formatted(sequenceMask + 1, sequenceBits, sequenceStart.bound()));
        }
        long now = ticks.current();
        if (now < 0) {
            throw new IllegalArgumentException("epoch must not be in the future, but was %s (the clock says %s)"
                    .formatted(layout.epoch(), builder.clock.instant()));
        }
        if (now >= layout.endTick()) {
            throw new TimestampExhaustedException(layout);
        }
        workerId = assigner.assign(layout);
        allocation = Allocation.of(workerId, layout, builder.clock, firstSlotOf(now));
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
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public long nextId() {
        Allocation mine = allocation;
        return idAt(claim(mine, 1), mine);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Ids are claimed in runs of up to one tick's worth; {@code maxWait} holds for each run. Other threads get their
     * ids between the runs.
     *
     * @throws ClockMovedBackwardsException if the clock is too far behind the last id
     * @throws TimestampExhaustedException if the layout has ended
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public long[] nextIds(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative, but was " + count);
        }
        long[] ids = new long[count];
        int filled = 0;
        while (filled < count) {
            Allocation mine = allocation;
            int end = filled + Math.min(count - filled, longestRun);
            long slot = claim(mine, end - filled);
            while (filled < end) {
                ids[filled++] = idAt(slot++, mine);
            }
        }
        return ids;
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
     * @return the worker id that the assigner chose
     */
    public WorkerId workerId() {
        return workerId;
    }

    /**
     * Ends this generator. Calls that begin after this one has returned get a {@link GeneratorClosedException}, and so
     * do those that are waiting for an id. Then waits until the clock has passed the last id issued, so that another
     * process can take over the worker id: at most {@code maxDrift} and a tick. Closing again does nothing.
     */
    @Override
    public void close() {
        Allocation last = (Allocation) ALLOCATION.getAndSet(this, Allocation.NONE);
        if (last == Allocation.NONE) {
            return;
        }
        long lastTick = Math.min(tickOf(last.next() - 1), ticks.current() + maxDriftTicks);
        long atMost = ticks.startOf(1) + maxDriftMillis;
        approachUninterruptibly(lastTick + 1, elapsed -> elapsed >= atMost);
    }

    private long claim(Allocation mine, int count) {
        long now = ticks.current();
        long furthest = Math.min(now + maxDriftTicks, mine.fence - 1);
        long next = mine.next();
        if (tickOf(next) > furthest || now > furthest) {
            refuseWhatNeverComes(mine, now, next);
        }
        long slot = tickOf(next) < now ? mine.claimFrom(next, firstSlotOf(now), count) : mine.claim(count);
        if (tickOf(slot + count - 1) > furthest || mine != allocation) {
            await(mine, slot + count - 1);
        }
        return slot;
    }

    /** Called before a claim that cannot be served at once: returns if it can be later. */
    private void refuseWhatNeverComes(Allocation mine, long now, long next) {
        refuseIfEnded(mine, Math.max(now, tickOf(next)));
        refuseIfBeyondBudget(next, maxWaitMillis);
    }

    /** Waits until a claimed slot may be issued. */
    private void await(Allocation mine, long slot) {
        long atMost = maxWaitMillis + ticks.startOf(1);
        approachUninterruptibly(tickOf(slot) - maxDriftTicks, elapsed -> {
            refuseIfEnded(mine, tickOf(slot));
            refuseIfBeyondBudget(slot, atMost - elapsed);
            return false;
        });
        refuseIfEnded(mine, tickOf(slot));
    }

    /** Waits for the clock to enter a tick. Asks, each time before it sleeps, whether to give up. */
    private void approachUninterruptibly(long tick, LongPredicate giveUpAfterMillis) {
        long start = Ticks.elapsedNanos();
        boolean interrupted = false;
        try {
            while (ticks.millis() < ticks.startOf(tick)
                    && !giveUpAfterMillis.test((Ticks.elapsedNanos() - start) / 1_000_000)) {
                ticks.approach(tick);
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void refuseIfEnded(Allocation mine, long tick) {
        if (allocation == Allocation.NONE) {
            throw new GeneratorClosedException();
        }
        if (tick >= mine.fence) {
            throw new TimestampExhaustedException(layout);
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
        return (tick << sequenceBits) | sequenceStart.next();
    }

    private long tickOf(long slot) {
        return slot >>> sequenceBits;
    }

    private long idAt(long slot, Allocation mine) {
        return ((slot & ~sequenceMask) << nodeBits) | mine.node | (slot & sequenceMask);
    }

    private static long millis(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toMillis() : LONGEST.toMillis();
    }

    /** Collects the settings of a generator. For use by one thread. */
    public static final class Builder {

        private IdLayout layout = IdLayout.DEFAULT;
        private @Nullable WorkerIdAssigner worker;
        private InstantSource clock = Ticks.SYSTEM;
        private Duration maxDrift = Duration.ZERO;
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
         * Sets the clock that ids are stamped by. Only milliseconds of it are used.
         *
         * @param clock safe for use by many threads; the system clock unless set
         * @return this
         */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * Sets how far ids may run ahead of the clock. A process that is killed while its ids are ahead, and starts
         * again within that time, repeats them; leave it at zero unless a restart is known to take longer.
         *
         * @param maxDrift not negative, counted in whole ticks; zero unless set
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxDrift(Duration maxDrift) {
            this.maxDrift = notNegative("maxDrift", maxDrift);
            return this;
        }

        /**
         * Sets how long a caller waits for its id where the clock is behind by more than {@code maxDrift}.
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
         * @throws IllegalStateException if no worker was set
         * @throws IllegalArgumentException if the worker id does not fit the layout, the epoch is in the future, or
         *     the bound of the sequence start is beyond the sequence
         * @throws TimestampExhaustedException if the layout has ended
         * @throws WorkerIdUnavailableException if the assigner has no worker id
         */
        public SnowflakeIdGenerator build() {
            if (worker == null) {
                throw new IllegalStateException(
                        "worker must be set, for example .worker(WorkerIdAssigner.fixed(datacenterId, workerId))");
            }
            return new SnowflakeIdGenerator(this, worker);
        }

        private static Duration notNegative(String name, Duration duration) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("%s must not be negative, but was %s".formatted(name, duration));
            }
            return duration;
        }
    }
}
