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

    private static final String PASSWORD = "(?:pass|pwd|secret|accesstoken)\\w*\\s*=";

    /** MySQL allows parameters of each host in parentheses, which may contain spaces. */
    private static final Pattern IN_PARENTHESES = Pattern.compile("(?i)(\\([^()]*?" + PASSWORD + ")[^)]*");

    /**
     * The beginning of the parameters: MariaDB accepts {@code &} as well as {@code ?}, and DB2 has a colon before the
     * first parameter.
     */
    private static final Pattern PARAMETERS = Pattern.compile("[?;&]|:\\w+=");

    /**
     * A URL, the text before a host, or a password parameter. SQL Server allows values in braces, which may contain
     * spaces.
     */
    private static final Pattern IN_TEXT = Pattern.compile("(?i)(jdbc:(?:[^\\s{]+|\\{[^}]*}?)+)"
            + "|(?<!\\S)(?:(?!jdbc:)\\S)*[^\\s'\"]@"
            + "|\\b([\\w.]*" + PASSWORD + ")\\s*(?:[^)\\s{]+|\\{[^}]*}?)*");

    private Secrets() {}

    /** Returns a driver's text in which each URL is replaced by its address and each password by asterisks. */
    private static String withoutSecrets(String text, @Nullable ConnectionSettings settings) {
        String url = settings == null ? null : settings.url();
        String password = settings == null ? null : settings.password();
        String hidden = hiddenIn(url == null ? text : text.replace(url, address(url)));
        return password == null || password.isEmpty() ? hidden : hidden.replace(password, "***");
    }

    private static String hiddenIn(String text) {
        return IN_TEXT.matcher(text).replaceAll(found -> {
            String url = found.group(1);
            String parameter = found.group(2);
            return Matcher.quoteReplacement(
                    url != null ? address(url) : parameter != null ? parameter + "***" : "***@");
        });
    }

    /** Returns a URL without the user info before an {@code @}, passwords in parentheses, and parameters. */
    static String address(String url) {
        String clean = IN_PARENTHESES.matcher(url).replaceAll("$1***");
        Matcher parameters = PARAMETERS.matcher(clean);
        int end = parameters.find() ? parameters.start() : clean.length();
        String address = clean.substring(0, end);
        int login = address.lastIndexOf('@');
        int host = address.indexOf("://");
        boolean isUrlOfHost = host >= 0 && (login < 0 || host < login);
        int begin = isUrlOfHost ? host + "://".length() : address.indexOf(':', "jdbc:".length()) + 1;
        int atSign = clean.indexOf('@', end);
        if (atSign >= 0
                && (address.indexOf('/', begin) < 0
                        || clean.substring(end, atSign).indexOf('=') < 0)) {
            // The apparent parameters may be the rest of a password.
            return address.substring(0, begin);
        }
        return login < 0 ? address : address.substring(0, begin) + address.substring(isUrlOfHost ? login + 1 : login);
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
        return what.contains(why) ? what : what + ": " + why;
    }

    private static String line(Throwable failure, @Nullable ConnectionSettings settings) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        String first =
                withoutSecrets(message, settings).strip().lines().findFirst().orElseThrow();
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
