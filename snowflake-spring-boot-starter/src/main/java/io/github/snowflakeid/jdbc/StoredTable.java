package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.Database.Work;
import io.github.snowflakeid.jdbc.JdbcExceptionTranslator.Call;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads, writes and creates a table of leases or counters, each time in a new transaction. Safe for use by any number of threads. */
final class StoredTable {

    private final StoredKind kind;
    private final Database database;
    private final TableName name;
    private final InitializeSchema initializeSchema;
    private final JdbcExceptionTranslator translator;

    /** The table that the name means; null until it was looked for. If it does not exist yet, it is looked for again. */
    private volatile TableLocator.@Nullable Located located;

    /** Whether the table was checked to have its primary key and to be writable. */
    private volatile boolean checked;

    /**
     * @param name the name of the table, optionally with a schema and a dot before it
     * @param initializeSchema when to create the table if it does not exist
     * @throws IllegalArgumentException if the name is invalid
     */
    StoredTable(Database database, String name, InitializeSchema initializeSchema) {
        kind = database.kind();
        this.database = database;
        this.name = TableName.of(name);
        this.initializeSchema = initializeSchema;
        translator = new JdbcExceptionTranslator(kind, this.name, database, this::sql, this::written);
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
        TableLocator.Located known = located;
        return known == null ? name.sql(database.dialect()) : known.sql();
    }

    /** Returns the name for statements that people execute: as it is configured, in quotes if it needs them. */
    private String written() {
        TableLocator.Located known = located;
        return known == null ? name.sql(database.dialect()) : known.written();
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
            create(this::sql);
        } catch (RuntimeException e) {
            // Some databases fail if the table exists or another process is creating it.
            if (!exists() && !isCreatedExactly()) {
                throw e;
            }
        }
    }

    private void create(Supplier<String> sql) {
        this.<Boolean>run(Call.CREATED, false, (jdbc, dialect) -> {
            jdbc.execute(kind.createStatement(dialect, sql.get()));
            return true;
        });
    }

    /** Creates the table in a schema whose name has capital letters, if the database folds them. */
    private boolean isCreatedExactly() {
        String exact = name.exact(database.dialect());
        if (!name.isQualified() || exact.equals(sql())) {
            return false;
        }
        try {
            create(() -> exact);
            return true;
        } catch (RuntimeException e) {
            // The first failure is reported instead.
            return false;
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
        try {
            return kind.createStatement(database.dialect(), name.sql(database.dialect()));
        } catch (RuntimeException e) {
            throw translator.translate(Call.READ, e);
        }
    }

    RuntimeException ofTimeout(RuntimeException late) {
        return translator.ofTimeout(late);
    }

    void closeIdleConnection() {
        database.closeIdleConnection();
    }

    void close() {
        database.close();
    }

    private <T> T run(Call call, boolean rollback, Work<T> work) {
        try {
            TableLocator.Located known = located;
            if (known == null || !known.exists()) {
                located = database.execute(true, new TableLocator(kind, name, database)::locate);
            }
            return database.execute(rollback, work);
        } catch (RuntimeException e) {
            throw translator.translate(call, e);
        }
    }
}
