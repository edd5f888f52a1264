package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.store.StoreException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database that leases or counters are kept in refused, or did not answer; the message says why, in one line. Where it will be
 * no different a little later, it is the cause of a {@link io.github.snowflakeid.WorkerIdUnavailableException}, or of a
 * {@link io.github.snowflakeid.segment.NumbersUnavailableException}.
 */
public final class JdbcRegistryException extends StoreException {

    private static final long serialVersionUID = 1L;

    /** What is in the way. */
    private final Problem problem;

    /** What mends it. */
    private final @Nullable String statements;

    /** What is in the way of leases or counters in a database. */
    public enum Problem {
        /** The table is not there. */
        NO_TABLE,
        /** The table is there, but has other columns, or a column is too short. */
        WRONG_TABLE,
        /** The table has no key, so that it accepts the same worker ID, or the same counter, twice. */
        NO_KEY,
        /** The table is not there, and cannot be created. */
        NOT_CREATED,
        /** The user may not read or write the table. */
        NOT_PERMITTED,
        /** User name or password are wrong. */
        LOGIN_REFUSED,
        /** The server has no such database. */
        NO_DATABASE,
        /** No driver takes the url, or it cannot be loaded. */
        NO_DRIVER,
        /** The server, or the connection, is read-only. */
        READ_ONLY,
        /** The database is none that a table can be kept in. */
        UNSUPPORTED_DATABASE,
        /** The data source finds out by the thread which database to use, and ours has none. */
        ROUTED,
        /** The statement was cancelled after its timeout, since the table or a row is locked, or the server is too slow. */
        LOCKED,
        /** Each connection of the pool is in use. */
        POOL_BUSY,
        /** The server is away, or too slow, or something else was wrong. */
        NO_ANSWER
    }

    JdbcRegistryException(
            Problem problem,
            String message,
            @Nullable Throwable cause,
            @Nullable String statements,
            boolean dedicated,
            StoredKind kind) {
        super(message, DatabaseAdvice.of(problem, Objects.requireNonNullElse(statements, ""), dedicated, kind), cause);
        this.problem = Objects.requireNonNull(problem);
        this.statements = statements;
    }

    /**
     * What is in the way.
     *
     * @return what the message says in words
     */
    public Problem problem() {
        return problem;
    }

    /**
     * SQL that mends it, for somebody who may execute it.
     *
     * @return statements, each ended by a semicolon; empty if it is nothing that statements mend, or if they are not known
     */
    public Optional<String> statements() {
        return Optional.ofNullable(statements);
    }
}
