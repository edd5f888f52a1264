package io.github.snowflakeid.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The settings of dedicated connections of a store, which are opened outside of any pool.
 *
 * @param url the JDBC URL, such as {@code jdbc:postgresql://localhost/shop}
 * @param username the user name; null if the URL contains it or no login is needed
 * @param password the password; null if the URL contains it or no password is needed
 */
record ConnectionSettings(
        String url, @Nullable String username, @Nullable String password) {

    /** Shows neither the URL nor the password, which may be secret. */
    @Override
    public String toString() {
        return "user " + username;
    }
}
