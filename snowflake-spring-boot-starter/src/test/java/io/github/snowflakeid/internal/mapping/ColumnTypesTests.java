package io.github.snowflakeid.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Answers.RETURNS_DEEP_STUBS;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.snowflakeid.internal.log.LogLines;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ColumnTypesTests {

    private final DataSource database = mock(DataSource.class, RETURNS_DEEP_STUBS);

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = database.getConnection();
    }

    @Test
    void integerOfSqliteIsWide(CapturedOutput output) throws Exception {
        when(connection.getMetaData().getDatabaseProductName()).thenReturn("SQLite");

        NarrowColumn.warn(List.of(narrow("orders")), database);

        assertThat(LogLines.ofThisThread(output)).isEmpty();
    }

    @Test
    void checksTheOtherColumnsIfATableIsMissing(CapturedOutput output) throws Exception {
        when(connection.getMetaData().getDatabaseProductName()).thenReturn("PostgreSQL");
        when(connection.createStatement().executeQuery(contains("missing"))).thenThrow(new SQLException("missing"));

        NarrowColumn.warn(List.of(new NarrowColumn("'id'", "id", "missing"), narrow("orders")), database);

        // The connection returns to the pool without a transaction.
        verify(connection, times(2)).rollback();
        assertThat(output).contains("change the type of id in table orders to BIGINT");
    }

    private NarrowColumn narrow(String table) throws SQLException {
        when(connection
                        .createStatement()
                        .executeQuery(contains(table))
                        .getMetaData()
                        .getColumnType(1))
                .thenReturn(Types.INTEGER);
        return new NarrowColumn("'id'", "id", table);
    }
}
