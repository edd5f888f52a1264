package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why there are no numbers, and since when callers notice. Not safe for use by several threads. */
final class Outage {

    private final String name;
    private final Duration maxWait;

    /** Why the last fetch failed, or why there will be no more segments; null if the last fetch succeeded. */
    private @Nullable RuntimeException failure;

    /** When it was reported that there are no numbers; null if it was not. */
    private @Nullable Long reportedAt;

    Outage(String name, Duration maxWait) {
        this.name = name;
        this.maxWait = maxWait;
    }

    void forget() {
        failure = null;
        reportedAt = null;
    }

    /** Notes that a fetch has failed. */
    void failed(RuntimeException reason) {
        failure = isFinal() ? failure : reason;
    }

    /** Returns whether there will be no more segments. */
    boolean isFinal() {
        return failure != null && (StoreRotation.isFinal(failure) || StoreRotation.isOf(failure, Reason.EXHAUSTED));
    }

    /** Returns what a caller gets, if the last fetch has failed. */
    Optional<NumbersUnavailableException> known() {
        return failure == null ? Optional.empty() : Optional.of(reason());
    }

    /** Notes that callers get no numbers. Returns whether that was not reported yet. */
    boolean begins(long now) {
        boolean isNews = reportedAt == null;
        if (isNews) {
            reportedAt = now;
        }
        return isNews;
    }

    /** Notes that there are numbers. Returns for how long there were none, or null if that was not reported. */
    @Nullable
    Duration ends(long now) {
        Duration away = reportedAt == null ? null : Duration.ofNanos(now - reportedAt);
        forget();
        return away;
    }

    /** Returns what a caller gets that gets no number. */
    NumbersUnavailableException reason() {
        if (isFinal() && failure instanceof NumbersUnavailableException end) {
            return new NumbersUnavailableException(end.reason(), String.valueOf(end.getMessage()), end);
        }
        String why = failure == null ? "" : " (" + failure.getMessage() + ")";
        return new NumbersUnavailableException(
                Reason.STORE_UNREACHABLE,
                "All numbers of '%s' at hand are used, and no store gave more within %d ms%s; no number issued"
                        .formatted(name, maxWait.toMillis(), why),
                failure);
    }
}
