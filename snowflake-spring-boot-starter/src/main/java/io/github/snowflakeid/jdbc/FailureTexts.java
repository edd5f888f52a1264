package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.store.Causes;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Texts of drivers as people may see them: one line, without secrets and without the statement. */
final class FailureTexts {

    private FailureTexts() {}

    /** What a failure says, and what it comes from. */
    static String text(Throwable failure, @Nullable ConnectionSettings settings) {
        Throwable root = failure;
        for (Throwable cause : Causes.of(failure)) {
            // A socket says less than the driver.
            if (cause instanceof SQLException || !(root instanceof SQLException)) {
                root = cause;
            }
        }
        String what = line(failure, settings);
        String why = line(root, settings);
        return what.contains(why) ? what : what + ": " + why;
    }

    private static String line(Throwable failure, @Nullable ConnectionSettings settings) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        String clean = settings == null ? Secrets.hiddenIn(message) : settings.withoutSecrets(message);
        String first = clean.strip().lines().findFirst().orElseThrow();
        for (String statement : new String[] {"; SQL statement:", " in statement ["}) {
            int end = first.indexOf(statement);
            first = end < 0 ? first : first.substring(0, end);
        }
        return ControlCharacters.escape(first.strip());
    }

    /**
     * The failure itself if all that it and its causes say may be shown, else an exception with what may be shown. Callers log the
     * message of the innermost cause.
     */
    static Throwable presentable(Throwable failure, @Nullable ConnectionSettings settings) {
        // A search for the innermost cause would not end in a circle.
        boolean ends = Causes.root(failure).getCause() == null;
        boolean clean = Causes.of(failure).stream()
                .allMatch(cause ->
                        cause.getMessage() == null || cause.getMessage().equals(line(cause, settings)));
        if (ends && clean) {
            return failure;
        }
        Throwable copy = failure instanceof SQLException sql
                ? new SQLException(text(failure, settings), sql.getSQLState(), sql.getErrorCode())
                : new IllegalStateException(text(failure, settings));
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
