package io.github.snowflakeid.segment;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.internal.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes short numbers without a clock: takes segments, ranges of a counter that a {@link SegmentStore} keeps, and hands their numbers
 * out. Leaf's segments work this way, and so do ticket servers where there are several stores.
 *
 * <p><b>Guarantee.</b> No number is issued twice, by any process that uses the same name in the same stores, as long as the stores
 * keep what they have confirmed. Each thread's numbers ascend. Numbers of several processes interleave: a higher number is not
 * always a later one. Numbers may be missing: a process that is killed loses the segment it has and the next one, if it has that
 * already.
 *
 * <p><b>Waiting.</b> The next segment is taken in the background before this one ends, as early as the rate of the calls and the time
 * the store takes to answer ask for. A caller waits only where the store is away until all numbers at hand are used, or where
 * a burst takes more of them than one answer of the store brings; at most {@code maxWait}, then it gets a
 * {@link NumbersUnavailableException}. An interrupt does not end a wait: the number is returned and the flag kept.
 *
 * <p><b>Several stores</b> share the numbers: store {@code i} of {@code n} counts {@code start + i, start + i + n, ...}. A store that is
 * down is left out until it answers. A counter begins only after every store has answered; a generator can be opened while a store is
 * down if each store that answers has the counter. All processes must name the same stores in the same order. A generator that finds a
 * counter with another start or increment, at any time, issues nothing from then on, and cannot be opened again.
 *
 * <p><b>A counter that moved back</b>, as when its store was restored from a backup or emptied, breaks the guarantee. A generator notices
 * it when it takes its next segment, but only if the counter stands below the last segment that this generator has taken; then it issues
 * nothing from then on. A generator whose last segment lies below the restored counter, or that is built afterwards, does not notice, and
 * repeats numbers that other processes have taken. So stop all processes before a store is restored, and set the counter above all numbers
 * in use before they start again.
 *
 * <p>Safe for use by any number of threads, also virtual ones. A number costs one fetch-and-add.
 *
 * @since 0.1.0
 */
public final class SegmentIdGenerator implements ManagedIdGenerator {

    private final String name;
    private final List<SegmentStore> stores;
    private final long initialValue;
    private final long maxValue;
    private final StoreRotation counters;
    private final Prefetcher prefetcher;
    private final SegmentSupplier supplier;

    /** Held by who opens or closes. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    private volatile boolean open;

    private SegmentIdGenerator(Builder builder) {
        name = Objects.requireNonNull(builder.name, "name");
        stores = builder.stores;
        initialValue = builder.initialValue;
        maxValue = builder.maxValue;
        Executor background = builder.background != null ? builder.background : this::start;
        counters = new StoreRotation(name, stores, initialValue, maxValue, builder.nanos, builder.listener);
        StepSizer sizer = new StepSizer(builder.minStep, builder.maxStep, builder.targetDuration);
        prefetcher =
                new Prefetcher(name, counters, sizer, builder.maxWait, builder.nanos, builder.listener, background);
        supplier = prefetcher.supplier;
    }

    private void start(Runnable body) {
        DaemonThreads.start("snowflake-segment-" + name, body, SegmentIdGenerator.class.getClassLoader());
    }

    /**
     * Starts a generator. {@link Builder#name(String)} and {@link Builder#stores(List)} have to be called.
     *
     * @return a builder with the defaults
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@inheritDoc}
     *
     * @throws NumbersUnavailableException if no store gave numbers within {@code maxWait}, or there will be none
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public long nextId() {
        Segment mine = supplier.present();
        long position = mine.claim(1);
        return mine.isBeforeMilestone(position)
                ? mine.numberAt(position)
                : supplier.nextAtMilestone(mine, position, true);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Never waits. It may be called by the thread of an event loop.
     */
    @Override
    public OptionalLong tryNextId() {
        Segment mine = supplier.present();
        long position = mine.claim(1);
        long number = mine.isBeforeMilestone(position)
                ? mine.numberAt(position)
                : supplier.nextAtMilestone(mine, position, false);
        return number == SegmentSupplier.NONE ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /**
     * {@inheritDoc}
     *
     * @throws NumbersUnavailableException if no store gave numbers within {@code maxWait}, which holds for each segment, or there
     *     will be none
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public void nextIds(long[] ids) {
        for (int filled = 0; filled < ids.length; ) {
            Segment mine = supplier.present();
            int wanted = ids.length - filled;
            long position = mine.claim(wanted);
            long end = Math.min(position + wanted, mine.size);
            for (long each = position; each < end; each++) {
                ids[filled++] = mine.numberAt(each);
            }
            if (filled < ids.length) {
                ids[filled++] = supplier.nextAtMilestone(mine, mine.size, true);
            } else if (!mine.isBeforeMilestone(end - 1)) {
                supplier.nextAtMilestone(mine, end - 1, true);
            }
        }
    }

    /**
     * The name of the counter.
     *
     * @return the name it was built with
     */
    @Override
    public String name() {
        return name;
    }

    /**
     * Where the counter is kept.
     *
     * @return the stores it was built with, in their order
     */
    public List<SegmentStore> stores() {
        return stores;
    }

    /**
     * Where the numbers begin.
     *
     * @return the first number of the counter
     */
    public long initialValue() {
        return initialValue;
    }

    /**
     * Where the numbers end.
     *
     * @return the last number that is ever issued; no number is higher
     */
    public long maxValue() {
        return maxValue;
    }

    /**
     * Which stores do not answer.
     *
     * @return what they are called; empty if all answered when they were asked last
     */
    public List<String> excludedStores() {
        return counters.leftOut();
    }

    /**
     * What this generator has done so far, and how it stands.
     *
     * @return a snapshot, also of a closed generator
     */
    public SegmentStatistics statistics() {
        return supplier.statistics(counters.highest());
    }

    /**
     * Whether this generator is closed.
     *
     * @return whether calls get a {@link GeneratorClosedException}
     */
    public boolean isClosed() {
        return !open;
    }

    /**
     * Why callers get no number at this moment.
     *
     * @return what they are told; empty if there are numbers, or if this generator is closed
     */
    public Optional<NumbersUnavailableException> trouble() {
        return supplier.trouble();
    }

    /**
     * Ends this generator. Calls that begin after this one has returned, and those that are waiting, get a
     * {@link GeneratorClosedException}. Numbers that nobody has got go back to the store, if no process has taken numbers of it since.
     * This takes at most {@code maxWait} and four answers of the store. Closing again does nothing.
     */
    @Override
    public void close() {
        lifecycle.lock();
        try {
            open = false;
            prefetcher.close();
        } finally {
            lifecycle.unlock();
        }
    }

    /**
     * Opens this generator again after {@link #close()}, as when a process goes on after a checkpoint: with a segment that it takes
     * now. Does nothing if it is open.
     *
     * @throws NumbersUnavailableException if none can be taken; the generator remains closed then
     */
    @Override
    public void reopen() {
        lifecycle.lock();
        try {
            prefetcher.open();
            open = true;
        } finally {
            lifecycle.unlock();
        }
    }

    /** Collects the settings of a generator. For use by one thread. */
    public static final class Builder {

        private static final int LONGEST_NAME = 100;
        private static final long LARGEST_STEP = 1L << 60;
        private static final Duration LONGEST = Duration.ofDays(1);

        private @Nullable String name;
        private List<SegmentStore> stores = List.of();
        private long initialValue = 1;
        private long maxValue = Long.MAX_VALUE;
        private long minStep = 100;
        private long maxStep = 100_000;
        private Duration targetDuration = Duration.ofMinutes(15);
        private Duration maxWait = Duration.ofSeconds(5);
        private SegmentListener listener = new SegmentListener() {};
        private LongSupplier nanos = System::nanoTime;
        private @Nullable Executor background;

        private Builder() {}

        /**
         * Sets which counter numbers are taken from. All generators of the same name share its numbers.
         *
         * @param name from 1 to 100 characters
         * @return this
         * @throws IllegalArgumentException if it is empty or longer, or begins or ends with a blank
         */
        public Builder name(String name) {
            // MariaDB and MySQL treat two names as equal if they differ only in blanks at the end.
            check(name.equals(name.strip()), "name must not begin or end with a blank, but was '%s'", name);
            String badLength = "name must have from 1 to %d characters, but has %d: '%s'";
            check(!name.isEmpty() && name.length() <= LONGEST_NAME, badLength, LONGEST_NAME, name.length(), name);
            this.name = name;
            return this;
        }

        /**
         * Sets where the counter is kept.
         *
         * @param stores one, or several that share the numbers; the same ones in the same order in all processes
         * @return this
         */
        public Builder stores(List<SegmentStore> stores) {
            this.stores = List.copyOf(stores);
            return this;
        }

        /**
         * Sets where the counter is kept.
         *
         * @param store the only store
         * @return this
         */
        public Builder store(SegmentStore store) {
            return stores(List.of(store));
        }

        /**
         * Sets the first number. A counter that exists must have been begun with the same one.
         *
         * @param initialValue not negative; 1 unless set
         * @return this
         */
        public Builder initialValue(long initialValue) {
            this.initialValue = initialValue;
            return this;
        }

        /**
         * Sets the last number, as the last one that the column holds.
         *
         * @param maxValue {@link Long#MAX_VALUE} unless set
         * @return this
         */
        public Builder maxValue(long maxValue) {
            this.maxValue = maxValue;
            return this;
        }

        /**
         * Sets how many numbers are taken at once at least, and first of all.
         *
         * @param minStep at least 1; 100 unless set
         * @return this
         */
        public Builder minStep(long minStep) {
            this.minStep = minStep;
            return this;
        }

        /**
         * Sets how many numbers are taken at once at most. A process that is killed loses up to twice that many.
         *
         * @param maxStep not less than {@code minStep}, at most 2^60; 100,000 unless set
         * @return this
         */
        public Builder maxStep(long maxStep) {
            this.maxStep = maxStep;
            return this;
        }

        /**
         * Sets how long a segment is to last. Between the limits, so many numbers are taken at once.
         *
         * @param targetDuration from 1 ms to 1 d; 15 minutes unless set
         * @return this
         */
        public Builder targetDuration(Duration targetDuration) {
            this.targetDuration = targetDuration;
            return this;
        }

        /**
         * Sets how long a caller waits where there is no number at hand, and how long a start waits for a store.
         *
         * @param maxWait from 0 to 1 d; 5 s unless set
         * @return this
         */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = maxWait;
            return this;
        }

        /**
         * Sets who is told of stores that fail.
         *
         * @param listener nobody unless set
         * @return this
         */
        public Builder listener(SegmentListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** What else there is of the world, for tests: real time in nanoseconds, and threads. */
        Builder world(LongSupplier nanos, Executor background) {
            this.nanos = nanos;
            this.background = background;
            return this;
        }

        /**
         * Looks at the stores and takes the first segment.
         *
         * @return a generator that is open; the caller closes it
         * @throws IllegalArgumentException if a setting is not what it must be
         * @throws NumbersUnavailableException if no store gave numbers within {@code maxWait}, if one cannot be used, if one has a
         *     counter of that name with another start or increment, or if the counter is missing in one and another one did not answer
         *     within {@code maxWait}
         */
        public SegmentIdGenerator build() {
            check(name != null, "name must be set");
            check(!stores.isEmpty(), "stores must not be empty");
            check(initialValue >= 0, "initialValue must not be negative, but was %d", initialValue);
            String tooFew = "maxValue must leave each of %d stores a number, from initialValue %d on, but was %d";
            check(initialValue <= maxValue - (stores.size() - 1), tooFew, stores.size(), initialValue, maxValue);
            check(minStep >= 1, "minStep must be at least 1, but was %d", minStep);
            check(maxStep <= LARGEST_STEP, "maxStep must be at most %d, but was %d", LARGEST_STEP, maxStep);
            check(maxStep >= minStep, "maxStep must not be less than minStep, %d, but was %d", minStep, maxStep);
            boolean isDuration = targetDuration.compareTo(LONGEST) <= 0 && targetDuration.toMillis() >= 1;
            check(isDuration, "targetDuration must be from 1 ms to 1 d, but was %s", targetDuration);
            boolean isWait = !maxWait.isNegative() && maxWait.compareTo(LONGEST) <= 0;
            check(isWait, "maxWait must be from 0 to 1 d, but was %s", maxWait);
            SegmentIdGenerator generator = new SegmentIdGenerator(this);
            generator.reopen();
            return generator;
        }

        @SuppressWarnings("AnnotateFormatMethod") // The core has no dependency on Error Prone.
        private static void check(boolean holds, String rule, Object... values) {
            if (!holds) {
                throw new IllegalArgumentException(rule.formatted(values));
            }
        }
    }
}
