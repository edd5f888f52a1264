package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Function;
import org.springframework.core.io.ClassPathResource;

/**
 * The kind of data in a table: in words for people, and how its properties and scripts are named.
 *
 * @param rows what the rows are
 * @param users what uses the rows
 * @param group of the properties, with a dot at its end
 * @param url the property that selects a dedicated connection
 * @param table the default name of the table, which the scripts use
 * @param key the columns that identify a row
 * @param column a column whose values only grow
 * @param script the beginning of the scripts' names
 * @param unusable wraps a failure that lasts until somebody repairs its cause
 */
record StoredKind(
        String rows,
        String users,
        String group,
        String url,
        String table,
        String key,
        String column,
        String script,
        Function<ConfigurationException, RuntimeException> unusable) {

    static final StoredKind LEASES = new StoredKind(
            "worker ids",
            "leases",
            "{snowflake}.worker.jdbc.",
            "{snowflake}.worker.jdbc.url",
            "snowflake_worker",
            "namespace, datacenter_id, worker_id",
            "reserved_until",
            "schema",
            ConfigurationException::unusable);

    static final StoredKind COUNTERS = new StoredKind(
            "counters",
            "counters",
            "{snowflake}.segment.jdbc.",
            "{snowflake}.segment.jdbc.urls",
            "snowflake_counter",
            "name",
            "last_number",
            "counter",
            ConfigurationException::unusableForNumbers);

    /** Returns the statement that creates the table under a name, without a semicolon. */
    String createStatement(Dialect dialect, String name) {
        String file = script + "-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try {
            return new ClassPathResource(file, StoredKind.class)
                    .getContentAsString(StandardCharsets.UTF_8)
                    .strip()
                    .replace(";", "")
                    .replace(table, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
