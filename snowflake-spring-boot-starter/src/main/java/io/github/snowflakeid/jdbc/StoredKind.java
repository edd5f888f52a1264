package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;

/**
 * The kind of data in a table: leases, counters or document numbers, with its words in messages and the names of its properties and
 * scripts.
 *
 * @param rows the word for the rows
 * @param users the word for the features that use the rows
 * @param group the prefix of the properties, with a dot at its end
 * @param url the property that selects a dedicated connection; null if there is none, because the rows belong to the
 *     caller's transaction
 * @param table the default name of the table, which the scripts use
 * @param key the columns of the primary key
 * @param columns the other columns; the first one differs between two processes that insert the same key
 * @param column a column whose values only grow
 * @param script the beginning of the scripts' names
 * @param wrapper wraps a failure that lasts until its cause is repaired
 */
record StoredKind(
        String rows,
        String users,
        String group,
        @Nullable String url,
        String table,
        String key,
        String columns,
        String column,
        String script,
        Function<ConfigurationException, RuntimeException> wrapper) {

    static final StoredKind LEASES = new StoredKind(
            "worker IDs",
            "leases",
            "{snowflake}.worker.jdbc.",
            "{snowflake}.worker.jdbc.url",
            "snowflake_worker",
            "namespace, datacenter_id, worker_id",
            "owner, owner_info, reserved_until, expires_at, layout",
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
            "token, start_number, increment_by, last_number",
            "last_number",
            "counter",
            ConfigurationException::unusableForNumbers);

    /** Returns the kind of the last numbers of a series of document numbers. */
    static StoredKind numbers(String series) {
        return new StoredKind(
                "document numbers",
                "document numbers",
                "snowflake.numbers." + series + ".",
                null,
                "snowflake_number",
                "series, tenant, time_period",
                "number_format, last_number",
                "last_number",
                "number",
                ConfigurationException::unusableForNumbers);
    }

    int keyColumns() {
        return key.split(",").length;
    }

    /** Returns the statement that creates a table with the given name, without a semicolon. */
    String createStatement(Dialect dialect, String name) {
        String file = script + "-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try {
            return new ClassPathResource(file, StoredKind.class)
                    .getContentAsString(StandardCharsets.UTF_8)
                    .strip()
                    .replace(";", "")
                    .replace(table, name);
        } catch (IOException e) {
            throw unusable(
                    Problem.UNSUPPORTED_DATABASE,
                    "Database '%s' is not supported for %s".formatted(dialect, users),
                    "Store %s in a database that the documentation lists.".formatted(users));
        }
    }

    /** Returns the exception for a problem that lasts until its cause is repaired. */
    RuntimeException unusable(Problem problem, String message, String action) {
        return wrapper.apply(problem.exception(message, action));
    }
}
