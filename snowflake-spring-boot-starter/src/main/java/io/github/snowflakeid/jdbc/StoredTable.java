package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.jdbc.Database.Work;
import io.github.snowflakeid.jdbc.JdbcExceptionTranslator.Call;
import io.github.snowflakeid.jdbc.TableLocator.Located;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads, writes and creates a table of leases or counters, each time in a new transaction. Safe for use by any number
 * of threads.
 */
final class StoredTable {

    private final Database database;
    private final TableName name;
    private final InitializeSchema initializeSchema;
    private final JdbcExceptionTranslator translator;

    /**
     * The table that the name means; null until it was looked for. If it does not exist yet, it is looked for again.
     */
    private volatile @Nullable Located located;

    /** Whether the table was checked to have its primary key and to be writable. */
    private volatile boolean checked;

    /**
     * @param name the name of the table, optionally with a schema and a dot before it
     * @param initializeSchema when to create the table if it does not exist
     * @throws IllegalArgumentException if the name is invalid
     */
    StoredTable(Database database, String name, InitializeSchema initializeSchema) {
        this.database = database;
        this.name = new TableName(name);
        this.initializeSchema = initializeSchema;
        translator = new JdbcExceptionTranslator(database, this.name, this::sql);
    }

    /** Returns the same table with another policy for its creation. */
    StoredTable with(InitializeSchema when) {
        return new StoredTable(database, name.text(), when);
    }

    /** Returns the name as it is configured, for people. */
    String name() {
        return name.text();
    }

    /** Returns the name for statements. Once the table was located, it means the same table on every connection. */
    String sql() {
        Located known = located;
        return known == null ? name.sql(database.dialect()) : known.sql();
    }

    Database database() {
        return database;
    }

    /**
     * Reads the table. The first call also creates the table if it is missing and may be created. If it does not create
     * the table, it checks the primary key and the privileges.
     *
     * @param insertTwice inserts two rows with the same key, and returns how many the table accepted
     */
    <T> T read(Work<T> work, Work<Integer> insertTwice) {
        if (!checked && translating(Call.READ, this::mayCreate)) {
            create(Objects.requireNonNull(located));
        }
        T answer = translating(Call.READ, () -> located().query(work));
        if (!checked) {
            String update = "UPDATE %s SET %s = %2$s WHERE 1 = 0".formatted(sql(), database.kind.column());
            int inserted = translating(
                    Call.WRITTEN,
                    () -> located().rollBack((jdbc, dialect) -> {
                        int rows = insertTwice.run(jdbc, dialect);
                        jdbc.update(update);
                        return rows;
                    }));
            if (inserted > 1) {
                throw translator.ofMissingKey();
            }
            checked = true;
        }
        return answer;
    }

    /**
     * Looks for the table in any case: if the database is unavailable, this fails once, before the creation of the
     * table waits twice.
     */
    private boolean mayCreate() {
        boolean isFound = located().dialect().findsTables() && isLocated();
        return !isFound
                && (initializeSchema == InitializeSchema.ALWAYS
                        || (initializeSchema == InitializeSchema.EMBEDDED && Dialect.isInMemory(database.url())));
    }

    <T> T write(Work<T> work) {
        return translating(Call.WRITTEN, () -> located().commit(work));
    }

    /** Creates the table if it does not exist. Several processes may call this at the same time. */
    private void create(Located missing) {
        Work<Located> creation = (jdbc, dialect) -> {
            jdbc.execute(database.kind.createStatement(dialect, missing.sql()));
            return new Located(missing.sql(), true);
        };
        try {
            located = translating(Call.CREATED, () -> database.commit(creation));
            checked = !missing.exists();
        } catch (RuntimeException e) {
            // Some databases fail if the table exists or another process is creating it.
            if (translator.problemOfTable() != Problem.WRONG_TABLE) {
                throw e;
            }
        }
    }

    /** Returns the database, after the table was located in it. */
    private Database located() {
        if (!isLocated()) {
            located = new TableLocator(name, database).locate();
        }
        return database;
    }

    private boolean isLocated() {
        Located known = located;
        return known != null && known.exists();
    }

    private <T> T translating(Call call, Supplier<T> access) {
        try {
            return access.get();
        } catch (RuntimeException e) {
            throw translator.translate(call, e);
        }
    }
}
