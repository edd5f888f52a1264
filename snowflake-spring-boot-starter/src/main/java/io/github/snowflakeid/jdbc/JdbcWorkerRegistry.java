package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.jdbc.JdbcRegistryException.Problem;
import io.github.snowflakeid.jdbc.Session.Question;
import io.github.snowflakeid.store.Namespaces;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps leases in a table of a database: one row for each worker id that was ever leased. Runs on PostgreSQL, MySQL,
 * MariaDB, H2 and HSQLDB; for Oracle and SQL Server it is written by their manuals, but not tested.
 *
 * <p>Each call is one statement, committed before it returns. It never takes part in a transaction of the caller. The
 * connection is either one of a {@link DataSource}, given back after each call, or the registry's own, which it opens when it
 * is first needed and keeps until a worker id is {@linkplain #release given back} or the registry is {@linkplain #close
 * closed}. The database's clock decides when a lease expires.
 *
 * <p>A statement that takes longer than 5 s is cancelled, so that nothing waits on the server where the table is locked; a
 * server that is silent for 8 s is given up. Both are for leases of 32 s or more; where leases are shorter, those of the
 * auto-configuration are, too. H2 has time-outs of its own for locks, and HSQLDB none for the network.
 *
 * <p>What the database refuses for good, as a wrong password or a missing table, is a {@link
 * WorkerIdUnavailableException} with a {@link JdbcRegistryException} as its cause; what may be different a little later is a
 * {@link JdbcRegistryException}.
 *
 * <p>The table must exist: {@code schema-*.sql} beside this class create it, as does {@link #createTable()}. Safe for use
 * by any number of threads.
 */
public final class JdbcWorkerRegistry implements WorkerRegistry, AutoCloseable {

    /** The name of the table unless another one is given. */
    public static final String DEFAULT_TABLE = "snowflake_worker";

    private static final int UNKNOWN = -1;
    private static final Executor AT_ONCE = Runnable::run;

    private final Connections connections;
    private final String table;
    private final String namespace;
    private final Creation creation;
    private final Limits limits;
    private volatile @Nullable Product product;
    private volatile boolean limitsNetwork = true;

    /** Whether a table in memory was created, or could not be. */
    private volatile boolean triedInMemory;

    /** Whether to create a table that is missing. */
    private enum Creation {
        NEVER,
        IN_MEMORY,
        ALWAYS
    }

    /** What is done with the table, as messages say it. */
    private enum Purpose {
        READ("read"),
        WRITE("written"),
        CREATE("created");

        private final String done;

        Purpose(String done) {
            this.done = done;
        }
    }

    private record Product(Dialect dialect, boolean inMemory) {}

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
        this(dataSource, table, namespace, Limits.USUAL);
    }

    JdbcWorkerRegistry(DataSource dataSource, String table, String namespace, Limits limits) {
        this(
                new PooledConnections(Objects.requireNonNull(dataSource, "dataSource")),
                table,
                namespace,
                Creation.NEVER,
                limits);
    }

    /**
     * Makes a registry with a connection of its own, which nobody else can keep busy; does not open it yet.
     *
     * @param connection how to open it
     * @param table the name of the table, after a schema and a dot if need be
     * @param namespace the name under which processes share worker ids, from 1 to 100 characters
     * @throws IllegalArgumentException if one of the names is none
     */
    public JdbcWorkerRegistry(ConnectionSettings connection, String table, String namespace) {
        this(connection, table, namespace, Limits.USUAL);
    }

    JdbcWorkerRegistry(ConnectionSettings connection, String table, String namespace, Limits limits) {
        this(new OwnConnection(connection, limits), table, namespace, Creation.NEVER, limits);
    }

    private JdbcWorkerRegistry(
            Connections connections, String table, String namespace, Creation creation, Limits limits) {
        this.connections = connections;
        this.table = table;
        this.namespace = Namespaces.checked(namespace);
        this.creation = creation;
        this.limits = limits;
        if (!isTable(table)) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits, _ and $, after a schema and a dot if need be, but was '%s'"
                            .formatted(table));
        }
    }

    /** A name, after up to two others and a dot each. By hand, since a regular expression takes longer at the start. */
    private static boolean isTable(String name) {
        int dots = 0;
        boolean begins = true;
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character == '.' && !begins) {
                dots++;
                begins = true;
            } else {
                boolean letter = character == '_' || isBetween('a', character, 'z') || isBetween('A', character, 'Z');
                if (!letter && (begins || (character != '$' && !isBetween('0', character, '9')))) {
                    return false;
                }
                begins = false;
            }
        }
        return !begins && dots <= 2;
    }

    private static boolean isBetween(char first, char character, char last) {
        return first <= character && character <= last;
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
        try {
            return ask(Purpose.READ, this::read);
        } catch (WorkerIdUnavailableException noTable) {
            if (!saysThatThereIsNoTable(noTable) || !createsTable()) {
                throw noTable;
            }
            createTable();
            return ask(Purpose.READ, this::read);
        }
    }

    private boolean createsTable() {
        Product known = product;
        return creation == Creation.ALWAYS || (creation == Creation.IN_MEMORY && known != null && known.inMemory());
    }

    private static boolean saysThatThereIsNoTable(WorkerIdUnavailableException refused) {
        return refused.getCause() instanceof JdbcRegistryException failure && failure.problem() == Problem.NO_TABLE;
    }

    /**
     * The same registry, but where the table is missing when it is read, it {@linkplain #createTable() creates} it.
     *
     * @return another registry, on the same connections
     */
    public JdbcWorkerRegistry creatingItsTable() {
        return new JdbcWorkerRegistry(connections, table, namespace, Creation.ALWAYS, limits);
    }

    /**
     * The same registry, but where the table is missing when it is read, and the database lives in the memory of this
     * process, it {@linkplain #createTable() creates} it.
     *
     * @return another registry, on the same connections
     */
    public JdbcWorkerRegistry creatingItsTableInMemory() {
        return new JdbcWorkerRegistry(connections, table, namespace, Creation.IN_MEMORY, limits);
    }

    /**
     * Creates the table, unless there is one. Several processes may do so at once.
     *
     * @throws WorkerIdUnavailableException if the database refuses
     * @throws JdbcRegistryException if it cannot be reached
     */
    public void createTable() {
        if (hasTable()) {
            return;
        }
        try {
            ask(Purpose.CREATE, session -> {
                session.execute(createStatement(session.dialect()));
                return true;
            });
        } catch (WorkerIdUnavailableException | JdbcRegistryException refused) {
            // Somebody else may have created it at the same time, which some databases refuse in their own ways.
            if (!hasTable()) {
                throw refused;
            }
        }
    }

    private boolean hasTable() {
        try {
            return ask(Purpose.READ, session -> {
                try (PreparedStatement statement = session.prepare("SELECT worker_id FROM " + table + " WHERE 1 = 0")) {
                    statement.executeQuery().close();
                    return true;
                }
            });
        } catch (WorkerIdUnavailableException noTable) {
            if (saysThatThereIsNoTable(noTable)) {
                return false;
            }
            throw noTable;
        }
    }

    /**
     * The statement that creates the table under its name in this database, without a semicolon.
     *
     * @return SQL, for people or for a migration
     * @throws WorkerIdUnavailableException if the database is none that leases can be kept in
     * @throws JdbcRegistryException if it cannot be reached
     */
    public String createStatement() {
        return createStatement(ask(Purpose.READ, Session::dialect));
    }

    private String createStatement(Dialect dialect) {
        String script = "schema-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try (InputStream sql = Objects.requireNonNull(JdbcWorkerRegistry.class.getResourceAsStream(script), script)) {
            return new String(sql.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .replace(";", "")
                    .replace(DEFAULT_TABLE, table);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Snapshot read(Session session) throws SQLException {
        Dialect dialect = session.dialect();
        createInMemory(session);
        String sql = "SELECT clock.now_ms, w.datacenter_id, w.worker_id, w.owner, w.owner_info, w.reserved_until,"
                + " w.expires_at, w.layout FROM (SELECT " + dialect.now + " AS now_ms" + dialect.fromNothing
                + ") clock LEFT JOIN " + table + " w ON w.namespace = ?";
        try (PreparedStatement statement = session.prepare(sql, namespace);
                ResultSet row = statement.executeQuery()) {
            List<Entry> entries = new ArrayList<>();
            Instant now = Instant.EPOCH;
            while (row.next()) {
                now = Instant.ofEpochMilli(row.getLong(1));
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
            }
            return new Snapshot(now, entries);
        }
    }

    /**
     * Most databases in memory are new: the table is created before it is missed, since finding that out takes longer at the
     * start than creating it. Whoever may not create it reads one that is there.
     */
    @SuppressWarnings("EmptyCatch")
    private void createInMemory(Session session) {
        Product known = product;
        if (creation != Creation.NEVER
                && known != null
                && known.inMemory()
                && known.dialect().createsUnlessThere()
                && !triedInMemory) {
            triedInMemory = true;
            try {
                session.execute(createStatement(session.dialect()));
            } catch (SQLException refused) {
                // Reading it tells what is wrong.
            }
        }
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return ask(
                Purpose.WRITE,
                session -> seen == null ? insert(session, claim, ttl) : overwrite(session, seen, claim, ttl),
                false);
    }

    private boolean insert(Session session, Claim claim, Duration ttl) throws SQLException {
        return session.update(
                        "INSERT INTO " + table + " (namespace, datacenter_id, worker_id, owner, owner_info,"
                                + " reserved_until, expires_at, layout) VALUES (?, ?, ?, ?, ?, ?, "
                                + session.dialect().now + " + ?, ?)",
                        namespace,
                        claim.datacenterId(),
                        claim.workerId(),
                        claim.owner(),
                        claim.ownerInfo(),
                        claim.reservedUntil().toEpochMilli(),
                        ttl.toMillis(),
                        claim.layout())
                == 1;
    }

    private boolean overwrite(Session session, Entry seen, Claim claim, Duration ttl) throws SQLException {
        return session.update(
                        "UPDATE " + table + " SET owner = ?, owner_info = ?, reserved_until = ?, expires_at = "
                                + session.dialect().now + " + ?, layout = ?"
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
        boolean released = update(held, "owner = NULL, ", reservedUntil, Duration.ZERO);
        connections.rest();
        return released;
    }

    private boolean update(Claim held, String change, Instant reservedUntil, Duration ttl) {
        return ask(
                Purpose.WRITE,
                session -> session.update(
                                "UPDATE " + table + " SET " + change + "reserved_until = ?, expires_at = "
                                        + session.dialect().now
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
     * Closes the connection of its own, if it has one. A registry on a {@link DataSource} goes on: whoever has opened that
     * closes it.
     */
    @Override
    public void close() {
        connections.close();
    }

    private <T> T ask(Purpose purpose, Question<T> question) {
        return ask(purpose, question, null);
    }

    /**
     * Straight from the data source: the connection of a transaction that the caller may be in is another one.
     *
     * @param ifDuplicate the answer where there is a row with that key already
     */
    private <T> T ask(Purpose purpose, Question<T> question, @Nullable T ifDuplicate) {
        Connection connection = take();
        boolean sound = false;
        try {
            Product known = productOf(connection);
            int usualTimeout = limitAnswer(connection, known.dialect());
            if (usualTimeout == UNKNOWN && connection.isClosed()) {
                // A pool has taken a driver that cannot limit answers for a broken connection.
                return ask(purpose, question, ifDuplicate);
            }
            Session session = new Session(connection, known.dialect(), limits.statementSeconds());
            try {
                T answer = session.ask(purpose == Purpose.WRITE, question);
                sound = true;
                return answer;
            } catch (SQLException failed) {
                if (ifDuplicate != null && Trouble.isDuplicate(failed)) {
                    sound = true;
                    return ifDuplicate;
                }
                throw failed(purpose, failed, session);
            } finally {
                unlimitAnswer(connection, usualTimeout);
            }
        } catch (SQLException failed) {
            throw notConnected(failed);
        } finally {
            connections.giveBack(connection, sound);
        }
    }

    private Connection take() {
        try {
            return connections.take();
        } catch (SQLException | RuntimeException failed) {
            throw notConnected(failed);
        }
    }

    /** Before anything else is asked of the connection. */
    private Product productOf(Connection connection) throws SQLException {
        Product known = product;
        if (known == null) {
            if (Session.isSharded(connection)) {
                throw refused(
                        Problem.ROUTED,
                        "Connections are those of ShardingSphere, which chooses among databases: leases need one that all processes share",
                        null,
                        null);
            }
            DatabaseMetaData metaData = connection.getMetaData();
            String name = metaData.getDatabaseProductName();
            @Nullable Dialect dialect = Dialect.of(name);
            if (dialect == null) {
                throw refused(
                        Problem.UNSUPPORTED_DATABASE,
                        "Leases cannot be kept in the database '%s', only in one of %s".formatted(name, Dialect.NAMES),
                        null,
                        null);
            }
            known = new Product(dialect, dialect.isInMemory(Objects.requireNonNullElse(metaData.getURL(), "")));
            product = known;
        }
        return known;
    }

    /** @return the time-out before, or that it is not known */
    private int limitAnswer(Connection connection, Dialect dialect) throws SQLException {
        if (!limitsNetwork || !dialect.limitsNetwork()) {
            return UNKNOWN;
        }
        try {
            int usual = connection.getNetworkTimeout();
            connection.setNetworkTimeout(AT_ONCE, limits.answerMillis());
            return usual;
        } catch (SQLFeatureNotSupportedException | AbstractMethodError | UnsupportedOperationException unlimited) {
            limitsNetwork = false;
            return UNKNOWN;
        }
    }

    @SuppressWarnings("EmptyCatch")
    private static void unlimitAnswer(Connection connection, int usual) {
        try {
            if (usual != UNKNOWN && !connection.isClosed()) {
                connection.setNetworkTimeout(AT_ONCE, usual);
            }
        } catch (SQLException | RuntimeException broken) {
            // Whoever uses it next will notice; what was done here is done.
        }
    }

    private RuntimeException notConnected(Throwable failed) {
        Problem problem = Trouble.ofConnecting(failed);
        if (connections instanceof OwnConnection own) {
            String address = own.settings().address();
            String why = Trouble.text(failed, own.settings());
            return refused(
                    problem,
                    switch (problem) {
                        case LOGIN_REFUSED ->
                            "The database at %s refuses the login of leases (snowflake.worker.jdbc.username and .password): %s"
                                    .formatted(address, why);
                        case NO_DATABASE ->
                            "There is no database at %s (snowflake.worker.jdbc.url): %s".formatted(address, why);
                        case NO_DRIVER -> notTaken(own.settings(), why);
                        default ->
                            "The database at %s (snowflake.worker.jdbc.url) cannot be reached: %s"
                                    .formatted(address, why);
                    },
                    failed,
                    null);
        }
        if (connections instanceof PooledConnections pool
                && pool.areRouted()
                && problem == Problem.NO_ANSWER
                && failed instanceof IllegalStateException) {
            return refused(
                    Problem.ROUTED,
                    "The DataSource chooses among databases, and has none for leases: " + Trouble.text(failed, null),
                    failed,
                    null);
        }
        String why = Trouble.text(failed, null);
        return refused(
                problem,
                switch (problem) {
                    case LOGIN_REFUSED -> "The database refuses the login: " + why;
                    case NO_DATABASE -> "There is no such database: " + why;
                    case POOL_BUSY ->
                        "Each connection of the DataSource is in use (%s); snowflake.worker.jdbc.url gives leases one of their own"
                                .formatted(why);
                    default -> why;
                },
                failed,
                null);
    }

    private static String notTaken(ConnectionSettings settings, String why) {
        return settings.driverClassName() == null
                ? "The url %s (snowflake.worker.jdbc.url) cannot be used: %s".formatted(settings.address(), why)
                : "The driver %s (snowflake.worker.jdbc.driver-class-name) cannot be used for the url %s: %s"
                        .formatted(settings.driverClassName(), settings.address(), why);
    }

    private RuntimeException failed(Purpose purpose, SQLException failed, Session session) {
        Problem problem = Trouble.ofStatement(failed);
        String why = Trouble.text(failed, settings());
        boolean creates = purpose == Purpose.CREATE && problem != Problem.NO_ANSWER && problem != Problem.READ_ONLY;
        if (problem == Problem.NOT_PERMITTED || creates || problem == Problem.NO_TABLE) {
            return unusableTable(creates ? Problem.NOT_CREATED : problem, purpose, failed, session);
        }
        return refused(
                problem,
                switch (problem) {
                    case READ_ONLY ->
                        "Table '%s' of worker ids cannot be %s, since the database or the connection is read-only: %s"
                                .formatted(table, purpose.done, why);
                    case WRONG_TABLE -> "Table '%s' of worker ids cannot be %s: %s".formatted(table, purpose.done, why);
                    default -> "Table '%s' of worker ids was not %s: %s".formatted(table, purpose.done, why);
                },
                failed,
                null);
    }

    /** A failure that statements mend: whoever may, grants what is missing, or creates the table. */
    private RuntimeException unusableTable(Problem problem, Purpose purpose, SQLException failed, Session session) {
        String why = Trouble.text(failed, settings());
        @Nullable String user = session.user();
        String grants = user == null ? "" : session.dialect().grants(table, user);
        String message;
        String statements;
        if (problem == Problem.NOT_PERMITTED) {
            message = "Table '%s' of worker ids cannot be %s: user '%s' needs SELECT, INSERT and UPDATE on it (%s)"
                    .formatted(table, purpose.done, user, why);
            statements = grants;
        } else {
            message = "Table '%s' of worker ids cannot be %s: %s".formatted(table, purpose.done, why);
            statements = createStatement(session.dialect()) + ";"
                    + (problem == Problem.NOT_CREATED && !grants.isEmpty() ? "\n\n" + grants : "");
        }
        return refused(problem, message, failed, statements.isEmpty() ? null : statements);
    }

    private @Nullable ConnectionSettings settings() {
        return connections instanceof OwnConnection own ? own.settings() : null;
    }

    private RuntimeException refused(
            Problem problem, String message, @Nullable Throwable cause, @Nullable String statements) {
        JdbcRegistryException failure = new JdbcRegistryException(
                problem,
                message,
                cause == null ? null : Trouble.presentable(cause, settings()),
                statements,
                settings() != null);
        return problem == Problem.NO_ANSWER || problem == Problem.POOL_BUSY
                ? failure
                : new WorkerIdUnavailableException(Reason.REGISTRY_UNUSABLE, message, failure);
    }
}
