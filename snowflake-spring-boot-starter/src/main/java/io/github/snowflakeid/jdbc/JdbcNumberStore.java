package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

/**
 * The table of document numbers, with one row for each series, tenant and period. Numbers are taken in the caller's
 * transaction or in a new one; all other statements run in new transactions. Safe for use by any number of threads.
 *
 * <p>A row is created in a separate transaction before the first number is taken from it. The caller's transaction
 * therefore never inserts a row that another one inserts at the same time, which would abort it on PostgreSQL and could
 * end in a deadlock on MySQL.
 *
 * <p>PostgreSQL ends a transaction only together with all of its changes. The other databases may roll back or commit
 * the caller's transaction without the caller's knowledge, and its next statement begins another one. On these, a number
 * that is taken in the caller's transaction leaves a mark in column {@code number_format} of its row, in front of the
 * marks of earlier numbers, as many as fit. (The format of a series is in a row with period {@value #FORMAT}, which has
 * no marks.) A mark that is in the row was not rolled back. A transaction that has left a mark can take another number
 * from the row only if that mark is still there, so the last mark of a transaction also stands for the earlier ones.
 *
 * @hidden
 */
public final class JdbcNumberStore implements AutoCloseable {

    /** The default name of the table. */
    public static final String DEFAULT_TABLE = "snowflake_number";

    /** The period of the row that records the format of a series. */
    public static final String FORMAT = "format";

    private static final String KEY = " WHERE series = ? AND tenant = ? AND time_period = ?";

    /** The width of the column that contains the marks. */
    private static final int WIDTH = 100;

    /**
     * A row that changed since the snapshot of MariaDB, timeouts of lock waits on MySQL, MariaDB and PostgreSQL, and a
     * statement that PostgreSQL cancelled at the end of the transaction's timeout.
     */
    private static final Set<String> CONFLICTS = Set.of("1020HY000", "1205HY000", "055P03", "057014");

    private final String series;
    private final StoredTable table;

    /**
     * The key of a row in its series.
     *
     * @param tenant the tenant, up to 100 characters, or empty
     * @param period the period, up to 10 characters, or empty
     */
    public record RowKey(String tenant, String period) {}

    /**
     * Creates the store of a series. Does not access the database yet.
     *
     * @param series the name of the series, up to 50 characters
     * @param dataSource the source of connections to the database
     * @param tableName the name of the table, optionally with a schema and a dot before it
     * @param initializeSchema when to create the table
     * @param platform the database whose SQL is used; null to ask the driver for it
     * @throws IllegalArgumentException if the name of the table is invalid
     */
    public JdbcNumberStore(
            String series,
            DataSource dataSource,
            String tableName,
            InitializeSchema initializeSchema,
            @Nullable Dialect platform) {
        this.series = series;
        StoredKind kind = StoredKind.numbers(series);
        Database database = new Database(kind, dataSource, JdbcSegmentStore.TIMEOUTS, platform, url -> {});
        table = new StoredTable(database, tableName, initializeSchema, JdbcStores.PATIENCE);
    }

    /**
     * Records the format of the series unless numbers were taken with another one. The first call also creates the
     * table if it is missing and may be created, and checks its primary key, the lengths of its columns, and the rights
     * of the user.
     *
     * @param format the format, up to 100 characters
     * @return the format that is recorded now
     */
    public String record(String format) {
        String used = " WHERE series = ? AND last_number > 0)";
        boolean isUsed = table.read(
                (jdbc, dialect) -> {
                    requireCaseSensitivity(jdbc, dialect);
                    return value(jdbc, Boolean.class, "SELECT EXISTS (SELECT 1 FROM " + table.sql() + used, series);
                },
                JdbcNumberStore::sample);
        create(null, new RowKey("", FORMAT), format, 0);
        return table.write((jdbc, dialect) -> {
            if (!isUsed) {
                jdbc.update("UPDATE " + table.sql() + " SET number_format = ?" + KEY, format, series, "", FORMAT);
            }
            return value(jdbc, String.class, "SELECT number_format FROM " + table.sql() + KEY, series, "", FORMAT);
        });
    }

    /** Compares as the column does, whose collation decides. */
    private void requireCaseSensitivity(JdbcTemplate jdbc, Dialect dialect) {
        String equal = "SELECT COALESCE((SELECT MAX(tenant) FROM " + table.sql() + " WHERE 1 = 0), 'a') = 'A'";
        if (value(jdbc, Boolean.class, equal)) {
            throw table.database()
                    .kind
                    .unusable(
                            Problem.WRONG_TABLE,
                            "Table '%s' of document numbers cannot be used: for its collation, tenants 'a' and 'A' are the same"
                                    .formatted(table.name()),
                            dialect == Dialect.MYSQL
                                    ? "As the owner of the table, execute:\n\nALTER TABLE %s CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;"
                                            .formatted(table.sql())
                                    : "Give column 'tenant' a type and a collation that distinguish upper from lower case.");
        }
    }

    /**
     * Creates the row of a key if it does not exist.
     *
     * @param callers the source of the connection that the caller's transaction uses, if that transaction must create
     *     the row; null for a new transaction
     * @param key the key
     * @param format the format of the series
     * @param last the last number that was taken
     */
    public void create(@Nullable DataSource callers, RowKey key, String format, long last) {
        Object[] row = row(series, key.tenant(), key.period(), format, last);
        if (callers != null) {
            table.insert(new JdbcTemplate(callers), table.database().dialect(), row);
        } else {
            // Reads first, in the same call, because the insertion would wait for a transaction that has taken a number
            // from the row, and others meanwhile wait for the connection.
            table.write((jdbc, dialect) -> last(jdbc, key) < 0 ? table.insert(jdbc, dialect, row) : 0);
        }
    }

    /**
     * Returns whether a statement that does not find a row prevents other transactions from creating it.
     *
     * @return whether the caller's transaction must create a row that it did not find
     */
    public boolean locksMissingRows() {
        return table.database().dialect() == Dialect.MYSQL;
    }

    /**
     * Returns whether the database may end a transaction without the caller's knowledge, so that numbers leave marks.
     *
     * @return whether {@link #marks} proves that numbers were not rolled back
     */
    public boolean hasMarks() {
        return table.database().dialect() != Dialect.POSTGRESQL;
    }

    /**
     * Reads the marks in a row.
     *
     * @param callers the source of the connection that the caller's transaction uses
     * @param key the key
     * @return the marks that this transaction sees, the latest first
     */
    public String marks(DataSource callers, RowKey key) {
        String select = "SELECT COALESCE(MAX(number_format), '') FROM ";
        return value(
                new JdbcTemplate(callers),
                String.class,
                select + table.sql() + KEY,
                series,
                key.tenant(),
                key.period());
    }

    /**
     * Takes numbers if the clock of the database is within the given time. This is one round trip, because others wait
     * for the row until the caller's transaction ends.
     *
     * @param caller the caller's transaction; null for a new transaction
     * @param key the key
     * @param from the first millisecond since 1970
     * @param until the millisecond after the last one
     * @param count how many numbers to take
     * @return the last of the numbers; 0 if the clock is outside, or if the transaction does not see the row or its mark
     * @throws org.springframework.dao.ConcurrencyFailureException if another transaction prevents the caller's
     */
    public long take(@Nullable NumberCaller caller, RowKey key, long from, long until, int count) {
        if (caller == null) {
            return table.write((jdbc, dialect) -> update(jdbc, dialect, null, key, from, until, count));
        }
        try {
            JdbcTemplate jdbc = new JdbcTemplate(caller.dataSource());
            return update(jdbc, table.database().dialect(), hasMarks() ? caller : null, key, from, until, count);
        } catch (DataAccessException e) {
            boolean isConflict = e instanceof QueryTimeoutException
                    || (e.getCause() instanceof SQLException cause
                            && CONFLICTS.contains(cause.getErrorCode() + cause.getSQLState()));
            throw isConflict ? new CannotAcquireLockException("Another transaction has the row", e) : e;
        }
    }

    /**
     * Uses the keys that JDBC calls generated: they are the columns of RETURNING on PostgreSQL, and LAST_INSERT_ID on
     * MySQL. The mark is assigned first, because MySQL uses the new value of a column in assignments that follow.
     */
    private long update(
            JdbcTemplate jdbc,
            Dialect dialect,
            @Nullable NumberCaller caller,
            RowKey key,
            long from,
            long until,
            int count) {
        String sum = dialect == Dialect.MYSQL ? "LAST_INSERT_ID(last_number + ?)" : "last_number + ?";
        String mark = "number_format = LEFT(CONCAT(?, ':', last_number + ?, ';', number_format), " + WIDTH + "), ";
        String sql = "UPDATE " + table.sql() + " SET " + (caller != null ? mark : "") + "last_number = " + sum + KEY
                + " AND "
                + dialect.now + " >= ? AND " + dialect.now + " < ?"
                + (caller != null ? " AND LOCATE(?, number_format) > 0" : "");
        List<Object> arguments = new ArrayList<>(List.of(count, series, key.tenant(), key.period(), from, until));
        if (caller != null) {
            arguments.addAll(0, List.of(caller.token(), count));
            arguments.add(caller.mark());
        }
        KeyHolder updated = new GeneratedKeyHolder();
        jdbc.update(
                connection -> {
                    PreparedStatement statement = connection.prepareStatement(sql, new String[] {"last_number"});
                    new ArgumentPreparedStatementSetter(arguments.toArray()).setValues(statement);
                    return statement;
                },
                updated);
        Number last = updated.getKey();
        return last == null ? 0 : last.longValue();
    }

    /**
     * Returns the last number of a key that was taken in a committed transaction.
     *
     * @param key the key
     * @return the number; -1 if there is no row
     */
    public long last(RowKey key) {
        return table.write((jdbc, dialect) -> last(jdbc, key));
    }

    private long last(JdbcTemplate jdbc, RowKey key) {
        String select = "SELECT COALESCE(MAX(last_number), -1) FROM ";
        return value(jdbc, Long.class, select + table.sql() + KEY, series, key.tenant(), key.period());
    }

    /**
     * Returns the time of the database's clock.
     *
     * @return milliseconds since 1970
     */
    public long now() {
        return table.write((jdbc, dialect) -> value(jdbc, Long.class, "SELECT " + dialect.now));
    }

    private static <T> T value(JdbcTemplate jdbc, Class<T> type, String select, Object... arguments) {
        return Objects.requireNonNull(jdbc.queryForObject(select, type, arguments));
    }

    /** Tests with the longest values also the widths of the columns. */
    private static Object[] sample(String random, int digit) {
        String format = String.valueOf(digit).repeat(WIDTH);
        return row(random + "-".repeat(41) + digit, "-".repeat(99) + digit, "-".repeat(9) + digit, format, 0);
    }

    private static Object[] row(String series, String tenant, String period, String format, long last) {
        return new Object[] {series, tenant, period, format, last};
    }

    /** Closes the connection that is not the caller's, also if it keeps an in-memory database open. */
    @Override
    public void close() {
        table.database().close();
    }
}
