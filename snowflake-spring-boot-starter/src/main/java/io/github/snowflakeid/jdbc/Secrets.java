package io.github.snowflakeid.jdbc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides user names and passwords in JDBC URLs, and in messages of drivers, which may repeat a URL or parts of it. */
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
    static String hiddenIn(String text) {
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
}
