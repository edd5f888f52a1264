package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.Database.Work;
import io.github.snowflakeid.jdbc.JdbcExceptionTranslator.Call;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads, writes and creates a table of leases or counters, each time in a new transaction. Safe for use by any number of threads. */
final class StoredTable {

    private static final Pattern NAME = Pattern.compile("([A-Za-z_][\\w$]*\\.){0,2}[A-Za-z_][\\w$]*");

    private final StoredKind kind;
    private final Database database;
    private final String name;
    private final InitializeSchema initializeSchema;
    private final JdbcExceptionTranslator translator;

    /** Whether the table was checked to have its primary key and to be writable. */
    private volatile boolean checked;

    /**
     * @param name the name of the table, optionally with a schema and a dot before it
     * @param initializeSchema when to create the table if it does not exist
     * @throws IllegalArgumentException if the name is invalid
     */
    StoredTable(Database database, String name, InitializeSchema initializeSchema) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits, _ and $, optionally with a schema and a dot before it, but was '%s'"
                            .formatted(name));
        }
        kind = database.kind();
        this.database = database;
        this.name = name;
        this.initializeSchema = initializeSchema;
        translator = new JdbcExceptionTranslator(kind, name, database);
    }

    /** Returns the same table with another policy for its creation. */
    StoredTable with(InitializeSchema when) {
        return new StoredTable(database, name, when);
    }

    String name() {
        return name;
    }

    /** Returns the address of the database without secrets; null before the first connection. */
    @Nullable
    String address() {
        return database.address();
    }

    /**
     * Reads the table. The first call also creates the table if it is missing and may be created, and checks its primary key and privileges.
     *
     * @param isKeyed inserts a row, updates it, and inserts another row with the same key; returns whether one of the two inserts was rejected
     */
    <T> T read(Work<T> work, Work<Boolean> isKeyed) {
        if (!checked && mayCreate()) {
            create();
        }
        T answer = run(Call.READ, false, work);
        if (!checked) {
            this.<Boolean>run(Call.WRITTEN, true, (jdbc, dialect) -> {
                if (!isKeyed.run(jdbc, dialect)) {
                    throw translator.ofMissingKey(dialect);
                }
                return true;
            });
            checked = true;
        }
        return answer;
    }

    private boolean mayCreate() {
        try {
            // Connects in any case: if the database is unavailable, this fails once, before the creation of the table
            // waits twice.
            boolean isInMemory = database.isInMemory();
            return initializeSchema == InitializeSchema.ALWAYS
                    || (initializeSchema == InitializeSchema.EMBEDDED && isInMemory);
        } catch (RuntimeException e) {
            throw translator.translate(Call.READ, e);
        }
    }

    <T> T write(Work<T> work) {
        return run(Call.WRITTEN, false, work);
    }

    /** Creates the table if it does not exist. Several processes may call this at the same time. */
    void create() {
        try {
            this.<Boolean>run(Call.CREATED, false, (jdbc, dialect) -> {
                jdbc.execute(kind.createStatement(dialect, name));
                return true;
            });
        } catch (RuntimeException e) {
            // Some databases fail if the table exists or another process is creating it.
            if (!exists()) {
                throw e;
            }
        }
    }

    private boolean exists() {
        try {
            return !translator.isMissing();
        } catch (RuntimeException e) {
            throw translator.translate(Call.READ, e);
        }
    }

    /** Returns the statement that creates the table in this database, without a semicolon. */
    String createStatement() {
        return this.<String>run(Call.READ, false, (jdbc, dialect) -> kind.createStatement(dialect, name));
    }

    RuntimeException ofTimeout(RuntimeException late) {
        return translator.ofTimeout(late);
    }

    void close() {
        database.close();
    }

    private <T> T run(Call call, boolean rollback, Work<T> work) {
        try {
            return database.execute(rollback, work);
        } catch (RuntimeException e) {
            throw translator.translate(call, e);
        }
    }
}
