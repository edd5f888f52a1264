package io.github.snowflakeid.jdbc;

import java.time.Duration;

/**
 * The timeouts of calls to a database.
 *
 * @param statementSeconds the time after which a statement is cancelled, in whole seconds as in JDBC
 * @param networkMillis the time after which a connection to a silent server is closed; longer than the statement
 *     timeout, because the cancellation of a statement takes time as well
 */
record Timeouts(int statementSeconds, int networkMillis) {

    /** The statement gets five eighths of the network timeout. */
    private static final int PARTS = 8;

    private static final int STATEMENT_PARTS = 5;

    /** The network timeout whose statement timeout is 1 s, the shortest query timeout of JDBC. */
    private static final int SHORTEST_MILLIS = 1_000 * PARTS / STATEMENT_PARTS;

    /** The timeouts for a lease of 60 s. */
    static final Timeouts DEFAULT = within(Duration.ofSeconds(8));

    /** Returns the timeouts for a call that may take the given time. The network timeout is at least 1.6 s. */
    static Timeouts within(Duration longestAnswer) {
        int millis = Math.max(SHORTEST_MILLIS, Math.toIntExact(longestAnswer.toMillis()));
        return new Timeouts(millis * STATEMENT_PARTS / PARTS / 1_000, millis);
    }
}
