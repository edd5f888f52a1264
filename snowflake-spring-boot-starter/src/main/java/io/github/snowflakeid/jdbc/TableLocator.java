package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * Finds the table that a name means, so that statements can name it with its schema. The application may leave a pooled connection in another
 * schema, and a pooler may do so with a connection to the server; a name without a schema would then mean another table, and two processes
 * would lease in two tables.
 *
 * <p>A new session decides which table is meant: the URL, the pool's schema, its initial SQL, the role, synonyms and views apply. If the
 * connection at hand finds another table than a new session and the settings of the pool do not explain that, the table is ambiguous. PostgreSQL
 * knows the defaults of the session, and on MySQL the URL names the database. The other databases cannot tell.
 */
record TableLocator(StoredKind kind, TableName name, Database database) {

    private static final String POSTGRESQL_TABLE = """
            SELECT n.nspname, c.relname, c.relpersistence, CURRENT_SCHEMA(), CURRENT_SETTING('search_path'), \
            (SELECT reset_val FROM pg_settings WHERE name = 'search_path') \
            FROM (SELECT COALESCE(TO_REGCLASS(?), TO_REGCLASS(?)) AS oid) named \
            LEFT JOIN pg_class c ON c.oid = named.oid LEFT JOIN pg_namespace n ON n.oid = c.relnamespace""";

    /**
     * A table.
     *
     * @param sql the name for statements
     * @param exists whether the table exists; if not, it would be created with this name
     */
    record Located(String sql, boolean exists) {}

    /** Locates the table. Leaves changes for the transaction that must be rolled back. */
    Located locate(JdbcTemplate jdbc, Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> onPostgresql(jdbc);
            case MYSQL -> onMysql(jdbc);
            case H2, HSQLDB -> ofColumns(jdbc, dialect);
            case ORACLE, SQLSERVER -> new Located(name.sql(dialect), true);
        };
    }

    private Located onPostgresql(JdbcTemplate jdbc) {
        Session atHand = session(jdbc);
        String newPath = atHand.defaultPath();
        if (!name.isQualified() && newPath != null && !newPath.equals(atHand.path()) && !database.selectsSchema()) {
            jdbc.queryForList("SELECT SET_CONFIG('search_path', ?, TRUE)", newPath);
            Session fresh = session(jdbc);
            if (!fresh.table().equals(atHand.table())) {
                throw ambiguous(atHand.table().sql(), fresh.table().sql());
            }
        }
        return atHand.table();
    }

    /** What a session of PostgreSQL finds. */
    private record Session(
            Located table, String path, @Nullable String defaultPath) {}

    private Session session(JdbcTemplate jdbc) {
        Dialect dialect = Dialect.POSTGRESQL;
        ResultSetExtractor<Session> session = row -> {
            row.next();
            String schema = row.getString(1);
            if (schema != null && row.getString(3).equals("t")) {
                throw temporary();
            }
            String current = row.getString(4);
            Located table = schema != null
                    ? new Located(dialect.quote(schema) + "." + dialect.quote(row.getString(2)), true)
                    : new Located(
                            name.isQualified() || current == null
                                    ? name.sql(dialect)
                                    : dialect.quote(current) + "." + name.sql(dialect),
                            false);
            return new Session(table, row.getString(5), row.getString(6));
        };
        return Objects.requireNonNull(jdbc.query(POSTGRESQL_TABLE, session, name.sql(dialect), name.exact(dialect)));
    }

    private Located onMysql(JdbcTemplate jdbc) {
        String exact = name.exact(Dialect.MYSQL);
        if (name.isQualified()) {
            return new Located(exact, true);
        }
        String current = jdbc.queryForObject("SELECT DATABASE()", String.class);
        if (current == null) {
            return new Located(exact, false);
        }
        String ofUrl = database.databaseOfUrl();
        String sql = Dialect.MYSQL.quote(current) + "." + exact;
        if (database.isPooled() && ofUrl != null && !ofUrl.equalsIgnoreCase(current) && !database.selectsSchema()) {
            throw ambiguous(sql, Dialect.MYSQL.quote(ofUrl) + "." + exact);
        }
        return new Located(sql, true);
    }

    /** Asks for the schema and table of a column, which also follows synonyms. */
    private Located ofColumns(JdbcTemplate jdbc, Dialect dialect) {
        ResultSetExtractor<Located> located = rows -> {
            String schema = rows.getMetaData().getSchemaName(1);
            String table = rows.getMetaData().getTableName(1);
            return new Located(dialect.quote(schema) + "." + dialect.quote(table), true);
        };
        for (String candidate : List.of(name.sql(dialect), name.exact(dialect))) {
            try {
                return Objects.requireNonNull(jdbc.query("SELECT * FROM " + candidate + " WHERE 1 = 0", located));
            } catch (BadSqlGrammarException e) {
                // There is no such table.
            }
        }
        String schema = name.isQualified() ? null : jdbc.execute(TableLocator::schemaOf);
        return new Located((schema == null ? "" : dialect.quote(schema) + ".") + name.sql(dialect), false);
    }

    private static @Nullable String schemaOf(java.sql.Connection connection) throws SQLException {
        return connection.getSchema();
    }

    private RuntimeException ambiguous(String atHand, String fresh) {
        return kind.unusable()
                .apply(Problem.AMBIGUOUS_TABLE.exception(
                        "Table '%s' of %s is ambiguous: the connection at hand finds %s, a new session finds %s. Instances that use different tables could issue the same IDs"
                                .formatted(name.text(), kind.rows(), atHand, fresh),
                        """
                        Name the table with its schema, the same in all processes:

                        %stable-name: %s""".formatted(kind.group(), fresh.replace("\"", "").replace("`", ""))));
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
