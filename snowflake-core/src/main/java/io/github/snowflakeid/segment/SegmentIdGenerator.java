package io.github.snowflakeid.segment;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.internal.DaemonThreads;
import io.github.snowflakeid.internal.ForStarter;
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
 * Generates sequential numbers without a clock. It reserves segments, which are ranges of a counter in a
 * {@link SegmentStore}, and issues their numbers from memory. This is the segment mode of Leaf; with several stores it
 * works like a pair of ticket servers.
 *
 * <p><b>Guarantee.</b> No number is issued twice by processes that use the same name in the same stores, as long as the
 * stores keep the writes that they have confirmed. The numbers of each thread ascend. Numbers of several processes
 * interleave, so a higher number is not always a later one. Numbers may be skipped: a process that is killed loses the
 * rest of its current segment, and its next segment if it has already reserved one.
 *
 * <p><b>Waiting.</b> The next segment is reserved in the background before the current one is exhausted. The rate of
 * calls and the response time of the store determine how early. A caller waits only if the store is unavailable until
 * all reserved numbers are used, or if a burst takes more numbers than the store can deliver in time. It waits for at
 * most {@code maxWait} and then gets a {@link NumbersUnavailableException}. An interrupt does not end the wait: the
 * number is returned and the interrupt flag stays set.
 *
 * <p><b>Several stores</b> share the numbers: store {@code i} of {@code n} counts
 * {@code start + i, start + i + n, ...}. A store that is down is excluded until it answers. Counters are created only
 * after every store has answered. While a store is down, a generator can be opened if each store that answers has the
 * counter. All processes must configure the same stores in the same order. A generator that finds a counter with
 * another start or increment, at any time, issues no more numbers and cannot be opened again. Each segment begins above
 * the highest number that the generator has reserved in any store, so numbers of a store that lags behind are skipped.
 *
 * <p><b>A counter that moved back</b>, because its store was restored from a backup or emptied, breaks the guarantee. A
 * generator detects this when it reserves its next segment, but only if the counter is below the last segment that this
 * generator has reserved; it then issues no more numbers. A generator whose last segment lies below the restored
 * counter, or that is built afterwards, does not detect it and repeats numbers that other processes have reserved.
 * Therefore stop all processes before you restore a store, and set the counter above all numbers in use before you
 * start them again.
 *
 * <p>Safe for use by any number of threads, including virtual threads. A number costs one fetch-and-add.
 *
 * @since 1.0
 */
public final class SegmentIdGenerator implements ManagedIdGenerator {

    private final String name;
    private final List<SegmentStore> stores;
    private final long initialValue;
    private final long maxValue;
    private final long maxWaitNanos;
    private final LongSupplier nanos;
    private final StoreRotation counters;
    private final Prefetcher prefetcher;
    private final SegmentSupplier supplier;

    /** Held while the generator is being opened or closed. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    private SegmentIdGenerator(Builder builder) {
        name = Objects.requireNonNull(builder.name, "name");
        stores = builder.stores;
        initialValue = builder.initialValue;
        maxValue = builder.maxValue;
        maxWaitNanos = builder.maxWait.toNanos();
        nanos = builder.nanos;
        Executor background = builder.background == null ? this::start : builder.background;
        Reports reports = new Reports(builder.listener, builder.background == null ? this::start : Runnable::run);
        counters = new StoreRotation(name, stores, initialValue, maxValue, nanos, reports);
        StepSizer sizer = new StepSizer(builder.minStep, builder.maxStep, builder.targetDuration);
        Outage outage = new Outage(name, builder.maxWait, reports);
        prefetcher = new Prefetcher(name, counters, sizer, outage, builder.maxWait, nanos, background);
        supplier = prefetcher.supplier;
    }

    private void start(Runnable body) {
        DaemonThreads.start("snowflake-segment-" + name, body, SegmentIdGenerator.class.getClassLoader());
    }

    /**
     * Returns a builder with default settings. {@link Builder#name(String)} and {@link Builder#stores(List)} must be
     * set.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@inheritDoc}
     *
     * @throws NumbersUnavailableException if no store delivered numbers within {@code maxWait}, or if none will
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public long nextId() {
        Segment mine = supplier.current();
        long position = mine.claim(1);
        return mine.isBeforeMilestone(position)
                ? mine.numberAt(position)
                : supplier.nextAtMilestone(mine, position, maxWaitNanos);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Never waits, so it is safe to call on an event-loop thread.
     */
    @Override
    public OptionalLong tryNextId() {
        Segment mine = supplier.current();
        long position = mine.claim(1);
        long number = mine.isBeforeMilestone(position)
                ? mine.numberAt(position)
                : supplier.nextAtMilestone(mine, position, SegmentSupplier.NONE);
        return number == SegmentSupplier.NONE ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Waits for at most {@code maxWait} in all. If there are too few numbers by then, the numbers that were claimed
     * are skipped.
     *
     * @throws NumbersUnavailableException if no store delivered enough numbers within {@code maxWait}, or if none will
     * @throws GeneratorClosedException if this generator is closed
     */
    @Override
    public void nextIds(long[] ids) {
        long left = maxWaitNanos;
        for (int filled = 0; filled < ids.length; ) {
            Segment mine = supplier.current();
            int wanted = ids.length - filled;
            long position = mine.claim(wanted);
            long end = Math.min(position + wanted, mine.size);
            for (long each = position; each < end; each++) {
                ids[filled++] = mine.numberAt(each);
            }
            if (filled < ids.length) {
                long start = nanos.getAsLong();
                ids[filled++] = supplier.nextAtMilestone(mine, mine.size, left);
                left = Math.max(0, left - (nanos.getAsLong() - start));
            } else if (!mine.isBeforeMilestone(end - 1)) {
                supplier.nextAtMilestone(mine, end - 1, left);
            }
        }
    }

    /**
     * Returns the name of the counter.
     *
     * @return the name it was built with
     */
    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the stores of the counter.
     *
     * @return the stores it was built with, in their order
     */
    public List<SegmentStore> stores() {
        return stores;
    }

    /**
     * Returns the first number of the counter.
     *
     * @return the initial value it was built with
     */
    public long initialValue() {
        return initialValue;
    }

    /**
     * Returns the last number of the counter.
     *
     * @return the {@linkplain Builder#maxValue limit} it was built with; no higher number is ever issued
     */
    @Override
    public long maxId() {
        return maxValue;
    }

    /**
     * Returns the stores that are excluded because they do not answer or do not deliver numbers.
     *
     * @return their descriptions; empty if every store delivered when it was last asked
     */
    public List<String> excludedStores() {
        return counters.excludedStores();
    }

    /**
     * Returns figures about the generator since it was built.
     *
     * @return a snapshot; available from a closed generator as well
     */
    public SegmentStatistics statistics() {
        return supplier.statistics(counters.highest());
    }

    /**
     * Returns whether this generator is closed.
     *
     * @return whether callers get a {@link GeneratorClosedException}
     */
    public boolean isClosed() {
        return !supplier.isOpen();
    }

    /**
     * Returns why callers get no number at the moment.
     *
     * @return the exception that callers get; empty if there are numbers, or if this generator is closed
     */
    public Optional<NumbersUnavailableException> unavailability() {
        return supplier.unavailability();
    }

    /**
     * Closes this generator. Calls that begin after this method has returned, and calls that are waiting, get a
     * {@link GeneratorClosedException}. Numbers that were not issued are returned to the store if no process has
     * reserved numbers there since. Closing again has no effect.
     *
     * <p>If a segment is being reserved, this method waits for it, for at most {@code maxWait}. After that, it calls
     * each store up to three times. A store that does not answer delays it by at most 4.5 s for each of these calls,
     * and for each call that is running already. If another thread is opening or closing the generator, this method
     * first waits for that thread.
     */
    @Override
    public void close() {
        lifecycle.lock();
        try {
            prefetcher.close();
        } finally {
            lifecycle.unlock();
        }
    }

    /**
     * Opens this generator again after {@link #close()}, for example when a process resumes after a checkpoint, with a
     * newly reserved segment. Has no effect if the generator is open.
     *
     * @throws NumbersUnavailableException if no segment can be reserved; the generator then remains closed
     */
    @Override
    public void reopen() {
        lifecycle.lock();
        try {
            if (isClosed() && stores.size() == 1) {
                connect(stores.get(0));
            }
            prefetcher.open();
        } finally {
            lifecycle.unlock();
        }
    }

    /** Lets the only store connect. Several stores replace one another, so none of them is waited for. */
    private static void connect(SegmentStore store) {
        try {
            store.connect();
        } catch (RuntimeException e) {
            // The first read fails as well, and says why.
        }
    }

    /** Builds a {@link SegmentIdGenerator}. For use by one thread at a time. */
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
         * Sets the name of the counter. All generators with the same name share its numbers.
         *
         * @param name from 1 to 100 characters
         * @return this
         * @throws IllegalArgumentException if the name is empty, is too long, or begins or ends with a blank
         */
        public Builder name(String name) {
            // MariaDB and MySQL ignore trailing blanks when they compare names.
            check(name.equals(name.strip()), "name must not begin or end with a blank, but was '%s'", name);
            String badLength = "name must have from 1 to %s characters, but has %s: '%s'";
            check(!name.isEmpty() && name.length() <= LONGEST_NAME, badLength, LONGEST_NAME, name.length(), name);
            this.name = name;
            return this;
        }

        /**
         * Sets the stores of the counter.
         *
         * @param stores one store, or several that share the numbers; the same stores in the same order in all
         *     processes
         * @return this
         */
        public Builder stores(List<SegmentStore> stores) {
            this.stores = List.copyOf(stores);
            return this;
        }

        /**
         * Sets the only store of the counter.
         *
         * @param store the store
         * @return this
         */
        public Builder store(SegmentStore store) {
            return stores(List.of(store));
        }

        /**
         * Sets the first number. If the counter already exists, it must have been created with the same one.
         *
         * @param initialValue not negative; 1 by default
         * @return this
         */
        public Builder initialValue(long initialValue) {
            this.initialValue = initialValue;
            return this;
        }

        /**
         * Sets the last number, such as the highest number that a database column can hold.
         *
         * @param maxValue {@link Long#MAX_VALUE} by default
         * @return this
         */
        public Builder maxValue(long maxValue) {
            this.maxValue = maxValue;
            return this;
        }

        /**
         * Sets the smallest number of numbers to reserve at a time, which is also the size of the first segment.
         *
         * @param minStep at least 1; 100 by default
         * @return this
         */
        public Builder minStep(long minStep) {
            this.minStep = minStep;
            return this;
        }

        /**
         * Sets the largest number of numbers to reserve at a time. A process that is killed loses up to twice as many.
         *
         * @param maxStep from {@code minStep} to 2^60; 100,000 by default
         * @return this
         */
        public Builder maxStep(long maxStep) {
            this.maxStep = maxStep;
            return this;
        }

        /**
         * Sets how long a segment should last. Within the limits of {@code minStep} and {@code maxStep}, as many
         * numbers are reserved as are expected to last this long.
         *
         * @param targetDuration from 1 ms to 1 d; 15 minutes by default
         * @return this
         */
        public Builder targetDuration(Duration targetDuration) {
            this.targetDuration = targetDuration;
            return this;
        }

        /**
         * Sets how long a caller waits if there are no reserved numbers, and how long opening the generator waits for a
         * store.
         *
         * @param maxWait from 0 to 1 d; 5 s by default
         * @return this
         */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = maxWait;
            return this;
        }

        /**
         * Sets the listener that is notified of failing stores and of missing numbers.
         *
         * @param listener the listener; none by default
         * @return this
         */
        public Builder listener(SegmentListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Sets the time source in nanoseconds and the executor of background work, for tests. */
        Builder world(LongSupplier nanos, Executor background) {
            this.nanos = nanos;
            this.background = background;
            return this;
        }

        /**
         * Checks the stores, reserves the first segment, and returns the generator.
         *
         * @return an open generator, which the caller must close
         * @throws IllegalArgumentException if a setting is invalid
         * @throws NumbersUnavailableException if no store delivered numbers within {@code maxWait}, if a store cannot
         *     be used, if a store has a counter of that name with another start or increment, or if the counter is
         *     missing in one store while another store did not answer within {@code maxWait}
         */
        public SegmentIdGenerator build() {
            SegmentIdGenerator generator = buildClosed(ForStarter.KEY);
            generator.reopen();
            return generator;
        }

        /**
         * Returns the generator without opening it, so that no store is read or written. Callers for a number get a
         * {@link GeneratorClosedException} until {@link SegmentIdGenerator#reopen()} opens it.
         *
         * @hidden
         * @param key only the starter has it
         * @return a generator that is closed
         * @throws IllegalArgumentException if a setting is invalid
         */
        @SuppressWarnings("exports")
        public SegmentIdGenerator buildClosed(ForStarter key) {
            check(name != null, "name must be set");
            check(!stores.isEmpty(), "stores must not be empty");
            check(initialValue >= 0, "initialValue must not be negative, but was %s", initialValue);
            String tooFew =
                    "maxValue must leave at least one number for each of %s stores, from initialValue %s on, but was %s";
            check(initialValue <= maxValue - (stores.size() - 1), tooFew, stores.size(), initialValue, maxValue);
            check(minStep >= 1, "minStep must be at least 1, but was %s", minStep);
            check(maxStep <= LARGEST_STEP, "maxStep must be at most %s, but was %s", LARGEST_STEP, maxStep);
            check(maxStep >= minStep, "maxStep must not be less than minStep, %s, but was %s", minStep, maxStep);
            boolean isDuration = targetDuration.compareTo(LONGEST) <= 0 && targetDuration.toMillis() >= 1;
            check(isDuration, "targetDuration must be from 1 ms to 1 d, but was %s", targetDuration);
            boolean isWait = !maxWait.isNegative() && maxWait.compareTo(LONGEST) <= 0;
            check(isWait, "maxWait must be from 0 to 1 d, but was %s", maxWait);
            return new SegmentIdGenerator(this);
        }

        @SuppressWarnings("AnnotateFormatMethod") // The core has no dependency on Error Prone.
        private static void check(boolean holds, String rule, Object... values) {
            if (!holds) {
                throw new IllegalArgumentException(rule.formatted(values));
            }
        }
    }
}
