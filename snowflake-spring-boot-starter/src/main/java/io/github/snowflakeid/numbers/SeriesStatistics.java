package io.github.snowflakeid.numbers;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * Counts the calls of a series. Safe for use by any number of threads.
 *
 * @hidden
 */
public final class SeriesStatistics {

    /** A failure is forgotten then, because instances that receive no requests take no numbers. */
    private static final long RECENT_NANOS = 60_000_000_000L;

    private final LongAdder taken = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder waiting = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private volatile @Nullable Failure last;

    private record Failure(String reason, long at) {}

    SeriesStatistics() {}

    <T> T measure(Supplier<T> call) {
        long begin = System.nanoTime();
        waiting.increment();
        try {
            T number = call.get();
            taken.increment();
            if (last != null) {
                last = null;
            }
            return number;
        } catch (RuntimeException e) {
            if (isConflict(e)) {
                conflict();
            } else {
                failures.increment();
                last = e instanceof SnowflakeException
                        ? new Failure(String.valueOf(e.getMessage()), System.nanoTime())
                        : last;
            }
            throw e;
        } finally {
            waiting.decrement();
            nanos.add(System.nanoTime() - begin);
        }
    }

    /** Returns whether a call failed because of another transaction. */
    static boolean isConflict(RuntimeException failed) {
        return failed instanceof ConcurrencyFailureException
                || (failed instanceof ConfigurationException problem
                        && problem.anchor().equals(Problem.STORE_LOCKED.anchor()));
    }

    /** Counts a conflict that was found before the commit. */
    void conflict() {
        conflicts.increment();
    }

    /** {@return how many calls got a number, also in transactions that were rolled back later} */
    public long taken() {
        return taken.sum();
    }

    /** {@return how many calls or commits failed because of a conflict of transactions} */
    public long conflicts() {
        return conflicts.sum();
    }

    /** {@return how many calls failed for another reason} */
    public long failures() {
        return failures.sum();
    }

    /** {@return how many callers are waiting for a number now} */
    public long waiting() {
        return waiting.sum();
    }

    /** {@return the time of all calls} */
    public Duration time() {
        return Duration.ofNanos(nanos.sum());
    }

    /** {@return why the last call got no number from the database, if that was in the last minute and was no conflict} */
    public @Nullable String reason() {
        Failure failure = last;
        return failure != null && System.nanoTime() - failure.at() < RECENT_NANOS ? failure.reason() : null;
    }
}
