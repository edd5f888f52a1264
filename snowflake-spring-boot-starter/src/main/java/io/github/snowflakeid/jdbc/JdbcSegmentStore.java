package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentStore;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Stores counters in a database table, with one row for each counter. Runs on PostgreSQL, MySQL, MariaDB, H2 and
 * HSQLDB. The statements for Oracle and SQL Server follow their manuals, but are not tested.
 *
 * <p>Each call runs in a new transaction, which has ended when the call returns. A call never takes part in the
 * caller's transaction, and connections may have any isolation level. The first read also finds the table, which later
 * statements name with its schema, and checks that it has its primary key and can be written: it inserts rows and rolls
 * back.
 *
 * <p>The connection is opened with the settings of the {@link DataSource}, but outside of its pool, and stays open
 * until the store is closed. Other stores of this process with the same {@link DataSource} share it. If it cannot be
 * opened outside of the pool, it is borrowed from the pool for each call.
 *
 * <p>The database must keep committed rows. If it may lose them, for example with an unlogged table or asynchronous
 * commits, numbers may be issued twice after a crash.
 *
 * <p>A statement is cancelled after 2 s. A call fails if the server sends nothing for 3.2 s.
 *
 * <p>If the database permanently rejects a call, for example because of a wrong password or a missing table, the call
 * throws a {@link NumbersUnavailableException}. After any other failure it throws another {@link RuntimeException}.
 *
 * <p>The table must exist. Create it with the script {@code counter-*.sql} in the package of this class, or let
 * {@link #initializeSchema} do it. Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class JdbcSegmentStore implements SegmentStore, AutoCloseable {

    /** The default name of the table. */
    public static final String DEFAULT_TABLE = "snowflake_counter";

    static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(3_200));

    private final StoredTable table;

    /**
     * Creates a store. Does not access the database yet.
     *
     * @param dataSource the source of connections to the database
     * @param table the name of the table, optionally with a schema and a dot before it
     * @throws IllegalArgumentException if the name of the table is invalid
     */
    public JdbcSegmentStore(DataSource dataSource, String table) {
        this(new StoredTable(new Database(StoredKind.COUNTERS, dataSource, TIMEOUTS), table, InitializeSchema.NEVER));
    }

    JdbcSegmentStore(StoredTable table) {
        this.table = table;
    }

    /**
     * Returns a copy of this store that creates the table before the first read if the table does not exist.
     *
     * @param when in which databases to create the table; the default is {@link InitializeSchema#NEVER}
     * @return a store that uses the same connections
     */
    public JdbcSegmentStore initializeSchema(InitializeSchema when) {
        return new JdbcSegmentStore(table.with(when));
    }

    @Override
    public String description() {
        String address = table.database().address();
        return "table " + table.name() + (address == null ? " of the DataSource" : " at " + address);
    }

    @Override
    public String kind() {
        return "jdbc";
    }

    @Override
    public void connect() {
        table.database().dialect();
    }

    @Override
    public @Nullable Counter read(String name) {
        RowMapper<Counter> counter =
                (row, number) -> new Counter(row.getLong(1), row.getInt(2), row.getLong(3), row.getString(4));
        Database.Work<List<Counter>> select = (jdbc, dialect) -> jdbc.query(
                "SELECT start_number, increment_by, last_number, token FROM " + table.sql() + " WHERE name = ?",
                counter,
                name);
        return table.read(select, JdbcSegmentStore::sample).stream().findFirst().orElse(null);
    }

    @Override
    public boolean write(String name, @Nullable Counter seen, Counter next) {
        return table.write((jdbc, dialect) ->
                seen == null ? table.insert(jdbc, dialect, row(name, next)) == 1 : update(jdbc, name, seen, next));
    }

    private static Object[] sample(String random, int digit) {
        return row(random + digit, new Counter(1 + digit, 1 + digit, 1 + digit, random + digit));
    }

    private static Object[] row(String name, Counter next) {
        return new Object[] {name, next.token(), next.start(), next.increment(), next.last()};
    }

    private boolean update(JdbcTemplate jdbc, String name, Counter seen, Counter next) {
        return jdbc.update(
                        "UPDATE " + table.sql()
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

    @Override
    public void closeIdleConnections() {
        table.database().release();
    }

    /** Closes the connection now, also if it keeps an in-memory database open. */
    @Override
    public void close() {
        table.database().close();
    }
}
