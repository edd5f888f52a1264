package io.github.snowflakeid.jdbc;

import java.time.Duration;

/**
 * How long a database may take.
 *
 * @param statementSeconds for a statement, before it is cancelled; for JDBC in whole seconds
 * @param answerMillis before a silent server is given up; longer by what it takes to have a statement cancelled
 */
record Limits(int statementSeconds, int answerMillis) {

    /** Out of eight parts of the answer, five are the statement's. */
    private static final int PARTS = 8;

    private static final int OF_STATEMENT = 5;

    /** JDBC has no shorter statements than of 1 s. */
    private static final int SHORTEST_MILLIS = 1_000 * PARTS / OF_STATEMENT;

    /** Those of a lease of 60 s. */
    static final Limits USUAL = within(Duration.ofSeconds(8));

    /** For answers that may take so long; at least 1.6 s. */
    static Limits within(Duration longestAnswer) {
        int millis = Math.max(SHORTEST_MILLIS, Math.toIntExact(longestAnswer.toMillis()));
        return new Limits(millis * OF_STATEMENT / PARTS / 1_000, millis);
    }
}
