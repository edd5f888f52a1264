package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Keeps leases in a table of a database: one row for each worker id that was ever leased. Runs on PostgreSQL, MySQL,
 * MariaDB, H2 and HSQLDB; for Oracle and SQL Server it is written by their manuals, but not tested.
 *
 * <p>Each call is one statement, committed before it returns. The first read also checks that the table has its primary key and can
 * be written: it inserts a row, updates it, inserts another one with the same key, and rolls back. A call reads nothing that is not committed, whatever level of
 * isolation connections have, and never takes part in a transaction of the caller. The connection is either one of a {@link
 * DataSource} or a dedicated one, opened for each call; it is closed after the call. The database's clock decides when a lease
 * expires.
 *
 * <p>A statement that takes longer than 5 s is cancelled, so that nothing waits on the server where the table is locked; a
 * server that is silent for 8 s is given up. Both are for leases of 32 s or more; where leases are shorter, those of the
 * auto-configuration are, too. H2 has time-outs of its own for locks, and HSQLDB none for the network.
 *
 * <p>If the database rejects a call for good, for example for a wrong password or a missing table, calls throw {@link
 * WorkerIdUnavailableException}, and for other failures another {@link io.github.snowflakeid.SnowflakeException}.
 *
 * <p>The table must exist: {@code schema-*.sql} beside this class create it, as does {@link #createTable()}. Safe for use
 * by any number of threads.
 *
 * @since 0.1.0
 */
public final class JdbcWorkerRegistry implements WorkerRegistry, AutoCloseable {

    /** The name of the table unless another one is given. */
    public static final String DEFAULT_TABLE = "snowflake_worker";

    private final StoredTable table;
    private final String namespace;

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
        this(new Database(StoredKind.LEASES, dataSource, Timeouts.DEFAULT), table, namespace);
    }

    /**
     * Makes a registry with a dedicated connection, which no other part of the application can keep busy; does not open it yet.
     *
     * @param connection how to open it
     * @param table the name of the table, after a schema and a dot if need be
     * @param namespace the name under which processes share worker ids, from 1 to 100 characters
     * @throws IllegalArgumentException if one of the names is none
     */
    public JdbcWorkerRegistry(ConnectionSettings connection, String table, String namespace) {
        this(Database.dedicated(StoredKind.LEASES, connection, Timeouts.DEFAULT), table, namespace);
    }

    JdbcWorkerRegistry(Database database, String table, String namespace) {
        this(new StoredTable(database, table, InitializeSchema.NEVER), namespace);
    }

    private JdbcWorkerRegistry(StoredTable table, String namespace) {
        this.table = table;
        this.namespace = Namespaces.checked(namespace);
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
    public Snapshot read() {
        return table.read(this::read, this::isKeyed);
    }

    /**
     * Returns the same registry, which creates the table before the first read if it is missing.
     *
     * @param when for which databases to do so; {@link InitializeSchema#NEVER} unless this is called
     * @return another registry, on the same connections
     */
    public JdbcWorkerRegistry initializeSchema(InitializeSchema when) {
        return new JdbcWorkerRegistry(table.with(when), namespace);
    }

    /**
     * Creates the table, unless there is one. Several processes may do so at once.
     *
     * @throws WorkerIdUnavailableException if the database refuses
     * @throws io.github.snowflakeid.SnowflakeException if it cannot be reached
     */
    public void createTable() {
        table.create();
    }

    /**
     * The statement that creates the table under its name in this database, without a semicolon.
     *
     * @return SQL, for people or for a migration
     * @throws WorkerIdUnavailableException if the database is none that leases can be kept in
     * @throws io.github.snowflakeid.SnowflakeException if it cannot be reached
     */
    public String createStatement() {
        return table.createStatement();
    }

    private Snapshot read(JdbcTemplate jdbc, Dialect dialect) {
        String sql = "SELECT clock.now_ms, w.datacenter_id, w.worker_id, w.owner, w.owner_info, w.reserved_until,"
                + " w.expires_at, w.layout FROM (SELECT " + dialect.now + " AS now_ms" + dialect.fromNothing
                + ") clock LEFT JOIN " + table.name() + " w ON w.namespace = ?";
        List<Entry> entries = new ArrayList<>();
        Instant[] now = {Instant.EPOCH};
        jdbc.query(
                sql,
                row -> {
                    now[0] = Instant.ofEpochMilli(row.getLong(1));
                    String layout = row.getString(8);
                    if (layout != null) {
                        entries.add(new Entry(
                                row.getInt(2),
                                row.getInt(3),
                                row.getString(4),
                                row.getString(5),
                                Instant.ofEpochMilli(row.getLong(6)),
                                Instant.ofEpochMilli(row.getLong(7)),
                                layout));
                    }
                },
                namespace);
        return new Snapshot(now[0], entries);
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return table.write((jdbc, dialect) ->
                seen == null ? insert(jdbc, dialect, claim, ttl) : overwrite(jdbc, dialect, seen, claim, ttl));
    }

    /** In a random namespace, so that processes that start at the same time do not wait for each other. */
    private boolean isKeyed(JdbcTemplate jdbc, Dialect dialect) {
        String random = UUID.randomUUID().toString().substring(0, 8);
        JdbcWorkerRegistry probe = new JdbcWorkerRegistry(table, random);
        Claim first = new Claim(0, 0, random + 1, random + 1, Instant.EPOCH, Instant.ofEpochMilli(1), random + 1);
        Claim second = new Claim(0, 0, random + 2, random + 2, Instant.EPOCH, Instant.ofEpochMilli(2), random + 2);
        boolean inserted = probe.insert(jdbc, dialect, first, Duration.ofMillis(1));
        Entry entry =
                new Entry(0, 0, first.owner(), first.ownerInfo(), first.reservedUntil(), Instant.EPOCH, first.layout());
        probe.overwrite(jdbc, dialect, entry, first, Duration.ofMillis(1));
        return !probe.insert(jdbc, dialect, second, Duration.ofMillis(2)) || !inserted;
    }

    private boolean insert(JdbcTemplate jdbc, Dialect dialect, Claim claim, Duration ttl) {
        return dialect.insert(
                jdbc,
                "INSERT INTO " + table.name() + " (namespace, datacenter_id, worker_id, owner, owner_info,"
                        + " reserved_until, expires_at, layout) VALUES (?, ?, ?, ?, ?, ?, "
                        + dialect.now + " + ?, ?)",
                namespace,
                claim.datacenterId(),
                claim.workerId(),
                claim.owner(),
                claim.ownerInfo(),
                claim.reservedUntil().toEpochMilli(),
                ttl.toMillis(),
                claim.layout());
    }

    private boolean overwrite(JdbcTemplate jdbc, Dialect dialect, Entry seen, Claim claim, Duration ttl) {
        return jdbc.update(
                        "UPDATE " + table.name() + " SET owner = ?, owner_info = ?, reserved_until = ?, expires_at = "
                                + dialect.now + " + ?, layout = ?"
                                + " WHERE namespace = ? AND datacenter_id = ? AND worker_id = ?"
                                + " AND COALESCE(owner, '-') = ? AND reserved_until = ?",
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
                == 1;
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return update(held, "", reservedUntil, ttl);
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return update(held, "owner = NULL, ", reservedUntil, Duration.ZERO);
    }

    private boolean update(Claim held, String change, Instant reservedUntil, Duration ttl) {
        return table.write((jdbc, dialect) -> jdbc.update(
                        "UPDATE " + table.name() + " SET " + change + "reserved_until = ?, expires_at = "
                                + dialect.now
                                + " + ? WHERE namespace = ? AND datacenter_id = ? AND worker_id = ?"
                                + " AND owner = ? AND reserved_until = ?",
                        reservedUntil.toEpochMilli(),
                        ttl.toMillis(),
                        namespace,
                        held.datacenterId(),
                        held.workerId(),
                        held.owner(),
                        held.reservedUntil().toEpochMilli())
                == 1);
    }

    /**
     * Lets go of an in-memory database that a {@linkplain ConnectionSettings dedicated connection} kept. Does nothing otherwise, since
     * connections are closed after each call.
     */
    @Override
    public void close() {
        table.close();
    }
}
