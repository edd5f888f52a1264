package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.store.Causes;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Cleans texts of drivers for messages: one line, without secrets and without the SQL statement. */
final class FailureTexts {

    private FailureTexts() {}

    /** Returns the message of a failure, followed by the message of its root cause if that adds something. */
    static String text(Throwable failure, @Nullable ConnectionSettings settings) {
        Throwable root = failure;
        for (Throwable cause : Causes.of(failure)) {
            // A driver's message explains more than a socket's message.
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
     * Returns the failure itself if the messages of it and its causes are clean; otherwise an exception with a clean
     * message and without causes. Callers log the message of the innermost cause.
     */
    static Throwable presentable(Throwable failure, @Nullable ConnectionSettings settings) {
        // If the causes form a cycle, the callers' search for the innermost cause would not end.
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
