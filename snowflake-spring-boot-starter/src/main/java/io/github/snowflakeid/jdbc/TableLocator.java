package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.jdbc.OpenConnection.Match;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;

/**
 * Finds the table that a name means, once, so that statements can name it with its schema. The application may leave a
 * pooled connection in another schema or role, and a pooler may do so with a connection to the server; a name without a
 * schema would then mean another table, and two processes would lease in two tables.
 *
 * <p>The table is the one that a new connection of the application finds: the URL, the pool's schema, its initial SQL,
 * the role, synonyms and views apply. The connection outside of the pool is new. If it may differ from the
 * application's, one of the application's connections is asked, and if it turns out to be in another schema than a new
 * one, the table is ambiguous.
 */
record TableLocator(TableName name, Database database) {

    private static final String POSTGRESQL_TABLE = """
            SELECT QUOTE_IDENT(n.nspname) || '.' || QUOTE_IDENT(c.relname), QUOTE_IDENT(CURRENT_SCHEMA()) \
            FROM (SELECT TO_REGCLASS(?) AS oid) named \
            LEFT JOIN pg_class c ON c.oid = named.oid \
            LEFT JOIN pg_namespace n ON n.oid = c.relnamespace""";

    private static final String POSTGRESQL_DEFAULTS = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET search_path";

    private static final Pattern DATABASE_OF_URL = Pattern.compile("//[^?]*/([^/?]+)(\\?|$)");

    /**
     * A table.
     *
     * @param sql the qualified name for statements
     * @param exists whether the table exists; if not, it would be created with this name
     */
    record Located(String sql, boolean exists) {}

    Located locate() {
        Located atHand = database.ofApplication(this::find);
        Located fresh = name.isQualified() ? atHand : ofNewConnection(atHand);
        if (!fresh.equals(atHand)) {
            throw ambiguous(atHand.sql(), fresh.sql());
        }
        return atHand;
    }

    /** Returns the table that a new connection of the pool finds; {@code atHand} if it cannot be told. */
    private Located ofNewConnection(Located atHand) {
        Dialect dialect = database.dialect();
        Match match = database.match();
        boolean isWrapped = match == Match.WRAPPED;
        if ((match != Match.POOL && !isWrapped) || (dialect != Dialect.POSTGRESQL && dialect != Dialect.MYSQL)) {
            return atHand;
        }
        if (isWrapped) {
            return database.query(this::find);
        }
        PoolSettings pool = database.pool();
        if (dialect == Dialect.POSTGRESQL) {
            String schema = pool.text("schema");
            String initialSql = pool.commitsInitialSql() ? pool.text("connectionInitSql") : null;
            // Rolling back also restores the settings of the session.
            return database.rollBack((jdbc, same) -> {
                jdbc.execute(POSTGRESQL_DEFAULTS);
                if (schema != null) {
                    jdbc.execute("SET search_path TO " + same.quote(schema));
                }
                if (initialSql != null) {
                    jdbc.execute(initialSql);
                }
                return find(jdbc, same);
            });
        }
        Matcher path = DATABASE_OF_URL.matcher(database.url());
        String ofPool = pool.text("catalog");
        String catalog = ofPool == null && path.find() ? path.group(1) : ofPool;
        return catalog == null ? atHand : new Located(dialect.quote(catalog) + "." + name.sql(dialect), true);
    }

    private Located find(JdbcTemplate jdbc, Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> onPostgresql(jdbc, dialect);
            case MYSQL -> onMysql(jdbc, dialect);
            case H2, HSQLDB -> ofColumns(jdbc, dialect);
            case ORACLE, SQLSERVER -> new Located(name.sql(dialect), true);
        };
    }

    private Located onPostgresql(JdbcTemplate jdbc, Dialect dialect) {
        RowMapper<Located> table = (row, number) -> {
            String found = row.getString(1);
            if (found != null && found.startsWith("pg_temp_")) {
                throw temporary();
            }
            return found == null ? missing(row.getString(2), dialect) : new Located(found, true);
        };
        return Objects.requireNonNull(jdbc.queryForObject(POSTGRESQL_TABLE, table, name.sql(dialect)));
    }

    private Located onMysql(JdbcTemplate jdbc, Dialect dialect) {
        String current = name.isQualified() ? null : jdbc.queryForObject("SELECT DATABASE()", String.class);
        return current == null
                ? new Located(name.sql(dialect), name.isQualified())
                : new Located(dialect.quote(current) + "." + name.sql(dialect), true);
    }

    /** Asks for the schema and table of a column, which also follows synonyms. */
    private Located ofColumns(JdbcTemplate jdbc, Dialect dialect) {
        ResultSetExtractor<String> qualified = rows -> {
            String schema = rows.getMetaData().getSchemaName(1);
            return dialect.quote(schema) + "."
                    + dialect.quote(rows.getMetaData().getTableName(1));
        };
        try {
            String select = "SELECT * FROM " + name.sql(dialect) + " WHERE 1 = 0";
            return new Located(Objects.requireNonNull(jdbc.query(select, qualified)), true);
        } catch (BadSqlGrammarException e) {
            String schema = jdbc.execute((ConnectionCallback<@Nullable String>) TableLocator::schema);
            return missing(schema == null ? null : dialect.quote(schema), dialect);
        }
    }

    private static @Nullable String schema(Connection connection) {
        try {
            return connection.getSchema();
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            // Drivers and wrappers may lack this method.
            return null;
        }
    }

    private Located missing(@Nullable String schema, Dialect dialect) {
        String sql = name.sql(dialect);
        return new Located(name.isQualified() || schema == null ? sql : schema + "." + sql, false);
    }

    private RuntimeException temporary() {
        StoredKind kind = database.kind;
        return kind.unusable(
                Problem.AMBIGUOUS_TABLE,
                "Table '%s' of %s is a temporary table, which no other process sees"
                        .formatted(name.text(), kind.rows()),
                "Name the permanent table with its schema, the same in all processes, for example:\n\n%stable-name: public.%s"
                        .formatted(kind.group(), kind.table()));
    }

    private RuntimeException ambiguous(String atHand, String fresh) {
        StoredKind kind = database.kind;
        String property = kind.group() + "table-name: ";
        return kind.unusable(
                Problem.AMBIGUOUS_TABLE,
                "Table '%s' of %s is ambiguous: the connection at hand finds %s, a new connection finds %s. Instances that use different tables could issue the same IDs"
                        .formatted(name.text(), kind.rows(), atHand, fresh),
                """
                Name the table that running instances use with its schema, the same in all processes. This is mostly the table of a \
                new connection:

                %s

                If the DataSource selects the other schema for every connection, it is the other table:

                %s""".formatted(property + value(fresh), property + value(atHand)));
    }

    /** Returns a name as the value of a property in YAML, in quotes only if it needs them. */
    private static String value(String sql) {
        String plain = sql.replace("\"", "").replace("`", "");
        return plain.matches("[a-z0-9_$.-]+") ? plain : "'" + sql + "'";
    }
}
