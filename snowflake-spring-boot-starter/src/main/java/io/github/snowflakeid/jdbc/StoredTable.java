package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.jdbc.Database.Work;
import io.github.snowflakeid.jdbc.JdbcExceptionTranslator.Call;
import io.github.snowflakeid.jdbc.TableLocator.Located;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads, writes and creates a table of leases, counters or document numbers, each time in a new transaction. Safe for use by any number
 * of threads.
 */
final class StoredTable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Database database;
    private final TableName name;
    private final InitializeSchema initializeSchema;

    /** How long the first call looks for a missing table, which a migration may create in the background. */
    private final Duration patience;

    private final JdbcExceptionTranslator translator;

    /**
     * The table that the name means; null until it was looked for. If it does not exist yet, it is looked for again.
     */
    private volatile @Nullable Located located;

    /** Whether the table was checked to have its primary key and to be writable. */
    private volatile boolean checked;

    /** Whether the table was read before. */
    private volatile boolean isKnown;

    /**
     * @param name the name of the table, optionally with a schema and a dot before it
     * @param initializeSchema when to create the table if it does not exist
     * @throws IllegalArgumentException if the name is invalid
     */
    StoredTable(Database database, String name, InitializeSchema initializeSchema) {
        this(database, name, initializeSchema, Duration.ZERO);
    }

    StoredTable(Database database, String name, InitializeSchema initializeSchema, Duration patience) {
        this.database = database;
        this.name = new TableName(name);
        this.initializeSchema = initializeSchema;
        this.patience = patience;
        translator = new JdbcExceptionTranslator(database, this.name, this::sql);
    }

    /** Returns the same table with another policy for its creation. */
    StoredTable with(InitializeSchema when) {
        return new StoredTable(database, name.text(), when, patience);
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
     * @param sample returns a row for a random text and a digit; rows with different digits differ in each column
     */
    <T> T read(Work<T> work, BiFunction<String, Integer, Object[]> sample) {
        if (checked) {
            try {
                return translating(Call.READ, () -> database.query(work));
            } catch (RuntimeException e) {
                if (isMissing(e)) {
                    // It may be created again, perhaps elsewhere.
                    located = null;
                    checked = false;
                }
                throw e;
            }
        }
        long end = System.nanoTime() + (isKnown ? 0 : patience.toNanos());
        for (boolean isTold = false; ; isTold = true) {
            try {
                T answer = readFirst(work, sample);
                isKnown = true;
                return answer;
            } catch (RuntimeException e) {
                if (!isMissing(e)) {
                    throw e;
                }
                RuntimeException elsewhere = translator.ofOtherSchema();
                if (elsewhere != null || System.nanoTime() - end >= 0) {
                    throw elsewhere == null ? e : elsewhere;
                }
                if (!isTold) {
                    LogFactory.getLog(SnowflakeIdGenerator.class)
                            .warn("Table '%s' of %s does not exist yet. Startup fails unless it is created within %s s"
                                    .formatted(name.text(), database.kind.rows(), patience.toSeconds()));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private <T> T readFirst(Work<T> work, BiFunction<String, Integer, Object[]> sample) {
        if (translating(Call.READ, this::mayCreate)) {
            create(Objects.requireNonNull(located));
        }
        try {
            T answer = translating(Call.READ, () -> located().query(work));
            if (!checked) {
                check(sample);
            }
            return answer;
        } catch (RuntimeException e) {
            // The application's connections may have other rights.
            boolean isPermanent = e.getCause() instanceof ConfigurationException && !isMissing(e);
            if (isPermanent && database.usePool(String.valueOf(e.getMessage()))) {
                return readFirst(work, sample);
            }
            throw e;
        }
    }

    /**
     * Tests the primary key by two rows with the same key, and for each column of the key by a row that differs from
     * them in this column only. The rows are random, so that processes that start at the same time do not wait for each
     * other.
     */
    private void check(BiFunction<String, Integer, Object[]> sample) {
        String random = UUID.randomUUID().toString().substring(0, 8);
        int keys = database.kind.keyColumns();
        Object[][] rows = new Object[keys + 2][];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = sample.apply(random, row);
            for (int column = 0; column < keys; column++) {
                if (column != row - 2) {
                    rows[row][column] = rows[0][column];
                }
            }
        }
        String update = "UPDATE %s SET %s = %2$s WHERE 1 = 0".formatted(sql(), database.kind.column());
        int accepted = translating(
                Call.WRITTEN,
                () -> located().rollBack((jdbc, dialect) -> {
                    int inserted = insert(jdbc, dialect, rows);
                    jdbc.update(update);
                    return inserted;
                }));
        int expected = keys + 1;
        if (accepted != expected) {
            throw translator.ofKey(accepted < expected);
        }
        checked = true;
    }

    /** Returns whether a failure means that the table does not exist. */
    static boolean isMissing(Throwable failure) {
        return Causes.of(failure).stream()
                .anyMatch(cause -> cause instanceof ConfigurationException known
                        && known.anchor().equals(Problem.MISSING_TABLE.anchor()));
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

    /** Inserts rows, and returns how many, because the table rejects a row whose key exists. */
    int insert(JdbcTemplate jdbc, Dialect dialect, Object[]... rows) {
        StoredKind kind = database.kind;
        List<String> columns = List.of((kind.key() + ", " + kind.columns()).split(", "));
        return dialect.insert(jdbc, sql(), columns, kind.keyColumns() + 1, rows);
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
