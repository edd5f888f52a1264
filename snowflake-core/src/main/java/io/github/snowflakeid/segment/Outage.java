package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why there are no numbers, and whether that was told. Not safe for use by several threads. */
final class Outage {

    private final String name;
    private final Duration maxWait;

    /** Why the last fetch failed; null if it did not. */
    private @Nullable RuntimeException failure;

    /** Why there will be no more segments. */
    private @Nullable NumbersUnavailableException end;

    private boolean told;
    private long toldAt;

    Outage(String name, Duration maxWait) {
        this.name = name;
        this.maxWait = maxWait;
    }

    /** No fetch has failed yet. */
    void forget() {
        failure = null;
        end = null;
        told = false;
    }

    /** A fetch has failed. */
    void failed(RuntimeException reason) {
        failure = reason;
        if (StoreRotation.isFinal(reason) || StoreRotation.isOf(reason, Reason.EXHAUSTED)) {
            end = (NumbersUnavailableException) reason;
        }
    }

    /** Whether there will be no more segments. */
    boolean isFinal() {
        return end != null;
    }

    /** Returns what a caller gets, if the last fetch has failed. */
    Optional<NumbersUnavailableException> known() {
        return failure == null ? Optional.empty() : Optional.of(reason());
    }

    /** Callers get no numbers. Returns whether that is news. */
    boolean begins(long now) {
        if (told) {
            return false;
        }
        told = true;
        toldAt = now;
        return true;
    }

    /** There are numbers again. Tells how long there were none; null if nobody was told so. */
    @Nullable
    Duration ends(long now) {
        Duration away = told ? Duration.ofNanos(now - toldAt) : null;
        forget();
        return away;
    }

    /** What a caller gets who gets no number. */
    NumbersUnavailableException reason() {
        if (end != null) {
            return new NumbersUnavailableException(end.reason(), String.valueOf(end.getMessage()), end);
        }
        return new NumbersUnavailableException(
                Reason.STORE_UNREACHABLE,
                "All numbers of '%s' at hand are used, and no store gave more within %d ms%s; no number issued"
                        .formatted(name, maxWait.toMillis(), failure == null ? "" : " (" + failure.getMessage() + ")"),
                failure);
    }
}
