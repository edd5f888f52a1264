package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database that leases or counters are kept in refused, or did not answer; the message says why, in one line. Where it will be
 * no different a little later, it is the cause of a {@link io.github.snowflakeid.WorkerIdUnavailableException}, or of a
 * {@link io.github.snowflakeid.segment.NumbersUnavailableException}.
 */
public final class JdbcRegistryException extends ConfigurationException {

    private static final long serialVersionUID = 1L;

    /** What mends it. */
    private final @Nullable String statements;

    JdbcRegistryException(
            Problem problem,
            String message,
            @Nullable Throwable cause,
            @Nullable String statements,
            boolean dedicated,
            StoredKind kind) {
        super(
                problem.anchor(),
                message,
                DatabaseAdvice.of(problem, Objects.requireNonNullElse(statements, ""), dedicated, kind),
                cause);
        this.statements = statements;
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
