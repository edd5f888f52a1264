package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * Finds the table that a name means, so that statements can name it with its schema. The application may leave a pooled
 * connection in another schema or role, and a pooler may do so with a connection to the server; a name without a schema
 * would then mean another table, and two processes would lease in two tables.
 *
 * <p>A new connection decides which table is meant: the URL, the pool's schema, its initial SQL, the role, synonyms and
 * views apply. If the connection at hand finds another table than a new connection, the table is ambiguous. PostgreSQL
 * can be asked for both. On MySQL, the URL and the pool's catalog name the database. The other databases cannot tell.
 */
record TableLocator(StoredKind kind, TableName name, Database database) {

    private static final String POSTGRESQL_TABLE = """
            SELECT n.nspname, c.relname, c.relpersistence, CURRENT_SCHEMA(), \
            SESSION_USER = ? AND CURRENT_USER = SESSION_USER AND CURRENT_SETTING('search_path') = \
            (SELECT reset_val FROM pg_settings WHERE name = 'search_path'), named.folded IS NULL \
            FROM (SELECT TO_REGCLASS(?) AS folded, TO_REGCLASS(?) AS exact) named \
            LEFT JOIN pg_class c ON c.oid = COALESCE(named.folded, named.exact) \
            LEFT JOIN pg_namespace n ON n.oid = c.relnamespace""";

    private static final String POSTGRESQL_DEFAULTS = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET search_path";

    /**
     * A table.
     *
     * @param sql the qualified and quoted name for statements
     * @param exists whether the table exists; if not, it would be created with this name
     * @param written the name as it is configured, for statements that people execute
     */
    record Located(String sql, boolean exists, String written) {}

    Located locate() {
        Dialect dialect = database.dialect();
        return switch (dialect) {
            case POSTGRESQL -> onPostgresql();
            case MYSQL -> database.query(this::onMysql);
            case H2, HSQLDB -> database.query(this::ofColumns);
            case ORACLE, SQLSERVER -> new Located(name.sql(dialect), true, name.sql(dialect));
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
        PoolSettings pool = database.poolSettings();
        try {
            jdbc.execute(POSTGRESQL_DEFAULTS);
            if (pool.schema() != null) {
                jdbc.execute("SET search_path TO " + dialect.quote(pool.schema()));
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
        ResultSetExtractor<Session> session = row -> {
            row.next();
            String schema = row.getString(1);
            if (schema != null && row.getString(3).equals("t")) {
                throw temporary();
            }
            String current = row.getString(4);
            String written = schema != null && row.getBoolean(6) ? name.exact(dialect) : name.sql(dialect);
            String qualified = schema != null
                    ? dialect.quote(schema) + "." + dialect.quote(row.getString(2))
                    : name.isQualified() || current == null
                            ? written
                            : dialect.quote(current) + "." + name.sql(dialect);
            return new Session(new Located(qualified, schema != null, written), row.getBoolean(5));
        };
        return Objects.requireNonNull(
                jdbc.query(POSTGRESQL_TABLE, session, user, name.sql(dialect), name.exact(dialect)));
    }

    private Located onMysql(JdbcTemplate jdbc, Dialect dialect) {
        String exact = name.exact(dialect);
        String written = name.sql(dialect);
        if (name.isQualified()) {
            return new Located(exact, true, written);
        }
        String current = jdbc.queryForObject("SELECT DATABASE()", String.class);
        if (current == null) {
            return new Located(exact, false, written);
        }
        String sql = dialect.quote(current) + "." + exact;
        PoolSettings pool = database.poolSettings();
        String fresh = pool.catalog() != null ? pool.catalog() : database.databaseOfUrl();
        if (database.isPooled() && pool.initSql().isEmpty() && fresh != null && !fresh.equalsIgnoreCase(current)) {
            throw ambiguous(sql, dialect.quote(fresh) + "." + exact);
        }
        return new Located(sql, true, written);
    }

    /** Asks for the schema and table of a column, which also follows synonyms. */
    private Located ofColumns(JdbcTemplate jdbc, Dialect dialect) {
        ResultSetExtractor<String> qualified = rows -> {
            String schema = rows.getMetaData().getSchemaName(1);
            String table = rows.getMetaData().getTableName(1);
            return dialect.quote(schema) + "." + dialect.quote(table);
        };
        for (String candidate : List.of(name.sql(dialect), name.exact(dialect))) {
            try {
                String sql =
                        Objects.requireNonNull(jdbc.query("SELECT * FROM " + candidate + " WHERE 1 = 0", qualified));
                return new Located(sql, true, candidate);
            } catch (BadSqlGrammarException e) {
                // There is no such table.
            }
        }
        String schema = name.isQualified() ? null : jdbc.execute(TableLocator::schemaOf);
        String written = name.sql(dialect);
        return new Located(schema == null ? written : dialect.quote(schema) + "." + written, false, written);
    }

    private static @Nullable String schemaOf(Connection connection) throws SQLException {
        return connection.getSchema();
    }

    private RuntimeException ambiguous(String atHand, String fresh) {
        String property = kind.group() + "table-name: ";
        return kind.unusable()
                .apply(Problem.AMBIGUOUS_TABLE.exception(
                        "Table '%s' of %s is ambiguous: the connection at hand finds %s, a new connection finds %s. Instances that use different tables could issue the same IDs"
                                .formatted(name.text(), kind.rows(), atHand, fresh),
                        """
                        Name the table that running instances use with its schema, the same in all processes. This is mostly the table of a \
                        new connection:

                        %s

                        If the DataSource selects the other schema for every connection, it is the other table:

                        %s""".formatted(property + value(fresh), property + value(atHand))));
    }

    /** Returns a name as the value of a property in YAML, in quotes only if it needs them. */
    private static String value(String sql) {
        String plain = sql.replace("\"", "").replace("`", "");
        return plain.matches("[a-z0-9_$.-]+") ? plain : "'" + sql + "'";
    }

    private RuntimeException temporary() {
        return kind.unusable()
                .apply(Problem.AMBIGUOUS_TABLE.exception(
                        "Table '%s' of %s is a temporary table, which no other process sees"
                                .formatted(name.text(), kind.rows()),
                        """
                        Name the permanent table with its schema, the same in all processes, for example:

                        %stable-name: public.%s""".formatted(kind.group(), kind.table())));
    }
}
