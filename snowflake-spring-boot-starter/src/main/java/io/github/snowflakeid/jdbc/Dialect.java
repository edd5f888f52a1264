package io.github.snowflakeid.jdbc;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;

/**
 * What differs between databases: how to ask for their clock, in milliseconds since 1970, whatever the time zone of a
 * session is, and how to limit what they may take. Oracle's and SQL Server's follow their manuals, but were not tried
 * on a server.
 */
enum Dialect {
    POSTGRESQL("postgresql", "CAST(FLOOR(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) * 1000) AS BIGINT)", ""),
    MYSQL("mysql", "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000", ""),
    H2("h2", "DATEDIFF(MILLISECOND, TIMESTAMP '1970-01-01 00:00:00', CURRENT_TIMESTAMP AT TIME ZONE 'UTC')", ""),
    HSQLDB("hsql", "UNIX_MILLIS()", " FROM (VALUES (0))"),
    ORACLE("oracle", """
            (CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) - DATE '1970-01-01') * 86400000 \
            + TO_NUMBER(TO_CHAR(SYSTIMESTAMP, 'FF3'))""", " FROM dual"),
    SQLSERVER("sqlserver", "DATEDIFF_BIG(millisecond, '1970-01-01', SYSUTCDATETIME())", "");

    private static final Dialect[] ALL = values();

    /** For people. */
    static final String NAMES = "PostgreSQL, MySQL, MariaDB, H2, HSQLDB, Oracle, SQL Server";

    private final String product;

    /** The database's clock. */
    final String now;

    /** What a query needs that is of no table. */
    final String fromNothing;

    Dialect(String product, String now, String fromNothing) {
        this.product = product;
        this.now = now;
        this.fromNothing = fromNothing;
    }

    /** By the name that a driver gives its database. */
    static @Nullable Dialect of(String product) {
        String name =
                product.toLowerCase(Locale.ROOT).replace("mariadb", "mysql").replace(" ", "");
        for (Dialect dialect : ALL) {
            if (name.contains(dialect.product)) {
                return dialect;
            }
        }
        return null;
    }

    /** Whether the data at such an address live in the memory of this process. */
    boolean isInMemory(String url) {
        return (this == H2 && url.startsWith("jdbc:h2:mem:")) || (this == HSQLDB && url.startsWith("jdbc:hsqldb:mem:"));
    }

    /** HSQLDB's driver cannot, and a pool takes its answer to the question for a broken connection. */
    boolean limitsNetwork() {
        return this != HSQLDB;
    }

    /** H2 would keep the limit for all statements of the connection; it waits for locks no longer than 2 s by itself. */
    boolean limitsStatements() {
        return this != H2;
    }

    /** Inserts a row; returns false if the table rejects it because it has a row with the same key. */
    boolean insert(JdbcTemplate jdbc, String sql, Object... arguments) {
        try {
            // Otherwise a row that PostgreSQL rejects ends the transaction, and is an error in its log.
            return jdbc.update(this == POSTGRESQL ? sql + " ON CONFLICT DO NOTHING" : sql, arguments) == 1;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    /**
     * The level that shows what is committed, and nothing else. MySQL does not write at READ COMMITTED if its binary log is one of
     * statements.
     */
    int isolationLevel() {
        return this == MYSQL
                ? TransactionDefinition.ISOLATION_REPEATABLE_READ
                : TransactionDefinition.ISOLATION_READ_COMMITTED;
    }

    /** The account that statements run as. */
    String currentUser(JdbcTemplate jdbc) {
        return Objects.requireNonNull(
                this == MYSQL
                        ? jdbc.queryForObject("SELECT CURRENT_USER()", String.class)
                        : jdbc.execute((ConnectionCallback<String>)
                                connection -> connection.getMetaData().getUserName()));
    }

    /** The statements that let a user read and write a table, each ended by a semicolon. */
    String grants(String table, String user) {
        String to = quoted(user);
        int dot = table.lastIndexOf('.');
        String ofSchema = this == POSTGRESQL && dot > 0
                ? "GRANT USAGE ON SCHEMA %s TO %s;\n".formatted(table.substring(0, dot), to)
                : "";
        return "%sGRANT SELECT, INSERT, UPDATE ON %s TO %s;".formatted(ofSchema, table, to);
    }

    /** The statements that give a table its primary key, each ended by a semicolon. */
    String primaryKey(String table, String columns) {
        StringBuilder notNull = new StringBuilder();
        if (this == H2) {
            // Other databases declare the columns of a new primary key NOT NULL by themselves.
            for (String column : columns.split(", ", -1)) {
                notNull.append("ALTER TABLE %s ALTER COLUMN %s SET NOT NULL;\n".formatted(table, column));
            }
        }
        return notNull + "ALTER TABLE %s ADD PRIMARY KEY (%s);".formatted(table, columns);
    }

    private String quoted(String user) {
        if (this == MYSQL) {
            int at = user.lastIndexOf('@');
            return at < 0
                    ? "'%s'".formatted(user)
                    : "'%s'@'%s'".formatted(user.substring(0, at), user.substring(at + 1));
        }
        String asKept = this == POSTGRESQL ? user.toLowerCase(Locale.ROOT) : user.toUpperCase(Locale.ROOT);
        boolean plain = this == SQLSERVER || user.equals(asKept);
        return plain && user.matches("[A-Za-z_][A-Za-z0-9_]*") ? user : "\"%s\"".formatted(user.replace("\"", "\"\""));
    }
}
