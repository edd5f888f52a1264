package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Causes;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cleans texts of drivers for messages: one line, without the SQL statement, and without user names and passwords, which
 * drivers repeat with a URL or parts of it.
 */
final class Secrets {

    /**
     * What may contain a login: a URL with the rest of the line, the text before a host, and a password with the rest of
     * the line, because values in braces or parentheses may contain spaces.
     */
    private static final Pattern IN_TEXT = Pattern.compile(
            "(?i)(jdbc:.*)|(?<!\\S)(?:(?!jdbc:)\\S)*[^\\s'\"]@|(\\b[\\w.]*(?:pass|pwd|secret|accesstoken)\\w*\\s*=).*");

    /**
     * The beginning of the parameters: MariaDB accepts {@code &} as well as {@code ?}, MySQL parentheses in place of a
     * host, and DB2 has a colon before the first parameter.
     */
    private static final Pattern PARAMETERS = Pattern.compile("[?;&(]|:\\w+=");

    private static final Pattern LOGIN = Pattern.compile("(?i)^(jdbc:(?:[^:@]*:(?://)?)?)?.*@");

    private Secrets() {}

    /** Returns a URL without parameters, and without the text before an {@code @}. */
    static String address(String url) {
        Matcher parameters = PARAMETERS.matcher(url);
        int end = parameters.find() ? parameters.start() : url.length();
        int login = url.indexOf('@', end);
        // The apparent parameters may be the rest of a password.
        boolean hasPath = url.substring(0, end).indexOf('/', url.indexOf("://") + 3) >= 0;
        boolean isUnclear = login >= 0 && (!hasPath || url.substring(end, login).indexOf('=') < 0);
        return LOGIN.matcher(url.substring(0, isUnclear ? login + 1 : end)).replaceFirst("$1");
    }

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
        return what.contains(why) ? what : what.replaceFirst("\\.$", "") + ": " + why;
    }

    private static String line(Throwable failure, @Nullable ConnectionSettings settings) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        String first =
                message.strip().lines().findFirst().orElseThrow().split("; SQL statement:| in statement \\[", 2)[0];
        String clean = IN_TEXT.matcher(first).replaceAll(found -> {
            String url = found.group(1);
            String parameter = found.group(2);
            return Matcher.quoteReplacement(
                    url != null ? address(url) : parameter != null ? parameter + "***" : "***@");
        });
        String password = settings == null ? null : settings.password();
        boolean isSecret = password != null && !password.isEmpty();
        return ControlCharacters.escape((isSecret ? clean.replace(password, "***") : clean).strip());
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
