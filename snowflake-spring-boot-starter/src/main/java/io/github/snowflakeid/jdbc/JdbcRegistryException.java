package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database of leases or counters failed or rejected a call; the message says why, in one line. If the failure lasts until somebody
 * repairs its cause, this is the cause of a {@link io.github.snowflakeid.WorkerIdUnavailableException} or of a {@link
 * io.github.snowflakeid.segment.NumbersUnavailableException}.
 */
public final class JdbcRegistryException extends ConfigurationException {

    private static final long serialVersionUID = 1L;

    /** SQL that repairs it. */
    private final @Nullable String statements;

    /** @param dedicated whether the connection is dedicated to the store */
    JdbcRegistryException(
            Problem problem,
            String message,
            @Nullable Throwable cause,
            @Nullable String statements,
            boolean dedicated,
            StoredKind kind) {
        super(problem.anchor(), message, DatabaseAdvice.of(problem, statements, dedicated, kind), cause);
        this.statements = statements;
    }

    /**
     * Returns SQL that repairs the cause, for a user who may execute it.
     *
     * @return statements, each ended by a semicolon; empty if statements cannot repair it
     */
    public Optional<String> statements() {
        return Optional.ofNullable(statements);
    }
}
