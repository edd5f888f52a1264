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

    /** Returns the URL without parts that may be secret. */
    String address() {
        return Secrets.address(url);
    }

    /** Returns a driver's text without the password and without the secret parts of the URL. */
    String withoutSecrets(String text) {
        String clean = Secrets.hiddenIn(text.replace(url, address()));
        return password == null || password.isEmpty() ? clean : clean.replace(password, "***");
    }

    /**
     * Returns a text for logs, without the password.
     *
     * @return the address and the user name
     */
    @Override
    public String toString() {
        return username == null ? address() : address() + ", user " + username;
    }
}
