package io.github.snowflakeid.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * How to open dedicated connections of a store, outside of any pool.
 *
 * @param url where the database is, like {@code jdbc:postgresql://localhost/shop}
 * @param username who logs in; null if the url says so, or nobody needs to
 * @param password the password, or null
 * @since 0.1.0
 */
public record ConnectionSettings(
        String url, @Nullable String username, @Nullable String password) {

    /** The url without what may be secret. */
    String address() {
        return Secrets.address(url);
    }

    /** A text of the driver without the password, and without what is secret in the url. */
    String withoutSecrets(String text) {
        String clean = Secrets.hiddenIn(text.replace(url, address()));
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
