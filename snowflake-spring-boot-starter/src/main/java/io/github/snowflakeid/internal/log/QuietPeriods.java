package io.github.snowflakeid.internal.log;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Limits the log of recurring problems: each one is logged at most once a minute. */
final class QuietPeriods {

    private static final Duration LENGTH = Duration.ofMinutes(1);

    private final Map<Object, Instant> lastLogged = new ConcurrentHashMap<>();

    /** Returns whether a problem was not logged within the last minute, and begins its next quiet period if so. */
    boolean isOver(Object problem, Instant now) {
        Instant last = lastLogged.get(problem);
        if (last != null && last.plus(LENGTH).isAfter(now)) {
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
