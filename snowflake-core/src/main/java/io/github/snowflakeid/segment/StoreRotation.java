package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.SafeCall;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one name in all their stores. Segments are reserved in the stores in turn. A store that fails is excluded and asked again
 * after a pause; while all stores are excluded, all of them are asked.
 *
 * <p>Store {@code i} of {@code n} counts {@code start + i, start + i + n, ...}, so no two stores share a number. Each segment begins above
 * the highest number that this process has reserved in any store. So a store that lags behind catches up, and numbers keep ascending.
 *
 * <p>A missing counter is created only after every store has answered, because a store that has not answered may hold a counter that was
 * created for other stores or another order. The counter is created in all stores that lack it before numbers are reserved in any of them,
 * so of two processes with different configurations at most one succeeds.
 *
 * <p><b>Concurrency.</b> One thread reserves segments. Meanwhile another thread may check excluded stores, and a thread that closes the
 * generator may return unused numbers. Each store is called by one thread at a time.
 */
final class StoreRotation {

    private static final long SHORTEST_PAUSE_NANOS = 1_000_000_000;
    private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;

    /** One store, and whether it is excluded. The state changes while its lock is held. */
    private static final class Source {

        final StoredCounter counter;
        final ReentrantLock lock = new ReentrantLock();
        volatile boolean excluded;

        /** Whether the store answers but delivered no numbers the last time. It counts as recovered once it delivers some. */
        volatile boolean onProbation;

        /** Why the store has not answered since the generator was opened; null once it has answered. */
        volatile @Nullable RuntimeException unanswered;

        volatile long pausedUntil;
        long excludedAt;
        long pause;

        Source(StoredCounter counter) {
            this.counter = counter;
        }

        /** Runs code while no other thread calls the store. */
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
    private final SegmentListener listener;
    private int turn;
    private volatile long highest;

    /** The highest last number of the counters that were read. */
    private volatile long seen;

    StoreRotation(
            String name,
            List<SegmentStore> stores,
            long start,
            long end,
            LongSupplier nanos,
            SegmentListener listener) {
        for (int i = 0; i < stores.size(); i++) {
            sources.add(new Source(new StoredCounter(stores.get(i), i, name, start + i, end, stores.size())));
        }
        this.name = name;
        highest = start - 1;
        seen = highest;
        this.nanos = nanos;
        this.listener = listener;
    }

    /** Returns the highest number that is reserved by this process; numbers that were returned do not count. */
    long highest() {
        return highest;
    }

    List<String> excludedStores() {
        return sources.stream()
                .filter(source -> source.excluded || source.onProbation)
                .map(source -> source.counter.description())
                .toList();
    }

    // ---- checking

    /**
     * Checks all stores before the first numbers are reserved. Stores that do not answer are excluded.
     *
     * @throws NumbersUnavailableException if a store has a counter of this name with another start or increment, or cannot be used
     * @throws RuntimeException if one of several stores lacks the counter and it cannot be created in all of them
     */
    void open() {
        sources.forEach(source -> source.unanswered = new IllegalStateException("not asked yet"));
        Source missing = null;
        for (Source source : sources) {
            if (check(source, true) == null && source.unanswered == null) {
                missing = source;
            }
        }
        if (missing != null && sources.size() > 1) {
            create(missing);
        }
    }

    /** Creates the counter in each store that lacks it, above all numbers of the other stores. */
    private void create(Source missing) {
        for (Source source : sources) {
            RuntimeException unanswered = source.unanswered;
            if (unanswered != null) {
                String store = missing.counter.description();
                throw new IllegalStateException(
                        "Counter '%s' does not exist in %s, and cannot be created because %s did not answer (%s). Start that store, or insert the counter into %s above the highest number in use"
                                .formatted(name, store, source.counter.description(), unanswered.getMessage(), store),
                        unanswered);
            }
        }
        for (Source source : sources) {
            source.exclusively(() -> source.counter.create(Math.max(highest, seen)));
        }
    }

    /**
     * Checks the excluded stores whose pause is over. They may take long to answer, so threads that reserve numbers must not call this.
     *
     * @throws NumbersUnavailableException if a store has come back with a counter of another start or increment; then no store may be used
     *     any more
     */
    void probeExcluded() {
        for (Source source : sources) {
            if (source.excluded && nanos.getAsLong() - source.pausedUntil >= 0) {
                source.exclusively(() -> probe(source));
            }
        }
    }

    private void probe(Source source) {
        try {
            check(source, false);
        } catch (NumbersUnavailableException e) {
            if (isOf(e, Reason.COUNTER_MISMATCH)) {
                throw e;
            }
            exclude(source, e);
        }
    }

    /** Returns whether any of several stores is excluded and can be checked while the others deliver numbers. */
    boolean isAnyExcluded() {
        return sources.size() > 1 && sources.stream().anyMatch(source -> source.excluded);
    }

    /** Reads the counter of a store. Returns null if there is none, or if the store did not answer and was excluded. */
    private @Nullable Counter check(Source source, boolean opening) {
        source.lock.lock();
        try {
            Counter found = source.counter.read();
            source.unanswered = null;
            if (found != null) {
                seen = Math.max(seen, found.last());
            } else if (!opening) {
                create(source);
            }
            if (source.onProbation) {
                source.excluded = false;
            } else {
                readmit(source);
            }
            return found;
        } catch (NumbersUnavailableException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            exclude(source, asException(source, e));
            return null;
        } finally {
            source.lock.unlock();
        }
    }

    /** Converts errors as well, so that an error in one store does not keep the others from being used. */
    private static RuntimeException asException(Source source, Throwable thrown) {
        return thrown instanceof RuntimeException failure
                ? failure
                : new IllegalStateException("%s failed: %s".formatted(source.counter.description(), thrown), thrown);
    }

    // ---- reserving

    /**
     * Reserves a segment in the store whose turn it is, or in another store if that fails.
     *
     * @throws NumbersUnavailableException if the numbers are exhausted, if a counter has changed unexpectedly, or if no store can be used
     * @throws RuntimeException if no store answers
     */
    Segment reserve(long step) {
        List<Source> order = IntStream.range(0, sources.size())
                .mapToObj(i -> sources.get((turn + i) % sources.size()))
                .sorted(Comparator.comparing(source -> source.excluded))
                .toList();
        RuntimeException failure = null;
        for (Source source : order) {
            if (source.excluded && failure != null && !isOf(failure, Reason.EXHAUSTED)) {
                // Excluded stores are asked only if no other store answers, or if all others are exhausted.
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
            if (highest == Long.MAX_VALUE) {
                throw source.counter.exhausted();
            }
            Segment segment = source.counter.reserve(highest + 1, step);
            highest = segment.numberAt(segment.size - 1);
            source.unanswered = null;
            readmit(source);
            return segment;
        } catch (RuntimeException | Error e) {
            RuntimeException failed = asException(source, e);
            if (!isFinal(failed) && !isOf(failed, Reason.EXHAUSTED)) {
                exclude(source, failed);
                source.onProbation = isOf(failed, Reason.STORE_UNUSABLE);
            }
            throw failed;
        } finally {
            source.lock.unlock();
        }
    }

    /** Returns whether the failure must not be worked around by using another store. */
    static boolean isFinal(RuntimeException failure) {
        return isOf(failure, Reason.COUNTER_MOVED_BACK) || isOf(failure, Reason.COUNTER_MISMATCH);
    }

    static boolean isOf(@Nullable RuntimeException failure, Reason reason) {
        return failure instanceof NumbersUnavailableException unavailable && unavailable.reason() == reason;
    }

    /**
     * Returns the unused numbers of a segment to its store, if no process has reserved numbers there since. No caller may claim from the
     * segment any more.
     *
     * @param from the position of the first number that was not issued
     */
    void returnUnused(Segment segment, long from) {
        if (from < segment.size) {
            Source source = sources.get(segment.store);
            source.exclusively(() -> {
                highest = segment.numberAt(from) - 1;
                source.counter.returnUnused(segment, from);
            });
        }
    }

    @SuppressWarnings("EmptyCatch")
    void closeIdleConnections() {
        for (Source source : sources) {
            try {
                source.exclusively(source.counter::closeIdleConnections);
            } catch (RuntimeException | Error e) {
                // The connection stays open, which does no harm.
            }
        }
    }

    // ---- excluding

    private void exclude(Source source, RuntimeException reason) {
        long now = nanos.getAsLong();
        if (source.excluded || source.onProbation) {
            source.pause = Math.min(2 * source.pause, LONGEST_PAUSE_NANOS);
        } else {
            source.excludedAt = now;
            source.pause = SHORTEST_PAUSE_NANOS;
        }
        if (source.unanswered != null) {
            source.unanswered = reason;
        }
        source.excluded = true;
        source.pausedUntil = now + source.pause;
        SafeCall.run(() -> listener.storeExcluded(source.counter.description(), reason));
    }

    private void readmit(Source source) {
        if (source.excluded || source.onProbation) {
            source.excluded = false;
            source.onProbation = false;
            Duration outage = Duration.ofNanos(nanos.getAsLong() - source.excludedAt);
            SafeCall.run(() -> listener.storeRecovered(source.counter.description(), outage));
        }
    }
}
