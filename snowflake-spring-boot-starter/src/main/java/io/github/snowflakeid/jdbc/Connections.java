package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Where a registry has its connections from. For any number of threads. */
interface Connections {

    /**
     * A connection for this thread alone, until it gives it back.
     *
     * @throws RuntimeException if the data source is none that follows its interface
     */
    Connection take() throws SQLException;

    /**
     * Ends what {@link #take} began. Never throws: what was done on the connection is done.
     *
     * @param sound whether somebody may use it again
     */
    void giveBack(Connection connection, boolean sound);

    /** Nothing is asked for a while, perhaps for ever. */
    void rest();

    /** Nothing is asked any more. */
    void close();
}
