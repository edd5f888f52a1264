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
 * The counters of one name in all its stores: which store the next segment is taken from. Stores take turns. One that fails is left
 * out, and asked again after a rest; while all are left out, all are asked.
 *
 * <p>Store {@code i} of {@code n} counts {@code start + i, start + i + n, ...}, so no two have a number in common. Each segment
 * begins behind the highest number that this process has taken anywhere: a store that lags is lifted, and the order holds.
 *
 * <p>A missing counter is created only after every store has answered: a store that has not may hold a counter that was begun with other
 * stores or in another order. The counter is created in all stores that lack it before a number is taken from one, so of two processes
 * that disagree at most one begins.
 *
 * <p>One thread takes; another one may look, and who closes may give back, at the same time. A store is asked by one thread at a time.
 */
final class StoreRotation {

    private static final long SHORTEST_REST_NANOS = 1_000_000_000;
    private static final long LONGEST_REST_NANOS = 30_000_000_000L;

    /** One store, and whether it is left out, which changes under the lock. */
    private static final class Source {

        final StoredCounter counter;
        final ReentrantLock asked = new ReentrantLock();
        volatile boolean leftOut;

        /** Whether it answers, but refused numbers the last time. It is taken back when it gives some. */
        volatile boolean onTrial;

        /** Why it has not answered since the generator was opened; null once it has. */
        volatile @Nullable RuntimeException silence;

        volatile long restsUntil;
        long leftOutAt;
        long rest;

        Source(StoredCounter counter) {
            this.counter = counter;
        }

        /** Does something while no other thread asks the store. */
        void alone(Runnable body) {
            asked.lock();
            try {
                body.run();
            } finally {
                asked.unlock();
            }
        }
    }

    private final String name;
    private final List<Source> sources = new ArrayList<>();
    private final LongSupplier nanos;
    private final SegmentListener listener;
    private int turn;
    private volatile long highest;

    /** The highest number that any store has said was taken. */
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

    /** No number beyond this was taken, or all were given back. */
    long highest() {
        return highest;
    }

    List<String> leftOut() {
        return sources.stream()
                .filter(source -> source.leftOut || source.onTrial)
                .map(source -> source.counter.description())
                .toList();
    }

    // ---- looking

    /**
     * Looks at all stores before a number is taken from one. Those that do not answer are left out.
     *
     * @throws NumbersUnavailableException if one has another counter of this name, or cannot be used
     * @throws RuntimeException if one of several lacks the counter, and it cannot be created in all of them
     */
    void open() {
        sources.forEach(source -> source.silence = new IllegalStateException("not asked yet"));
        Source missing = null;
        for (Source source : sources) {
            if (look(source, true) == null && source.silence == null) {
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
            RuntimeException silence = source.silence;
            if (silence != null) {
                String store = missing.counter.description();
                throw new IllegalStateException(
                        "Counter '%s' is missing in %s, and is created only after every store has answered; %s has not (%s): start it, or insert the counter into %s above the highest number in use"
                                .formatted(name, store, source.counter.description(), silence.getMessage(), store),
                        silence);
            }
        }
        for (Source source : sources) {
            source.alone(() -> source.counter.create(Math.max(highest, seen)));
        }
    }

    /**
     * Looks at stores that have rested long enough. They may take their time to answer, so this is not for whoever has to take
     * numbers.
     *
     * @throws NumbersUnavailableException if one has come back with another counter: no store may be used any more
     */
    void lookAtLeftOut() {
        for (Source source : sources) {
            if (source.leftOut && nanos.getAsLong() - source.restsUntil >= 0) {
                source.alone(() -> lookAgain(source));
            }
        }
    }

    private void lookAgain(Source source) {
        try {
            look(source, false);
        } catch (NumbersUnavailableException e) {
            if (isOf(e, Reason.COUNTER_MISMATCH)) {
                throw e;
            }
            leaveOut(source, e);
        }
    }

    /** Whether there are stores to look at while others give numbers. */
    boolean isAnyLeftOut() {
        return sources.size() > 1 && sources.stream().anyMatch(source -> source.leftOut);
    }

    /** Returns the counter; null if there is none, or if the store did not answer and was left out. */
    private @Nullable Counter look(Source source, boolean opening) {
        source.asked.lock();
        try {
            Counter found = source.counter.look();
            source.silence = null;
            if (found != null) {
                seen = Math.max(seen, found.last());
            } else if (!opening) {
                create(source);
            }
            if (source.onTrial) {
                source.leftOut = false;
            } else {
                takeBack(source);
            }
            return found;
        } catch (NumbersUnavailableException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            leaveOut(source, asException(source, e));
            return null;
        } finally {
            source.asked.unlock();
        }
    }

    /** Errors as well: another store may be well. */
    private static RuntimeException asException(Source source, Throwable thrown) {
        return thrown instanceof RuntimeException failure
                ? failure
                : new IllegalStateException("%s failed: %s".formatted(source.counter.description(), thrown), thrown);
    }

    // ---- taking

    /**
     * Takes a segment from the store whose turn it is, or from another one where that fails.
     *
     * @throws NumbersUnavailableException if the numbers have come to their end, a counter is not the one it was, or the stores
     *     cannot be used
     * @throws RuntimeException if no store answers
     */
    Segment take(long step) {
        List<Source> order = IntStream.range(0, sources.size())
                .mapToObj(i -> sources.get((turn + i) % sources.size()))
                .sorted(Comparator.comparing(source -> source.leftOut))
                .toList();
        RuntimeException failure = null;
        for (Source source : order) {
            if (source.leftOut && failure != null && !isOf(failure, Reason.EXHAUSTED)) {
                // Those left out are asked if no other store answers, or if all others have come to their end.
                break;
            }
            try {
                Segment segment = take(source, step);
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

    private Segment take(Source source, long step) {
        source.asked.lock();
        try {
            if (highest == Long.MAX_VALUE) {
                throw source.counter.exhausted();
            }
            Segment segment = source.counter.take(highest + 1, step);
            highest = segment.numberAt(segment.size - 1);
            source.silence = null;
            takeBack(source);
            return segment;
        } catch (RuntimeException | Error e) {
            RuntimeException failed = asException(source, e);
            if (!isFinal(failed) && !isOf(failed, Reason.EXHAUSTED)) {
                leaveOut(source, failed);
                source.onTrial = isOf(failed, Reason.STORE_UNUSABLE);
            }
            throw failed;
        } finally {
            source.asked.unlock();
        }
    }

    /** Whether no other store may help. */
    static boolean isFinal(RuntimeException failure) {
        return isOf(failure, Reason.COUNTER_MOVED_BACK) || isOf(failure, Reason.COUNTER_MISMATCH);
    }

    static boolean isOf(@Nullable RuntimeException failure, Reason reason) {
        return failure instanceof NumbersUnavailableException refused && refused.reason() == reason;
    }

    /**
     * Gives back what is left of a segment that nobody claims from any more, if no process has taken numbers since.
     *
     * @param from the position of the first number that was not issued
     */
    void giveBack(Segment segment, long from) {
        if (from < segment.size) {
            Source source = sources.get(segment.store);
            source.alone(() -> {
                highest = segment.numberAt(from) - 1;
                source.counter.giveBack(segment, from);
            });
        }
    }

    /** Nothing is asked for a while, perhaps for ever. */
    @SuppressWarnings("EmptyCatch")
    void closeIdleConnections() {
        for (Source source : sources) {
            try {
                source.alone(source.counter::closeIdleConnections);
            } catch (RuntimeException | Error e) {
                // What is open remains so; nobody can do anything about it.
            }
        }
    }

    // ---- leaving out

    private void leaveOut(Source source, RuntimeException reason) {
        long now = nanos.getAsLong();
        if (source.leftOut || source.onTrial) {
            source.rest = Math.min(2 * source.rest, LONGEST_REST_NANOS);
        } else {
            source.leftOutAt = now;
            source.rest = SHORTEST_REST_NANOS;
        }
        if (source.silence != null) {
            source.silence = reason;
        }
        source.leftOut = true;
        source.restsUntil = now + source.rest;
        SafeCall.run(() -> listener.storeExcluded(source.counter.description(), reason));
    }

    private void takeBack(Source source) {
        if (source.leftOut || source.onTrial) {
            source.leftOut = false;
            source.onTrial = false;
            Duration away = Duration.ofNanos(nanos.getAsLong() - source.leftOutAt);
            SafeCall.run(() -> listener.storeRecovered(source.counter.description(), away));
        }
    }
}
