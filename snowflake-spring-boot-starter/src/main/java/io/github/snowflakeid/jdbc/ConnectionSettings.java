package io.github.snowflakeid.jdbc;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How to open a connection of a store's own, outside of any pool.
 *
 * @param url where the database is, like {@code jdbc:postgresql://localhost/shop}
 * @param username who logs in; null if the url says so, or nobody needs to
 * @param password the password, or null
 * @param driverClassName the driver; null for the one that takes the url
 */
public record ConnectionSettings(
        String url,
        @Nullable String username,
        @Nullable String password,
        @Nullable String driverClassName) {

    /** Of MySQL: {@code (host=db)(password=secret)} or {@code (host=db,password=secret)}. */
    private static final String PASSWORD = "(?i)(\\([^()]*?pass\\w*\\s*=)[^)]*";

    /**
     * Makes settings.
     *
     * @param url where the database is
     * @param username who logs in, or null
     * @param password the password, or null
     * @param driverClassName the driver, or null
     */
    public ConnectionSettings {
        Objects.requireNonNull(url, "url");
    }

    /** The url without what may be secret. */
    String address() {
        return address(url);
    }

    /** A url without what may be secret: what is before an {@code @}, passwords in parentheses, and all parameters. */
    static String address(String url) {
        // Asked at each start, where a regular expression takes long.
        String clean = url.indexOf('(') < 0 ? url : url.replaceAll(PASSWORD, "$1***");
        int end = 0;
        while (end < clean.length() && clean.charAt(end) != '?' && clean.charAt(end) != ';') {
            end++;
        }
        String address = clean.substring(0, end);
        int login = address.lastIndexOf('@');
        int host = address.indexOf("//");
        if (host >= 0 && address.indexOf('/', host + 2) < 0 && clean.indexOf('@', end) >= 0) {
            // What looks like parameters may be the rest of a password.
            return address.substring(0, host + 2);
        }
        if (login < 0) {
            return address;
        }
        return host >= 0 && host < login
                ? address.substring(0, host + 2) + address.substring(login + 1)
                : address.substring(0, address.indexOf(':', "jdbc:".length()) + 1) + address.substring(login);
    }

    /** A text without the password, and without the parameters of the url. */
    String withoutSecrets(String text) {
        String clean = text.replace(url, address());
        return password == null || password.isEmpty() ? clean : clean.replace(password, "***");
    }

    /**
     * For people, without the password.
     *
     * @return the address and the user name
     */
    @Override
    public String toString() {
        return username == null ? address() : address() + ", user " + username;
    }
}
