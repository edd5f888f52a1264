package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.JdbcRegistryException.Problem;
import io.github.snowflakeid.jdbc.Session.Question;
import io.github.snowflakeid.jdbc.TableTrouble.Purpose;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One of our tables in some database: asks it, each time in a transaction of its own, and creates it. For any number of threads.
 */
final class Table {

    private static final int UNKNOWN = -1;
    private static final int MOST_TRIES = 10;
    private static final Executor AT_ONCE = Runnable::run;

    private final Contents contents;
    private final Connections connections;
    private final String name;
    private final Creation creation;
    private final Limits limits;
    private volatile @Nullable Product product;
    private volatile boolean limitsNetwork = true;

    /** How many threads wait for a connection. */
    private final AtomicInteger connecting = new AtomicInteger();

    /** Whether the table has its key, and may be written. */
    private volatile boolean triedOut;

    /** Whether a table in memory was created, or could not be. */
    private volatile boolean triedInMemory;

    /** Whether to create a table that is missing. */
    enum Creation {
        NEVER,
        IN_MEMORY,
        ALWAYS
    }

    private record Product(Dialect dialect, boolean inMemory, String url) {}

    /**
     * @param name of the table, after a schema and a dot if need be
     * @throws IllegalArgumentException if it is none
     */
    Table(Contents contents, Connections connections, String name, Creation creation, Limits limits) {
        this.contents = contents;
        this.connections = connections;
        this.name = name;
        this.creation = creation;
        this.limits = limits;
        if (!isTable(name)) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits, _ and $, after a schema and a dot if need be, but was '%s'"
                            .formatted(name));
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

    /** The same table, on the same connections. */
    Table creating(Creation missing) {
        return new Table(contents, connections, name, missing, limits);
    }

    String name() {
        return name;
    }

    /** Where the database is, without secrets; null as long as it is not known. */
    @Nullable
    String address() {
        Product known = product;
        return connections instanceof OwnConnection own
                ? own.settings().address()
                : known == null ? null : Secrets.address(known.url());
    }

    /**
     * Asks, and creates the table first if it is missing and may be created. The first time, it also tries the table out.
     *
     * @param isKeyed inserts a row, updates it, and inserts another one that has only the key in common with it; whether one of the
     *     two was rejected
     */
    <T> T read(Question<T> question, Question<Boolean> isKeyed) {
        T answer = readOrCreate(question);
        if (!triedOut) {
            this.<Boolean>ask(Purpose.TRY_OUT, session -> {
                if (!isKeyed.ask(session)) {
                    throw trouble().ofKey(session.dialect());
                }
                return true;
            });
            triedOut = true;
        }
        return answer;
    }

    private <T> T readOrCreate(Question<T> question) {
        try {
            return ask(Purpose.READ, question);
        } catch (RuntimeException noTable) {
            if (!saysThatThereIsNoTable(noTable) || !createsTable()) {
                throw noTable;
            }
            create();
            return ask(Purpose.READ, question);
        }
    }

    <T> T write(Question<T> question) {
        return ask(Purpose.WRITE, question);
    }

    private boolean createsTable() {
        Product known = product;
        return creation == Creation.ALWAYS || (creation == Creation.IN_MEMORY && known != null && known.inMemory());
    }

    private static boolean saysThatThereIsNoTable(RuntimeException refused) {
        return refused.getCause() instanceof JdbcRegistryException failure && failure.problem() == Problem.NO_TABLE;
    }

    /** Creates the table, unless there is one. Several processes may do so at once. */
    void create() {
        if (exists()) {
            return;
        }
        try {
            this.<Boolean>ask(Purpose.CREATE, session -> {
                session.execute(createStatement(session.dialect()));
                return true;
            });
        } catch (RuntimeException refused) {
            // Somebody else may have created it at the same time, which some databases refuse in their own ways.
            if (!exists()) {
                throw refused;
            }
        }
    }

    private boolean exists() {
        try {
            return this.<Boolean>ask(Purpose.READ, session -> {
                String sql = "SELECT " + contents.column + " FROM " + name + " WHERE 1 = 0";
                try (PreparedStatement statement = session.prepare(sql)) {
                    statement.executeQuery().close();
                    return true;
                }
            });
        } catch (RuntimeException noTable) {
            if (saysThatThereIsNoTable(noTable)) {
                return false;
            }
            throw noTable;
        }
    }

    /** The statement that creates the table under its name in this database, without a semicolon. */
    String createStatement() {
        return createStatement(this.<Dialect>ask(Purpose.READ, Session::dialect));
    }

    private String createStatement(Dialect dialect) {
        String script = contents.script(dialect);
        try (InputStream sql = Objects.requireNonNull(Table.class.getResourceAsStream(script), script)) {
            return new String(sql.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .replace(";", "")
                    .replace(contents.usualTable, name);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
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

    /** Made when there is trouble, not at each start. */
    private TableTrouble trouble() {
        return new TableTrouble(contents, name, connections, this::createStatement);
    }

    /** Nothing is asked for a while, perhaps for ever. */
    void rest() {
        connections.rest();
    }

    void close() {
        connections.close();
    }

    /** Straight from the data source: the connection of a transaction that the caller may be in is another one. */
    private <T> T ask(Purpose purpose, Question<T> question) {
        Connection connection = take();
        boolean sound = false;
        try {
            Dialect dialect = productOf(connection).dialect();
            boolean limitedBefore = limitsNetwork;
            int usualTimeout = limitAnswer(connection, dialect);
            if (limitedBefore && !limitsNetwork && connection.isClosed()) {
                // A pool has taken a driver that cannot limit answers for a broken connection. It is not tried again.
                return ask(purpose, question);
            }
            Session session = new Session(connection, dialect, limits.statementSeconds());
            try {
                createInMemory(session);
                T answer = ask(session, purpose, question);
                sound = true;
                return answer;
            } catch (SQLException failed) {
                throw trouble().ofStatement(purpose, failed, session);
            } finally {
                unlimitAnswer(connection, usualTimeout);
            }
        } catch (SQLException failed) {
            throw trouble().ofConnecting(failed);
        } finally {
            connections.giveBack(connection, sound);
        }
    }

    /** Asks again where the database has rolled back so that another transaction could go on. */
    private <T> T ask(Session session, Purpose purpose, Question<T> question) throws SQLException {
        boolean writes = purpose == Purpose.WRITE;
        // What is read is taken for committed: what a connection that broke has left behind may still be rolled back.
        boolean afresh = purpose == Purpose.READ || contents.isWrittenAfresh();
        for (int tries = 1; ; tries++) {
            try {
                if (purpose == Purpose.TRY_OUT) {
                    return session.tryOut(question);
                }
                return afresh ? session.askAfresh(writes, question) : session.ask(writes, question);
            } catch (SQLException failed) {
                if (tries == MOST_TRIES || !Trouble.isRolledBack(failed)) {
                    throw failed;
                }
            }
        }
    }

    private Connection take() {
        connecting.incrementAndGet();
        try {
            return connections.take();
        } catch (SQLException | RuntimeException failed) {
            throw trouble().ofConnecting(failed);
        } finally {
            connecting.decrementAndGet();
        }
    }

    /** What a call that was given up has waited for; the failure itself if it had a connection. */
    RuntimeException ofGivenUp(RuntimeException late) {
        return connecting.get() > 0 ? trouble().ofNoConnection(late) : late;
    }

    /** Before anything else is asked of the connection. */
    private Product productOf(Connection connection) throws SQLException {
        Product known = product;
        if (known == null) {
            if (Session.isSharded(connection)) {
                throw trouble().ofShards();
            }
            DatabaseMetaData metaData = connection.getMetaData();
            String database = metaData.getDatabaseProductName();
            @Nullable Dialect dialect = Dialect.of(database);
            if (dialect == null) {
                throw trouble().ofDatabase(database);
            }
            String url = Objects.requireNonNullElse(metaData.getURL(), "");
            known = new Product(dialect, dialect.isInMemory(url), url);
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
}
