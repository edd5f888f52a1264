package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.BoundedCalls;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentStore;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Keeps counters in a table of a database: one row for each name. Runs on PostgreSQL, MySQL, MariaDB, H2 and HSQLDB; for Oracle and
 * SQL Server it is written by their manuals, but not tested.
 *
 * <p>Each call is one statement, in a transaction of its own that has ended when it returns; connections may have any level of
 * isolation. The first read also checks that the table has its primary key and can be written: it inserts a row, updates it, inserts
 * another one with the same key, and rolls back. A call never takes part in a transaction of the caller. The connection is either one of a {@link DataSource}
 * or a dedicated one, opened for each call; it is closed after the call.
 *
 * <p>The database must keep what it has committed. Where it may forget, as with a table without a log or with commits that nobody
 * waits for, numbers may be given out twice after a crash.
 *
 * <p>A statement that takes longer than 2 s is cancelled, a server that is silent for 3.2 s is given up, and so is, after 4 s, a call
 * that has not ended, or has no connection.
 *
 * <p>If the database rejects a call for good, for example for a wrong password or a missing table, calls throw {@link
 * NumbersUnavailableException}, and for other failures another {@link RuntimeException}.
 *
 * <p>The table must exist: {@code counter-*.sql} beside this class create it, as does {@link #createTable()}. Safe for use by any
 * number of threads.
 *
 * @since 0.1.0
 */
public final class JdbcSegmentStore implements SegmentStore, AutoCloseable {

    /** The name of the table unless another one is given. */
    public static final String DEFAULT_TABLE = "snowflake_counter";

    static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(3_200));

    /** Less than callers wait for a number, so that another store may help them. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(4);

    private final StoredTable table;
    private final Duration longestCall;
    private final BoundedCalls calls;

    /**
     * Makes a store; does not ask the database yet.
     *
     * @param dataSource where the table is
     * @param table its name, after a schema and a dot if need be
     * @throws IllegalArgumentException if that is no name
     */
    public JdbcSegmentStore(DataSource dataSource, String table) {
        this(new Database(StoredKind.COUNTERS, dataSource, TIMEOUTS), table);
    }

    /**
     * Makes a store with a dedicated connection, which no other part of the application can keep busy; does not open it yet.
     *
     * @param connection how to open it
     * @param table the name of the table, after a schema and a dot if need be
     * @throws IllegalArgumentException if that is no name
     */
    public JdbcSegmentStore(ConnectionSettings connection, String table) {
        this(Database.dedicated(StoredKind.COUNTERS, connection, TIMEOUTS), table);
    }

    JdbcSegmentStore(Database database, String table) {
        this(new StoredTable(database, table, InitializeSchema.NEVER), LONGEST_CALL);
    }

    JdbcSegmentStore(StoredTable table, Duration longestCall) {
        this.table = table;
        this.longestCall = longestCall;
        calls = new BoundedCalls(this, "store", longestCall);
    }

    /**
     * Returns the same store, which creates the table before the first read if it is missing.
     *
     * @param when for which databases to do so; {@link InitializeSchema#NEVER} unless this is called
     * @return another store, on the same connections
     */
    public JdbcSegmentStore initializeSchema(InitializeSchema when) {
        return new JdbcSegmentStore(table.with(when), longestCall);
    }

    /**
     * Creates the table, unless there is one. Several processes may do so at once.
     *
     * @throws NumbersUnavailableException if the database refuses
     * @throws io.github.snowflakeid.SnowflakeException if it cannot be reached
     */
    public void createTable() {
        table.create();
    }

    /**
     * The statement that creates the table under its name in this database, without a semicolon.
     *
     * @return SQL, for people or for a migration
     * @throws NumbersUnavailableException if the database is none that counters can be kept in
     * @throws io.github.snowflakeid.SnowflakeException if it cannot be reached
     */
    public String createStatement() {
        return table.createStatement();
    }

    @Override
    public String description() {
        String address = table.address();
        return "table " + table.name() + (address == null ? " of the DataSource" : " at " + address);
    }

    @Override
    public String kind() {
        return "jdbc";
    }

    @Override
    public @Nullable Counter read(String name) {
        String sql = "SELECT start_number, increment_by, last_number, token FROM " + table.name() + " WHERE name = ?";
        RowMapper<Counter> counter =
                (row, number) -> new Counter(row.getLong(1), row.getInt(2), row.getLong(3), row.getString(4));
        return ask(() -> table.read((jdbc, dialect) -> jdbc.query(sql, counter, name), this::isKeyed)).stream()
                .findFirst()
                .orElse(null);
    }

    @Override
    public boolean write(String name, @Nullable Counter seen, Counter next) {
        return ask(() -> table.write(
                (jdbc, dialect) -> seen == null ? insert(jdbc, dialect, name, next) : update(jdbc, name, seen, next)));
    }

    private <T> T ask(Callable<T> call) {
        try {
            return calls.ask(call);
        } catch (IllegalStateException e) {
            throw table.ofGivenUp(e);
        }
    }

    /** By a random name, so that processes that start at the same time do not wait for each other. */
    private boolean isKeyed(JdbcTemplate jdbc, Dialect dialect) {
        String random = UUID.randomUUID().toString().substring(0, 8);
        Counter first = new Counter(1, 1, 1, random + 1);
        boolean inserted = insert(jdbc, dialect, random, first);
        update(jdbc, random, first, first);
        return !insert(jdbc, dialect, random, new Counter(2, 2, 2, random + 2)) || !inserted;
    }

    private boolean insert(JdbcTemplate jdbc, Dialect dialect, String name, Counter next) {
        return dialect.insert(
                jdbc,
                "INSERT INTO " + table.name()
                        + " (name, start_number, increment_by, last_number, token) VALUES (?, ?, ?, ?, ?)",
                name,
                next.start(),
                next.increment(),
                next.last(),
                next.token());
    }

    private boolean update(JdbcTemplate jdbc, String name, Counter seen, Counter next) {
        return jdbc.update(
                        "UPDATE " + table.name()
                                + " SET start_number = ?, increment_by = ?, last_number = ?, token = ?"
                                + " WHERE name = ? AND token = ?",
                        next.start(),
                        next.increment(),
                        next.last(),
                        next.token(),
                        name,
                        seen.token())
                == 1;
    }

    /** Closes an in-memory database that a dedicated connection kept open. Other connections are closed after each call. */
    @Override
    public void close() {
        table.close();
    }
}
