package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * The differences between databases, such as the SQL for the database's clock in milliseconds since 1970, independent
 * of the session's time zone. The SQL for Oracle and SQL Server follows their manuals, but was not tested on a server.
 *
 * @hidden
 */
public enum Dialect {
    /** PostgreSQL. */
    POSTGRESQL("postgresql", "CAST(FLOOR(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) * 1000) AS BIGINT)", ""),
    /** MySQL and MariaDB. */
    MYSQL("mysql", "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000", ""),
    /** H2. */
    H2("h2", "DATEDIFF(MILLISECOND, TIMESTAMP '1970-01-01 00:00:00', CURRENT_TIMESTAMP AT TIME ZONE 'UTC')", ""),
    /** HSQLDB. */
    HSQLDB("hsql", "UNIX_MILLIS()", " FROM (VALUES (0))"),
    /** Oracle. */
    ORACLE("oracle", """
            (CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) - DATE '1970-01-01') * 86400000 \
            + TO_NUMBER(TO_CHAR(SYSTIMESTAMP, 'FF3'))""", " FROM dual"),
    /** SQL Server. */
    SQLSERVER("sqlserver", "DATEDIFF_BIG(millisecond, '1970-01-01', SYSUTCDATETIME())", "");

    private static final Pattern IN_PROCESS = Pattern.compile(
            ":(h2|hsqldb|derby|sqlite):(?!tcp:|ssl:|hsqls?:|https?:|//)(?!.*AUTO_SERVER=(TRUE|1))",
            Pattern.CASE_INSENSITIVE);

    private static final String LAST_CONNECTION = """
            SELECT NOT EXISTS (SELECT 1 FROM INFORMATION_SCHEMA.SETTINGS \
            WHERE SETTING_NAME = 'DB_CLOSE_DELAY' AND SETTING_VALUE <> '0') \
            AND (SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS) = 1""";

    /** The supported databases, for messages. */
    static final String NAMES = "PostgreSQL, MySQL, MariaDB, H2, HSQLDB, Oracle, SQL Server";

    private final String product;

    /** The SQL expression for the database's clock. */
    final String now;

    /** The end of a query that selects from no table. */
    final String fromNothing;

    Dialect(String product, String now, String fromNothing) {
        this.product = product;
        this.now = now;
        this.fromNothing = fromNothing;
    }

    /** Returns the dialect for a product name, as the driver reports it; null if the database is not supported. */
    static @Nullable Dialect of(String product) {
        String name =
                product.toLowerCase(Locale.ROOT).replace("mariadb", "mysql").replace(" ", "");
        return Stream.of(values())
                .filter(dialect -> name.contains(dialect.product))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the database at the URL of a connection is in the memory of this process. */
    static boolean isInMemory(String url) {
        return url.startsWith("jdbc:h2:mem:") || url.startsWith("jdbc:hsqldb:mem:");
    }

    /** Returns whether the database at the URL of a connection is in the memory of a server of H2. */
    static boolean isInMemoryOfServer(String url) {
        return url.matches("jdbc:h2:(tcp|ssl):.*[/:]mem:.*");
    }

    /** Returns whether a database of H2 ends with a connection. */
    static boolean endsWith(Connection connection) {
        JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
        return Boolean.TRUE.equals(jdbc.queryForObject(LAST_CONNECTION, Boolean.class));
    }

    /**
     * Returns whether the database at a URL is inside the process that connects: in its memory, or in files that it
     * locks.
     */
    static boolean isInProcess(String url) {
        return IN_PROCESS.matcher(url).find();
    }

    /**
     * Returns whether network timeouts are used. HSQLDB's driver has none, and pools take its exception for a broken
     * connection.
     */
    boolean limitsNetwork() {
        return this != HSQLDB;
    }

    /**
     * Returns whether statement timeouts are used. H2 would keep a timeout for later statements of the connection; its
     * lock timeout is 2 s.
     */
    boolean limitsStatements() {
        return this != H2;
    }

    /** Returns whether {@link TableLocator} finds out whether a table exists. */
    boolean findsTables() {
        return this == POSTGRESQL || this == H2 || this == HSQLDB;
    }

    /**
     * Inserts rows, and returns how many: the table rejects a row if it has one with the same key. On PostgreSQL, an
     * error would abort the transaction, and the server would log it. On MySQL, MariaDB's driver would log a warning.
     *
     * @param identity how many of the first columns identify a row of this process
     * @param rows the values of each row in the order of the columns; column {@code expires_at} adds them to the clock
     */
    int insert(JdbcTemplate jdbc, String table, List<String> columns, int identity, Object[]... rows) {
        String insert = "INSERT INTO %s (%s) VALUES ".formatted(table, String.join(", ", columns));
        String values = columns.stream()
                .map(column -> column.equals("expires_at") ? now + " + ?" : "?")
                .collect(Collectors.joining(", ", "(", ")"));
        if (this == POSTGRESQL) {
            // One statement is one round trip.
            return jdbc.update(
                    insert + String.join(", ", Collections.nCopies(rows.length, values)) + " ON CONFLICT DO NOTHING",
                    Stream.of(rows).flatMap(Stream::of).toArray());
        }
        return (int) Stream.of(rows)
                .filter(row -> this == MYSQL
                        ? isInsertedOnMysql(jdbc, table, columns.subList(0, identity), insert + values, row)
                        : isInserted(jdbc, insert + values, row))
                .count();
    }

    private static boolean isInsertedOnMysql(
            JdbcTemplate jdbc, String table, List<String> identity, String insert, Object[] row) {
        // Unlike IGNORE, this rejects values that are too long. Drivers may count the existing row as updated.
        jdbc.update(insert + " ON DUPLICATE KEY UPDATE %1$s = %1$s".formatted(identity.get(0)), row);
        String select = "SELECT COUNT(*) FROM %s WHERE %s = ?".formatted(table, String.join(" = ? AND ", identity));
        Object[] ours = Arrays.copyOf(row, identity.size());
        return Integer.valueOf(1).equals(jdbc.queryForObject(select, Integer.class, ours));
    }

    private static boolean isInserted(JdbcTemplate jdbc, String insert, Object[] row) {
        try {
            return jdbc.update(insert, row) == 1;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    /**
     * Returns the isolation level that is set by JDBC; the default of the connection if none is set, because a driver
     * changes it for later transactions of the connection as well, and a pooler gives the connection to others.
     */
    TransactionDefinition isolation() {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        if (this != POSTGRESQL && this != MYSQL) {
            definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        }
        return definition;
    }

    /**
     * Returns the statement with which a transaction sets its own isolation level, so that it reads only committed
     * data. If it is null, a query needs no transaction, which would take another round trip. PostgreSQL never reads
     * uncommitted data. MySQL cannot write at READ COMMITTED if its binary log has the statement format.
     */
    @Nullable
    String levelOfTransaction() {
        return this == MYSQL ? "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ" : null;
    }

    /** Returns an identifier in quotes. */
    String quote(String identifier) {
        return switch (this) {
            case MYSQL -> "`" + identifier.replace("`", "``") + "`";
            case SQLSERVER -> "[" + identifier.replace("]", "]]") + "]";
            default -> "\"" + identifier.replace("\"", "\"\"") + "\"";
        };
    }

    /** Returns the statements that let a user read and write a table, each with a semicolon at its end. */
    String grants(String table, String user) {
        String to = this == MYSQL ? "'" + user.replace("@", "'@'") + "'" : quote(user);
        int dot = table.lastIndexOf('.');
        String ofSchema = this == POSTGRESQL && dot > 0
                ? "GRANT USAGE ON SCHEMA %s TO %s;\n".formatted(table.substring(0, dot), to)
                : "";
        return "%sGRANT SELECT, INSERT, UPDATE ON %s TO %s;".formatted(ofSchema, table, to);
    }
}
