package io.github.snowflakeid.jdbc;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What differs between databases: how to ask for their clock, in milliseconds since 1970, whatever the time zone of a
 * session is. Oracle's and SQL Server's follow their manuals, but were not tried on a server.
 */
enum Dialect {
    POSTGRESQL("CAST(FLOOR(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) * 1000) AS BIGINT)", ""),
    MYSQL("TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000", ""),
    H2("CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)", ""),
    ORACLE("""
            (CAST(SYS_EXTRACT_UTC(SYSTIMESTAMP) AS DATE) - DATE '1970-01-01') * 86400000 \
            + TO_NUMBER(TO_CHAR(SYSTIMESTAMP, 'FF3'))""", " FROM dual"),
    SQLSERVER("DATEDIFF_BIG(millisecond, '1970-01-01', SYSUTCDATETIME())", "");

    /** The database's clock. */
    final String now;

    /** What a query needs that is of no table. */
    final String fromNothing;

    Dialect(String now, String fromNothing) {
        this.now = now;
        this.fromNothing = fromNothing;
    }

    /** By the name that a driver gives its database. */
    static Optional<Dialect> of(String product) {
        String name =
                product.toLowerCase(Locale.ROOT).replace("mariadb", "mysql").replace(" ", "");
        return Stream.of(values())
                .filter(dialect -> name.contains(dialect.name().toLowerCase(Locale.ROOT)))
                .findFirst();
    }
}
