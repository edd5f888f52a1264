package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Keeps leases in a table of a database: one row for each worker id that was ever leased. Runs on PostgreSQL, MySQL,
 * MariaDB and H2; for Oracle and SQL Server it is written by their manuals, but not tested.
 *
 * <p>Each call is one statement on a connection of its own, committed before it returns: in auto-commit, or where the pool
 * has that off, by an explicit commit. It never takes part in a transaction of the caller. The database's clock decides
 * when a lease expires.
 *
 * <p>The table must exist: {@code schema-*.sql} beside this class create it, as does {@link #createTable()}. Safe for use
 * by any number of threads.
 */
public final class JdbcWorkerRegistry implements WorkerRegistry {

    /** The name of the table unless another one is given. */
    public static final String DEFAULT_TABLE = "snowflake_worker";

    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*){0,2}");
    private static final int LONGEST_NAMESPACE = 100;
    private static final String NO_TABLE_ON_SQLSERVER = "S0002";

    /** A server that does not answer is given up, be it that the network swallows answers or that the row is locked. */
    private static final int LONGEST_ANSWER_MILLIS = 10_000;

    private final DataSource dataSource;
    private final String table;
    private final String namespace;
    private final boolean createsTable;
    private final int longestAnswerMillis;
    private volatile @Nullable Dialect dialect;

    /**
     * Makes a registry; does not ask the database yet.
     *
     * @param dataSource where the table is
     * @param table its name, after a schema and a dot if need be
     * @param namespace the name under which processes share worker ids: all that write the same tables must share it; from 1
     *     to 100 characters
     * @throws IllegalArgumentException if one of the names is none
     */
    public JdbcWorkerRegistry(DataSource dataSource, String table, String namespace) {
        this(dataSource, table, namespace, false, LONGEST_ANSWER_MILLIS);
    }

    JdbcWorkerRegistry(
            DataSource dataSource, String table, String namespace, boolean createsTable, int longestAnswerMillis) {
        this.createsTable = createsTable;
        this.longestAnswerMillis = longestAnswerMillis;
        this.dataSource = outsideOfTransactions(Objects.requireNonNull(dataSource, "dataSource"));
        this.table = table;
        this.namespace = namespace;
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits, _ and $, after a schema and a dot if need be, but was '%s'"
                            .formatted(table));
        }
        if (namespace.isBlank() || namespace.length() > LONGEST_NAMESPACE) {
            throw new IllegalArgumentException(
                    "namespace must have 1 to %d characters, but was '%s'".formatted(LONGEST_NAMESPACE, namespace));
        }
    }

    private static DataSource outsideOfTransactions(DataSource dataSource) {
        return dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? outsideOfTransactions(proxy.getTargetDataSource())
                : dataSource;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public Snapshot read() {
        try {
            return inOwnTransaction(this::read);
        } catch (DataAccessException noTable) {
            if (!saysThatThereIsNoTable(noTable)) {
                throw noTable;
            }
            if (createsTable) {
                createTable();
                return inOwnTransaction(this::read);
            }
            throw new WorkerIdUnavailableException(
                    Reason.REGISTRY_UNUSABLE,
                    "Table '%s' of worker ids cannot be read: %s"
                            .formatted(table, noTable.getMostSpecificCause().getMessage()),
                    noTable);
        }
    }

    /**
     * The same registry, but where the table is missing when it is read, it {@linkplain #createTable() creates} it.
     *
     * @return another registry
     */
    public JdbcWorkerRegistry creatingItsTable() {
        return new JdbcWorkerRegistry(dataSource, table, namespace, true, longestAnswerMillis);
    }

    /**
     * Creates the table, unless there is one. Several processes may do so at once.
     *
     * @throws WorkerIdUnavailableException if the database refuses
     * @throws RuntimeException if it cannot be reached
     */
    public void createTable() {
        if (hasTable()) {
            return;
        }
        String statement = createStatement();
        try {
            inOwnTransaction(database -> {
                database.execute(statement);
                return true;
            });
        } catch (DataAccessException refused) {
            if (!hasTable()) {
                throw new WorkerIdUnavailableException(
                        Reason.REGISTRY_UNUSABLE,
                        "Table '%s' of worker ids cannot be created: %s"
                                .formatted(table, refused.getMostSpecificCause().getMessage()),
                        refused);
            }
        }
    }

    private boolean hasTable() {
        try {
            inOwnTransaction(database ->
                    database.queryForList("SELECT worker_id FROM %s WHERE 1 = 0".formatted(table), Integer.class));
            return true;
        } catch (DataAccessException noTable) {
            if (saysThatThereIsNoTable(noTable)) {
                return false;
            }
            throw noTable;
        }
    }

    private static boolean saysThatThereIsNoTable(DataAccessException failure) {
        return failure instanceof BadSqlGrammarException
                || (failure.getMostSpecificCause() instanceof SQLException sql
                        && NO_TABLE_ON_SQLSERVER.equals(sql.getSQLState()));
    }

    /**
     * The statement that creates the table under its name in this database, without a semicolon.
     *
     * @return SQL, for people or for a migration
     * @throws WorkerIdUnavailableException if the database is none that leases can be kept in
     * @throws RuntimeException if it cannot be reached
     */
    public String createStatement() {
        String script =
                "schema-%s.sql".formatted(inOwnTransaction(this::dialect).name().toLowerCase(Locale.ROOT));
        try (InputStream sql = Objects.requireNonNull(JdbcWorkerRegistry.class.getResourceAsStream(script), script)) {
            return new String(sql.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .replace(";", "")
                    .replace(DEFAULT_TABLE, table);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Snapshot read(JdbcTemplate database) {
        List<Entry> entries = new ArrayList<>();
        List<Instant> now = database.query(
                """
                SELECT clock.now_ms, w.datacenter_id, w.worker_id, w.owner, w.owner_info, w.reserved_until,
                       w.expires_at, w.layout
                FROM (SELECT %s AS now_ms%s) clock
                LEFT JOIN %s w ON w.namespace = ?""".formatted(dialect(database).now, dialect(database).fromNothing, table),
                (row, number) -> {
                    String layout = row.getString("layout");
                    if (layout != null) {
                        entries.add(new Entry(
                                row.getInt("datacenter_id"),
                                row.getInt("worker_id"),
                                row.getString("owner"),
                                row.getString("owner_info"),
                                Instant.ofEpochMilli(row.getLong("reserved_until")),
                                Instant.ofEpochMilli(row.getLong("expires_at")),
                                layout));
                    }
                    return Instant.ofEpochMilli(row.getLong("now_ms"));
                },
                namespace);
        return new Snapshot(now.get(0), entries);
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return seen == null ? insert(claim, ttl) : overwrite(seen, claim, ttl);
    }

    private boolean insert(Claim claim, Duration ttl) {
        try {
            return inOwnTransaction(database -> database.update(
                            """
                            INSERT INTO %s (namespace, datacenter_id, worker_id, owner, owner_info, reserved_until,
                                            expires_at, layout)
                            VALUES (?, ?, ?, ?, ?, ?, %s + ?, ?)""".formatted(table, dialect(database).now),
                            namespace,
                            claim.datacenterId(),
                            claim.workerId(),
                            claim.owner(),
                            claim.ownerInfo(),
                            claim.reservedUntil().toEpochMilli(),
                            ttl.toMillis(),
                            claim.layout())
                    == 1);
        } catch (DuplicateKeyException anotherWasFirst) {
            return false;
        }
    }

    private boolean overwrite(Entry seen, Claim claim, Duration ttl) {
        return inOwnTransaction(database -> database.update(
                        """
                        UPDATE %s SET owner = ?, owner_info = ?, reserved_until = ?, expires_at = %s + ?, layout = ?
                        WHERE namespace = ? AND datacenter_id = ? AND worker_id = ?
                          AND COALESCE(owner, '-') = ? AND reserved_until = ?""".formatted(table, dialect(database).now),
                        claim.owner(),
                        claim.ownerInfo(),
                        claim.reservedUntil().toEpochMilli(),
                        ttl.toMillis(),
                        claim.layout(),
                        namespace,
                        claim.datacenterId(),
                        claim.workerId(),
                        Objects.requireNonNullElse(seen.owner(), "-"),
                        seen.reservedUntil().toEpochMilli())
                == 1);
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return update(held, "reserved_until = ?, expires_at = %s + ?", reservedUntil, ttl);
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return update(held, "owner = NULL, reserved_until = ?, expires_at = %s + ?", reservedUntil, Duration.ZERO);
    }

    private boolean update(Claim held, String change, Instant reservedUntil, Duration ttl) {
        return inOwnTransaction(database -> database.update(
                        """
                        UPDATE %s SET %s
                        WHERE namespace = ? AND datacenter_id = ? AND worker_id = ?
                          AND owner = ? AND reserved_until = ?""".formatted(table, change.formatted(dialect(database).now)),
                        reservedUntil.toEpochMilli(),
                        ttl.toMillis(),
                        namespace,
                        held.datacenterId(),
                        held.workerId(),
                        held.owner(),
                        held.reservedUntil().toEpochMilli())
                == 1);
    }

    /** Straight from the data source: the connection of a transaction that the caller may be in is another one. */
    private <T> T inOwnTransaction(Function<JdbcTemplate, T> statement) {
        try (Connection connection = dataSource.getConnection()) {
            JdbcTemplate database = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
            boolean committed = connection.getAutoCommit();
            int usualTimeout = limitAnswer(connection);
            try {
                T result = statement.apply(database);
                if (!committed) {
                    connection.commit();
                    committed = true;
                }
                return result;
            } finally {
                if (!committed) {
                    connection.rollback();
                }
                unlimitAnswer(connection, usualTimeout);
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(
                    "Registry in table '%s' failed: %s".formatted(table, failed.getMessage()), failed);
        }
    }

    /** @return the time-out before; negative if the driver knows none */
    private int limitAnswer(Connection connection) {
        try {
            int usual = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, longestAnswerMillis);
            return usual;
        } catch (SQLException unsupported) {
            return -1;
        }
    }

    private static void unlimitAnswer(Connection connection, int usual) {
        try {
            if (usual >= 0 && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, usual);
            }
        } catch (SQLException broken) {
            // Whoever uses it next will notice; what was done here is done.
        }
    }

    private Dialect dialect(JdbcTemplate database) {
        Dialect known = dialect;
        if (known == null) {
            known = Objects.requireNonNull(database.execute((Connection connection) -> dialect(connection)));
            dialect = known;
        }
        return known;
    }

    private static Dialect dialect(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String product = metaData.getDatabaseProductName();
        return Dialect.of(product)
                .orElseThrow(() -> new WorkerIdUnavailableException(
                        Reason.REGISTRY_UNUSABLE,
                        "Database '%s' is none that leases can be kept in (PostgreSQL, MySQL, MariaDB, H2, Oracle, SQL Server)"
                                .formatted(product),
                        null));
    }
}
