package io.github.snowflakeid.jdbc;

import java.time.Duration;

/**
 * How long a database may take.
 *
 * @param statementSeconds for a statement, before it is cancelled; JDBC knows whole seconds only
 * @param networkMillis before the connection to a silent server is given up; longer than that of a statement, since cancelling a
 *     statement takes time as well
 */
record Timeouts(int statementSeconds, int networkMillis) {

    /** The statement gets five eighths of the network timeout. */
    private static final int PARTS = 8;

    private static final int STATEMENT_PARTS = 5;

    /** The network timeout that leaves a statement 1 s, the shortest query timeout of JDBC. */
    private static final int SHORTEST_MILLIS = 1_000 * PARTS / STATEMENT_PARTS;

    /** The timeouts of a lease of 60 s. */
    static final Timeouts DEFAULT = within(Duration.ofSeconds(8));

    /** Returns timeouts for answers that may take so long; at least 1.6 s. */
    static Timeouts within(Duration longestAnswer) {
        int millis = Math.max(SHORTEST_MILLIS, Math.toIntExact(longestAnswer.toMillis()));
        return new Timeouts(millis * STATEMENT_PARTS / PARTS / 1_000, millis);
    }
}
