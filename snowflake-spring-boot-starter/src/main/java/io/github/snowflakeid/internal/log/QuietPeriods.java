package io.github.snowflakeid.internal.log;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Limits the log of recurring problems: each one is logged at most once a minute, whatever the clock does.
 *
 * @param nanos the monotonic time, as {@link System#nanoTime()} returns it
 * @param lastLogged when each problem was logged
 */
record QuietPeriods(LongSupplier nanos, Map<Object, Long> lastLogged) {

    private static final Duration LENGTH = Duration.ofMinutes(1);

    QuietPeriods(LongSupplier nanos) {
        this(nanos, new ConcurrentHashMap<>());
    }

    /** Returns whether a problem was not logged within the last minute, and begins its next quiet period if so. */
    boolean isOver(Object problem) {
        long now = nanos.getAsLong();
        Long last = lastLogged.get(problem);
        if (last != null && now - last < LENGTH.toNanos()) {
            return false;
        }
        lastLogged.put(problem, now);
        return true;
    }

    /** Ends the quiet period of a problem. */
    void end(Object problem) {
        lastLogged.remove(problem);
    }
}
