package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.jdbc.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application on a database that is migrated by the scripts of docs/migration.md, in a separate schema. */
final class Migration implements AutoCloseable {

    private static final Path SCRIPTS = Page.DOCS.resolve("sql/migration");
    private static final Set<String> RUN = new HashSet<>();

    private final Databases database;
    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final List<RunningVersion> versions = new ArrayList<>();
    private final Map<String, Object> saved = new ConcurrentHashMap<>();

    Migration(Databases database) {
        boolean postgresql = database == Databases.POSTGRESQL;
        this.database = database;
        HikariConfig settings = database.pool();
        settings.setMaximumPoolSize(6);
        try (HikariDataSource server = new HikariDataSource(settings)) {
            JdbcTemplate schemas = new JdbcTemplate(server);
            schemas.execute("DROP SCHEMA IF EXISTS migration" + (postgresql ? " CASCADE" : ""));
            schemas.execute("CREATE SCHEMA migration");
        }
        if (postgresql) {
            settings.setSchema("migration");
            settings.addDataSourceProperty("autosave", "conservative");
        } else {
            settings.setCatalog("migration");
        }
        pool = new HikariDataSource(settings);
        jdbc = new JdbcTemplate(pool);
    }

    static void assertThatEveryScriptWasRun() throws IOException {
        try (Stream<Path> scripts = Files.list(SCRIPTS)) {
            assertThat(scripts.map(script -> script.getFileName().toString())).containsExactlyInAnyOrderElementsOf(RUN);
        }
    }

    HikariDataSource pool() {
        return pool;
    }

    JdbcTemplate jdbc() {
        return jdbc;
    }

    /**
     * Returns the ID of each saved purchase and line by name. Lines of purchase {@code x} are {@code x line 1} and so
     * on.
     */
    Map<String, Object> saved() {
        return saved;
    }

    /** The first version, which fills the tables. */
    void start(Version version) throws InterruptedException {
        run(version).awaitSaves(600);
    }

    /** Starts a version in parallel to the running version, and stops the latter when both have saved. */
    void deploy(Version version) throws InterruptedException {
        RunningVersion before = latest();
        RunningVersion after = run(version);
        before.awaitSaves(20);
        after.awaitSaves(20);
        before.stop();
        after.awaitSaves(20);
    }

    private RunningVersion run(Version version) {
        RunningVersion running = new RunningVersion(version, pool, saved);
        versions.add(running);
        return running;
    }

    private RunningVersion latest() {
        return versions.get(versions.size() - 1);
    }

    boolean isOnMysql() {
        return database == Databases.MARIADB && Databases.usesMysql();
    }

    /** Runs the script of a step for this database. */
    void step(String step) throws Exception {
        step(step, UnaryOperator.identity());
    }

    /** Runs the script of a step with other statements. */
    void step(String step, UnaryOperator<String> change) throws Exception {
        run(statements(script(step)).stream().map(change).toList());
    }

    /** Returns the answer to the query of a script. */
    boolean ask(String step) {
        return Boolean.TRUE.equals(jdbc.queryForObject(statements(script(step)).get(0), Boolean.class));
    }

    /**
     * Scripts that suit MariaDB and MySQL are called {@code mysql}; those without a database suit all, or are named by
     * the step.
     */
    private Path script(String step) {
        Stream<String> endings;
        if (database == Databases.POSTGRESQL) {
            endings = Stream.of("-postgresql", "");
        } else if (isOnMysql()) {
            endings = Stream.of("-mysql", "");
        } else {
            endings = Stream.of("-mariadb", "-mysql", "");
        }
        return endings.map(ending -> SCRIPTS.resolve(step + ending + ".sql"))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> statements(Path script) {
        RUN.add(script.getFileName().toString());
        return SqlScript.read(script);
    }

    /**
     * Runs a script as in a shell: on one connection, one statement after the other. The application saves in
     * between.
     */
    private void run(List<String> script) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            boolean inTransaction = false;
            for (String sql : script) {
                while (isToBeRepeated(statement, sql)) {
                    assertThat(sql).startsWith("UPDATE");
                }
                inTransaction = sql.equals("BEGIN") || (inTransaction && !sql.equals("COMMIT"));
                if (!versions.isEmpty() && !inTransaction) {
                    latest().awaitSaves(3);
                }
            }
        }
    }

    /** Batches are repeated until there is nothing left to do, and so are statements that ended in a deadlock. */
    private static boolean isToBeRepeated(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
            return sql.startsWith("UPDATE") && statement.getUpdateCount() > 0;
        } catch (SQLTransactionRollbackException e) {
            return true;
        }
    }

    /** Stops the application. Asserts that each row that it saved exists with its ID, and no other row. */
    void assertThatNothingIsLost(String purchaseKey, String lineKey, String reference) {
        versions.forEach(RunningVersion::stop);
        Map<String, Object> found = new HashMap<>();
        jdbc.query(
                "SELECT p.customer, p.%s, l.product, l.%s FROM purchase_line l JOIN purchase p ON p.%s = l.%s"
                        .formatted(purchaseKey, lineKey, purchaseKey, reference),
                row -> {
                    assertThat(row.getString(3)).startsWith(row.getString(1) + " line ");
                    found.put(row.getString(1), row.getObject(2));
                    found.put(row.getString(3), row.getObject(4));
                });
        assertThat(found.keySet()).isEqualTo(saved.keySet());
        found.forEach((name, key) -> {
            // A version has saved one of the two keys.
            if (key.getClass() == saved.get(name).getClass()) {
                assertThat(key).as(name).isEqualTo(saved.get(name));
            }
        });
        assertThat(count(purchaseKey, "purchase")).isEqualTo(saved.size() / 3);
        assertThat(count(lineKey, "purchase_line")).isEqualTo(saved.size() / 3 * 2);
    }

    private int count(String key, String table) {
        String sql =
                "SELECT COUNT(DISTINCT %s) FROM %s HAVING COUNT(DISTINCT %s) = COUNT(*)".formatted(key, table, key);
        return jdbc.queryForObject(sql, Integer.class);
    }

    @Override
    public void close() {
        try (pool) {
            versions.forEach(RunningVersion::stop);
        }
    }
}
