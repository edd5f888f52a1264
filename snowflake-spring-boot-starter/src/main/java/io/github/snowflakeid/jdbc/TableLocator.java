package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import java.sql.Connection;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;

/**
 * Finds the table that a name means, so that statements can name it with its schema. The application may leave a pooled
 * connection in another schema or role, and a pooler may do so with a connection to the server; a name without a schema
 * would then mean another table, and two processes would lease in two tables.
 *
 * <p>A new connection decides which table is meant: the URL, the pool's schema, its initial SQL, the role, synonyms and
 * views apply. If the connection at hand finds another table than a new connection, the table is ambiguous. PostgreSQL
 * can be asked for both. On MySQL, the URL and the pool's catalog name the database. The other databases cannot tell.
 */
record TableLocator(TableName name, Database database) {

    private static final String POSTGRESQL_TABLE = """
            SELECT QUOTE_IDENT(n.nspname) || '.' || QUOTE_IDENT(c.relname), QUOTE_IDENT(CURRENT_SCHEMA()), \
            SESSION_USER = ? AND CURRENT_USER = SESSION_USER AND CURRENT_SETTING('search_path') = \
            (SELECT reset_val FROM pg_settings WHERE name = 'search_path') \
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
        Dialect dialect = database.dialect();
        return switch (dialect) {
            case POSTGRESQL -> onPostgresql();
            case MYSQL -> database.query(this::onMysql);
            case H2, HSQLDB -> database.query(this::ofColumns);
            case ORACLE, SQLSERVER -> new Located(name.sql(dialect), true);
        };
    }

    private Located onPostgresql() {
        Session atHand = database.query(this::session);
        if (!name.isQualified() && !atHand.isNew()) {
            // Rolling back also restores the settings of the session.
            Located fresh = database.rollBack((jdbc, dialect) -> ofNewConnection(jdbc, dialect, atHand.table()));
            if (!fresh.equals(atHand.table())) {
                throw ambiguous(atHand.table().sql(), fresh.sql());
            }
        }
        return atHand.table();
    }

    /** Returns the table that a new connection of the pool finds; {@code otherwise} if it cannot be told. */
    private Located ofNewConnection(JdbcTemplate jdbc, Dialect dialect, Located otherwise) {
        PoolSettings pool = new PoolSettings(database.shared.application());
        String schema = pool.schema();
        try {
            jdbc.execute(POSTGRESQL_DEFAULTS);
            if (schema != null) {
                jdbc.execute("SET search_path TO " + dialect.quote(schema));
            }
            pool.initSql().forEach(jdbc::execute);
            return session(jdbc, dialect).table();
        } catch (DataAccessException e) {
            // The initial SQL of the pool cannot be executed twice.
            return otherwise;
        }
    }

    /**
     * What a session of PostgreSQL finds.
     *
     * @param isNew whether user, role and search path have the values that a new session has
     */
    private record Session(Located table, boolean isNew) {}

    private Session session(JdbcTemplate jdbc, Dialect dialect) {
        String user = jdbc.execute((ConnectionCallback<String>)
                connection -> connection.getMetaData().getUserName());
        RowMapper<Session> session = (row, number) -> {
            String found = row.getString(1);
            if (found != null && found.startsWith("pg_temp_")) {
                throw temporary();
            }
            Located table = found == null ? missing(row.getString(2), dialect) : new Located(found, true);
            return new Session(table, row.getBoolean(3));
        };
        return Objects.requireNonNull(jdbc.queryForObject(POSTGRESQL_TABLE, session, user, name.sql(dialect)));
    }

    private Located onMysql(JdbcTemplate jdbc, Dialect dialect) {
        String current = jdbc.queryForObject("SELECT DATABASE()", String.class);
        if (name.isQualified() || current == null) {
            return new Located(name.sql(dialect), name.isQualified());
        }
        String sql = dialect.quote(current) + "." + name.sql(dialect);
        PoolSettings pool = new PoolSettings(database.shared.application());
        Matcher path = DATABASE_OF_URL.matcher(database.url());
        String fresh = pool.catalog() == null && path.find() ? path.group(1) : pool.catalog();
        if (database.shared.isPooled()
                && pool.initSql().isEmpty()
                && fresh != null
                && !fresh.equalsIgnoreCase(current)) {
            throw ambiguous(sql, dialect.quote(fresh) + "." + name.sql(dialect));
        }
        return new Located(sql, true);
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
            String schema = jdbc.execute((ConnectionCallback<@Nullable String>) Connection::getSchema);
            return missing(schema == null ? null : dialect.quote(schema), dialect);
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
