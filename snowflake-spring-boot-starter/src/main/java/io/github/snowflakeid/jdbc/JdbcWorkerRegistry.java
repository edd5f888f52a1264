package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.store.Namespaces;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores leases in a database table, with one row for each worker ID that was ever leased. Runs on PostgreSQL, MySQL,
 * MariaDB, H2 and HSQLDB. The statements for Oracle and SQL Server follow their manuals, but are not tested.
 *
 * <p>Each call runs in a new transaction, which is committed before the call returns. A call never takes part in the
 * caller's transaction, and reads only committed rows, whatever isolation level connections have. The first read also
 * finds the table, which later statements name with its schema, and checks that it has its primary key and can be
 * written: it inserts rows and rolls back. The database's clock decides when a lease expires.
 *
 * <p>The connection is opened with the settings of the {@link DataSource}, but outside of its pool, and stays open
 * until the worker ID is released or the registry is closed. Other stores of this process with the same
 * {@link DataSource} share it. If it cannot be opened outside of the pool, it is borrowed from the pool for each call.
 *
 * <p>A statement is cancelled after 5 s, so that statements do not pile up on the server while the table is locked. A
 * call fails if the server sends nothing for 8 s. For leases shorter than 32 s, auto-configured registries use shorter
 * timeouts. On H2, the database's own lock timeout applies instead, and on HSQLDB there is no network timeout.
 *
 * <p>If the database permanently rejects a call, for example because of a wrong password or a missing table, the call
 * throws a {@link WorkerIdUnavailableException}. After any other failure it throws another
 * {@link io.github.snowflakeid.SnowflakeException}.
 *
 * <p>The table must exist. Create it with the script {@code schema-*.sql} in the package of this class, or let
 * {@link #initializeSchema} do it. Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class JdbcWorkerRegistry implements WorkerRegistry, AutoCloseable {

    /** The default name of the table. */
    public static final String DEFAULT_TABLE = "snowflake_worker";

    private final StoredTable table;
    private final String namespace;

    /** Whether a namespace is one of this application, or was reported. */
    private final Predicate<String> isExpected;

    /** Whether a read has looked for other namespaces. */
    private volatile boolean isCompared;

    /**
     * Creates a registry. Does not access the database yet.
     *
     * @param dataSource the source of connections to the database
     * @param table the name of the table, optionally with a schema and a dot before it
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters: all processes that
     *     write to the same tables must use the same name
     * @throws IllegalArgumentException if the name of the table or the namespace is invalid
     */
    public JdbcWorkerRegistry(DataSource dataSource, String table, String namespace) {
        this(
                new StoredTable(
                        new Database(StoredKind.LEASES, dataSource, Timeouts.DEFAULT), table, InitializeSchema.NEVER),
                namespace);
    }

    JdbcWorkerRegistry(StoredTable table, String namespace) {
        this(table, namespace, other -> false);
    }

    JdbcWorkerRegistry(StoredTable table, String namespace, Predicate<String> isExpected) {
        this.table = table;
        this.namespace = Namespaces.checked(namespace);
        this.isExpected = isExpected;
    }

    @Override
    public String namespace() {
        return namespace;
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
    public Snapshot read() {
        return table.read(this::read, JdbcWorkerRegistry::sample);
    }

    /**
     * Returns a copy of this registry that creates the table before the first read if the table does not exist.
     *
     * @param when in which databases to create the table; the default is {@link InitializeSchema#NEVER}
     * @return a registry that uses the same connections
     */
    public JdbcWorkerRegistry initializeSchema(InitializeSchema when) {
        return new JdbcWorkerRegistry(table.with(when), namespace, isExpected);
    }

    /** The first read also returns live leases of other namespaces, so that it needs no second query. */
    private Snapshot read(JdbcTemplate jdbc, Dialect dialect) {
        String live = isCompared ? "" : " OR (w.owner IS NOT NULL AND w.expires_at > clock.now_ms)";
        String sql = "SELECT clock.now_ms, w.datacenter_id, w.worker_id, w.owner, w.owner_info, w.reserved_until,"
                + " w.expires_at, w.layout, w.namespace, CASE WHEN w.namespace = ? THEN 1 ELSE 0 END FROM (SELECT "
                + dialect.now + " AS now_ms" + dialect.fromNothing + ") clock LEFT JOIN " + table.sql()
                + " w ON w.namespace = ?" + live;
        List<Entry> entries = new ArrayList<>();
        Set<String> others = new TreeSet<>();
        Instant[] now = {Instant.EPOCH};
        jdbc.query(
                sql,
                row -> {
                    now[0] = Instant.ofEpochMilli(row.getLong(1));
                    String layout = row.getString(8);
                    if (layout != null && row.getInt(10) == 0) {
                        others.add(row.getString(9));
                    } else if (layout != null) {
                        entries.add(Entry.of(
                                row.getInt(2),
                                row.getInt(3),
                                row.getString(4),
                                row.getString(5),
                                Instant.ofEpochMilli(row.getLong(6)),
                                Instant.ofEpochMilli(row.getLong(7)),
                                layout));
                    }
                },
                namespace,
                namespace);
        isCompared = true;
        others.removeIf(isExpected);
        if (!others.isEmpty()) {
            reportNamespaces(others);
        }
        return Snapshot.of(now[0], entries);
    }

    /** Instances that write the same tables, but lease in different namespaces, issue the same IDs. */
    private void reportNamespaces(Set<String> others) {
        LogFactory.getLog(SnowflakeIdGenerator.class)
                .info(
                        "Table %s also has live leases of namespaces '%s', whose IDs can equal the IDs of namespace '%s'. Use one namespace for all instances that write the same tables"
                                .formatted(
                                        table.sql(), ControlCharacters.escape(String.join("', '", others)), namespace));
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return seen == null
                ? table.write((jdbc, dialect) -> table.insert(jdbc, dialect, row(claim, ttl)) == 1)
                : update(claim, claim.owner(), ttl, seen.owner(), seen.reservedUntil());
    }

    private static Object[] sample(String random, int digit) {
        String text = random + digit;
        return new Object[] {text, digit, digit, text, text, (long) digit, 1L, text};
    }

    private Object[] row(Claim claim, Duration ttl) {
        return new Object[] {
            namespace,
            claim.datacenterId(),
            claim.workerId(),
            claim.owner(),
            claim.ownerInfo(),
            claim.reservedUntil().toEpochMilli(),
            ttl.toMillis(),
            claim.layout()
        };
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        try {
            return update(held.until(reservedUntil), held.owner(), ttl, held.owner(), held.reservedUntil());
        } catch (WorkerIdUnavailableException e) {
            throw StoredTable.isMissing(e)
                    ? new WorkerIdUnavailableException(
                            Reason.REGISTRY_LOST, String.valueOf(e.getMessage()), e.getCause())
                    : e;
        }
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        boolean released = update(held.until(reservedUntil), null, Duration.ZERO, held.owner(), held.reservedUntil());
        // The process may be about to end, or a checkpoint about to be taken.
        table.database().release();
        return released;
    }

    /** Writes the row of a worker ID if its owner and its fence were not changed since they were read. */
    private boolean update(
            Claim next, @Nullable String owner, Duration ttl, @Nullable String seenOwner, Instant seenReservedUntil) {
        return table.write((jdbc, dialect) -> jdbc.update(
                        "UPDATE " + table.sql() + " SET owner = ?, owner_info = ?, reserved_until = ?, expires_at = "
                                + dialect.now + " + ?, layout = ?"
                                + " WHERE namespace = ? AND datacenter_id = ? AND worker_id = ?"
                                + " AND COALESCE(owner, '-') = ? AND reserved_until = ?",
                        owner,
                        next.ownerInfo(),
                        next.reservedUntil().toEpochMilli(),
                        ttl.toMillis(),
                        next.layout(),
                        namespace,
                        next.datacenterId(),
                        next.workerId(),
                        Objects.requireNonNullElse(seenOwner, "-"),
                        seenReservedUntil.toEpochMilli())
                == 1);
    }

    /** Closes the connection now, also if it keeps an in-memory database open. */
    @Override
    public void close() {
        table.database().close();
    }
}
