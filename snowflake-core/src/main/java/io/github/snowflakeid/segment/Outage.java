package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks why there are no numbers and since when callers are affected, and reports both. Not safe for use by several
 * threads at a time.
 */
final class Outage {

    private final String name;
    private final Duration maxWait;
    private final Reports reports;

    /** Why the last fetch failed, or why there will be no more segments; null if the last fetch succeeded. */
    private @Nullable RuntimeException failure;

    /** When the outage was reported to the listener; null if it was not. */
    private @Nullable Long reportedAt;

    Outage(String name, Duration maxWait, Reports reports) {
        this.name = name;
        this.maxWait = maxWait;
        this.reports = reports;
    }

    /** Forgets why the last fetch has failed. An outage that was reported lasts until numbers have been fetched. */
    void forget() {
        failure = null;
    }

    /** Records that a fetch has failed. */
    void failed(RuntimeException reason) {
        failure = isFinal() ? failure : reason;
    }

    /** Returns whether there will be no more segments. */
    boolean isFinal() {
        return StoreRotation.isFinal(failure) || StoreRotation.isOf(failure, Reason.EXHAUSTED);
    }

    /** Returns the exception for callers if the last fetch has failed. */
    Optional<NumbersUnavailableException> known() {
        return failure == null ? Optional.empty() : Optional.of(reason());
    }

    /** Reports that callers get no numbers, unless that was reported already. */
    void begin(long now) {
        if (reportedAt == null) {
            reportedAt = now;
            NumbersUnavailableException reason = reason();
            reports.add(listener -> listener.numbersEnded(reason));
        }
    }

    /** Records that there are numbers again, and reports that if the outage was reported. */
    void end(long now) {
        if (reportedAt != null) {
            Duration outage = Duration.ofNanos(now - reportedAt);
            reports.add(listener -> listener.numbersResumed(outage));
        }
        reportedAt = null;
        forget();
    }

    /** Returns the exception for a caller that gets no number. */
    NumbersUnavailableException reason() {
        if (isFinal() && failure instanceof NumbersUnavailableException end) {
            return new NumbersUnavailableException(end.reason(), String.valueOf(end.getMessage()), end);
        }
        String why = failure == null ? "" : " (" + failure.getMessage() + ")";
        return new NumbersUnavailableException(
                Reason.STORE_UNREACHABLE,
                "No numbers of '%s' left, and no store delivered more within %s ms%s"
                        .formatted(name, maxWait.toMillis(), why),
                failure);
    }
}
