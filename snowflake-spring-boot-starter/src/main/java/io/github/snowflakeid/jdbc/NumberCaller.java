package io.github.snowflakeid.jdbc;

import javax.sql.DataSource;

/**
 * The transaction of a caller who takes a number.
 *
 * @param dataSource the source of its connection
 * @param token distinguishes it from all other transactions; 8 characters
 * @param mark the mark of the number that it took last from the row; empty if it has taken none
 * @hidden
 */
public record NumberCaller(DataSource dataSource, String token, String mark) {

    /**
     * Returns the mark that a number leaves in its row.
     *
     * @param number the number
     * @return a text that no other number and no other transaction leaves
     */
    public String markOf(long number) {
        return token + ":" + number + ";";
    }
}
