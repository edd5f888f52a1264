package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one name in all their stores. Segments are reserved in the stores in turn.
 *
 * <p>A store that fails is excluded. It is asked again after a pause, which doubles with each further failure, and is
 * used again when it can be read and written. While all stores are excluded, all of them are asked for each segment.
 *
 * <p>Store {@code i} of {@code n} counts {@code start + i, start + i + n, ...}, so no two stores share a number. Each
 * segment begins above the highest number that this process has reserved in any store. So a store that lags behind
 * catches up, and numbers keep ascending.
 *
 * <p>A missing counter is created only after every store has answered, because a store that has not answered may hold a
 * counter that was created for other stores or another order. The counter is created in all stores that lack it before
 * numbers are reserved in any of them, so of two processes with different configurations at most one succeeds.
 *
 * <p><b>Concurrency.</b> One thread opens the rotation or reserves segments. Meanwhile another thread may check
 * excluded stores, and a thread that closes the generator may return unused numbers. The lock of a store ensures that
 * only one of them uses its counter and changes whether it is excluded. No thread holds two of these locks.
 */
final class StoreRotation {

    private static final long SHORTEST_PAUSE_NANOS = 1_000_000_000;
    private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;

    /**
     * The exclusion of a store. Times are in nanoseconds.
     *
     * @param reason why the store failed the last time
     * @param since when it failed for the first time
     * @param pause how long it is not asked after the last failure
     * @param until the end of that pause
     */
    private record Exclusion(RuntimeException reason, long since, long pause, long until) {}

    /** What a store has answered since the generator was opened. */
    private enum Answer {
        NONE,
        NO_COUNTER,
        COUNTER
    }

    /** One of the stores. Its counter is used, and its state changes, while its lock is held. */
    private static final class Source {

        final StoredCounter counter;
        final ReentrantLock lock = new ReentrantLock();
        volatile Answer answer = Answer.NONE;

        /** Null while the store is used in turn. */
        volatile @Nullable Exclusion exclusion;

        Source(StoredCounter counter) {
            this.counter = counter;
        }

        boolean isExcluded() {
            return exclusion != null;
        }

        void exclusively(Runnable body) {
            lock.lock();
            try {
                body.run();
            } finally {
                lock.unlock();
            }
        }
    }

    private final String name;
    private final List<Source> sources = new ArrayList<>();
    private final LongSupplier nanos;
    private final Reports reports;
    private int turn;
    private volatile long highest;

    /** The highest last number of the counters that were read. */
    private final LongAccumulator seen;

    StoreRotation(String name, List<SegmentStore> stores, long start, long end, LongSupplier nanos, Reports reports) {
        for (int i = 0; i < stores.size(); i++) {
            sources.add(new Source(new StoredCounter(stores.get(i), i, name, start + i, end, stores.size())));
        }
        this.name = name;
        highest = start - 1;
        seen = new LongAccumulator(Math::max, highest);
        this.nanos = nanos;
        this.reports = reports;
    }

    /** Returns the highest number that is reserved by this process; numbers that were returned do not count. */
    long highest() {
        return highest;
    }

    List<String> excludedStores() {
        return sources.stream()
                .filter(Source::isExcluded)
                .map(source -> source.counter.description())
                .toList();
    }

    /** Returns whether the failure must not be worked around by using another store. */
    static boolean isFinal(@Nullable RuntimeException failure) {
        return isOf(failure, Reason.COUNTER_MOVED_BACK) || isOf(failure, Reason.COUNTER_MISMATCH);
    }

    static boolean isOf(@Nullable RuntimeException failure, Reason reason) {
        return failure instanceof NumbersUnavailableException unavailable && unavailable.reason() == reason;
    }

    // ---- checking

    /**
     * Checks all stores before the first numbers are reserved. Stores that do not answer are excluded.
     *
     * @throws NumbersUnavailableException if a store has a counter of this name with another start or increment, or
     *     cannot be used
     * @throws RuntimeException if a store lacks the counter and it cannot be created in all of them
     */
    void open() {
        sources.forEach(source -> source.answer = Answer.NONE);
        sources.forEach(source -> source.exclusively(() -> {
            try {
                read(source);
                readmit(source);
            } catch (NumbersUnavailableException e) {
                throw e;
            } catch (RuntimeException e) {
                exclude(source, e);
            }
        }));
        createMissing();
    }

    private void read(Source source) {
        Counter found = source.counter.read();
        source.answer = found == null ? Answer.NO_COUNTER : Answer.COUNTER;
        seen.accumulate(found == null ? Long.MIN_VALUE : found.last());
    }

    /** Creates the counter in each store that lacks it, above all numbers of the other stores. */
    private void createMissing() {
        Source lacking = first(Answer.NO_COUNTER);
        Source silent = first(Answer.NONE);
        if (lacking != null && silent != null) {
            Exclusion exclusion = silent.exclusion;
            RuntimeException reason = exclusion == null ? new IllegalStateException("not asked yet") : exclusion.reason;
            String store = lacking.counter.description();
            throw new IllegalStateException(
                    "Counter '%s' does not exist in %s, and cannot be created because %s did not answer (%s). Start that store, or insert the counter into %s above the highest number in use"
                            .formatted(name, store, silent.counter.description(), reason.getMessage(), store),
                    reason);
        }
        if (lacking != null) {
            sources.forEach(source -> source.exclusively(() -> {
                source.counter.create(Math.max(highest, seen.get()));
                source.answer = Answer.COUNTER;
            }));
        }
    }

    private @Nullable Source first(Answer answer) {
        return sources.stream()
                .filter(source -> source.answer == answer)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether any of several stores is excluded and can be checked while the others deliver numbers. */
    boolean isAnyExcluded() {
        return sources.size() > 1 && sources.stream().anyMatch(Source::isExcluded);
    }

    /**
     * Checks the excluded stores whose pause is over. They may take long to answer, so threads that reserve numbers
     * must not call this.
     *
     * @throws NumbersUnavailableException if a store has come back with a counter of another start or increment; then
     *     no store may be used any more
     */
    void probeExcluded() {
        for (Source source : sources) {
            Exclusion exclusion = source.exclusion;
            if (exclusion != null && nanos.getAsLong() - exclusion.until >= 0) {
                probe(source);
            }
        }
    }

    private void probe(Source source) {
        try {
            source.exclusively(() -> read(source));
            createMissing();
            source.exclusively(() -> {
                source.counter.checkWritable();
                readmit(source);
            });
        } catch (RuntimeException e) {
            if (isOf(e, Reason.COUNTER_MISMATCH)) {
                throw e;
            }
            source.exclusively(() -> exclude(source, e));
        }
    }

    // ---- reserving

    /**
     * Reserves a segment in the store whose turn it is, or in another store if that fails.
     *
     * @throws NumbersUnavailableException if the numbers are exhausted, if a counter has changed unexpectedly, or if no
     *     store can be used
     * @throws RuntimeException if no store answers
     */
    Segment reserve(long step) {
        List<Source> order = IntStream.range(0, sources.size())
                .mapToObj(i -> sources.get((turn + i) % sources.size()))
                .sorted(Comparator.comparing(Source::isExcluded))
                .toList();
        boolean allExcluded = order.get(0).isExcluded();
        RuntimeException failure = null;
        for (Source source : order) {
            if (failure != null && source.isExcluded() && !allExcluded && !isOf(failure, Reason.EXHAUSTED)) {
                // The other stores may answer the next time, while this one may keep callers waiting.
                break;
            }
            try {
                Segment segment = reserve(source, step);
                turn = (segment.store + 1) % sources.size();
                return segment;
            } catch (RuntimeException e) {
                if (isFinal(e)) {
                    throw e;
                }
                failure = failure == null || isOf(failure, Reason.EXHAUSTED) ? e : failure;
            }
        }
        throw Objects.requireNonNull(failure);
    }

    private Segment reserve(Source source, long step) {
        source.lock.lock();
        try {
            Segment segment = source.counter.reserve(highest, step);
            highest = segment.last();
            source.answer = Answer.COUNTER;
            readmit(source);
            return segment;
        } catch (RuntimeException e) {
            if (!isFinal(e) && !isOf(e, Reason.EXHAUSTED)) {
                exclude(source, e);
            }
            throw e;
        } finally {
            source.lock.unlock();
        }
    }

    /**
     * Returns unused numbers to their store, if no process has reserved numbers there since. If the store does not
     * answer, the numbers are lost, as after a kill.
     */
    void returnUnused(Segment unused) {
        if (unused.size > 0) {
            Source source = sources.get(unused.store);
            source.exclusively(() -> {
                highest = unused.numberAt(0) - 1;
                source.counter.returnUnused(unused);
            });
        }
    }

    void closeIdleConnections() {
        sources.forEach(source -> source.counter.closeIdleConnections());
    }

    // ---- excluding, with the lock of the store held

    private void exclude(Source source, RuntimeException reason) {
        long now = nanos.getAsLong();
        Exclusion last = source.exclusion;
        long pause = last == null ? SHORTEST_PAUSE_NANOS : Math.min(2 * last.pause, LONGEST_PAUSE_NANOS);
        source.exclusion = new Exclusion(reason, last == null ? now : last.since, pause, now + pause);
        reports.add(listener -> listener.storeExcluded(source.counter.description(), reason));
    }

    private void readmit(Source source) {
        Exclusion last = source.exclusion;
        if (last != null) {
            source.exclusion = null;
            Duration outage = Duration.ofNanos(nanos.getAsLong() - last.since);
            reports.add(listener -> listener.storeRecovered(source.counter.description(), outage));
        }
    }
}
