package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.Database.Work;
import io.github.snowflakeid.jdbc.JdbcExceptionTranslator.Call;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A table of leases or counters: reads and writes it, each time in a new transaction, and creates it. For any number of threads. */
final class StoredTable {

    private static final Pattern NAME = Pattern.compile("([A-Za-z_][\\w$]*\\.){0,2}[A-Za-z_][\\w$]*");

    private final StoredKind kind;
    private final Database database;
    private final String name;
    private final InitializeSchema initializeSchema;
    private final JdbcExceptionTranslator translator;

    /** Whether the table has its key, and may be written. */
    private volatile boolean triedOut;

    /**
     * @param name of the table, after a schema and a dot if need be
     * @param initializeSchema whether to create the table if it is missing
     * @throws IllegalArgumentException if it is not a name
     */
    StoredTable(Database database, String name, InitializeSchema initializeSchema) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits, _ and $, after a schema and a dot if need be, but was '%s'"
                            .formatted(name));
        }
        kind = database.kind();
        this.database = database;
        this.name = name;
        this.initializeSchema = initializeSchema;
        translator = new JdbcExceptionTranslator(kind, name, database);
    }

    /** Returns the same table of the same database. */
    StoredTable with(InitializeSchema when) {
        return new StoredTable(database, name, when);
    }

    String name() {
        return name;
    }

    /** Where the database is, without secrets; null as long as it is not known. */
    @Nullable
    String address() {
        return database.address();
    }

    /**
     * Reads. The first time, it also creates the table if it is missing and may be created, and tries it out.
     *
     * @param isKeyed inserts a row, updates it, and inserts another row that has only the key in common with it; returns whether one of
     *     the two was rejected
     */
    <T> T read(Work<T> work, Work<Boolean> isKeyed) {
        if (!triedOut && mayCreate()) {
            create();
        }
        T answer = run(Call.READ, false, work);
        if (!triedOut) {
            this.<Boolean>run(Call.WRITTEN, true, (jdbc, dialect) -> {
                if (!isKeyed.run(jdbc, dialect)) {
                    throw translator.ofMissingKey(dialect);
                }
                return true;
            });
            triedOut = true;
        }
        return answer;
    }

    private boolean mayCreate() {
        try {
            // Asks the database in any case: one that is away would make both attempts to create the table wait.
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

    /** Creates the table unless it exists. Several processes may do so at once. */
    void create() {
        try {
            this.<Boolean>run(Call.CREATED, false, (jdbc, dialect) -> {
                jdbc.execute(kind.createStatement(dialect, name));
                return true;
            });
        } catch (RuntimeException e) {
            // It existed before, or another process has created it at the same time; some databases fail then.
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

    /** The statement that creates the table under its name in this database, without a semicolon. */
    String createStatement() {
        return this.<String>run(Call.READ, false, (jdbc, dialect) -> kind.createStatement(dialect, name));
    }

    RuntimeException ofGivenUp(RuntimeException late) {
        return translator.ofGivenUp(late);
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
