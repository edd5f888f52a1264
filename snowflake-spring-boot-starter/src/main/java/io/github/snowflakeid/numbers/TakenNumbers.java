package io.github.snowflakeid.numbers;

import io.github.snowflakeid.jdbc.JdbcNumberStore;
import io.github.snowflakeid.jdbc.JdbcNumberStore.RowKey;
import io.github.snowflakeid.jdbc.NumberCaller;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The numbers that a caller's transaction has taken from a gapless series. Prevents a commit without them.
 *
 * <p>A database may roll back the whole transaction in a deadlock, and a driver may reconnect. If the caller catches the
 * exception, the next statement begins another transaction, and Spring commits that one: a document with a number that
 * the next caller gets as well. Before the commit, the mark of the last number in each row must therefore still be there
 * ({@link JdbcNumberStore}). Marks that Spring rolls back to a savepoint are forgotten; the release of a savepoint does
 * not remove marks.
 *
 * <p>A statement that commits implicitly, such as CREATE TABLE, keeps the marks, and the document may be committed as
 * well. If it is rolled back instead, its number is missing, which is logged.
 *
 * <p>Used by the thread of the transaction only, except {@code suspended}.
 */
final class TakenNumbers implements TransactionSynchronization {

    private final String series;
    private final JdbcNumberStore store;
    private final Set<Held> suspended;
    private final SeriesStatistics statistics;
    private final DataSource callers;
    private final String token = UUID.randomUUID().toString().substring(0, 8);
    private final List<Taken> taken = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();

    /** Whether this transaction has prevented others from creating rows, by a statement that did not find its row. */
    private boolean locksMissingRows;

    /**
     * A number, or a call that failed.
     *
     * @param mark the mark in the row; empty if the call failed
     * @param conflict the failure, after which the transaction must not be committed; null for a number
     */
    private record Taken(
            RowKey key,
            long number,
            String mark,
            String text,
            @Nullable ConcurrencyFailureException conflict) {}

    /** A row that a thread holds in a suspended transaction. */
    record Held(Thread thread, RowKey key) {}

    private TakenNumbers(
            String series,
            DataSource callers,
            JdbcNumberStore store,
            Set<Held> suspended,
            SeriesStatistics statistics) {
        this.series = series;
        this.callers = callers;
        this.store = store;
        this.suspended = suspended;
        this.statistics = statistics;
    }

    /**
     * Returns the numbers of the current transaction.
     *
     * @param expected the {@code DataSource} of the series
     * @param suspended the rows that suspended transactions hold
     * @throws IllegalTransactionStateException if there is no transaction of that {@code DataSource}
     */
    static TakenNumbers ofCaller(
            String series,
            DataSource expected,
            JdbcNumberStore store,
            Set<Held> suspended,
            SeriesStatistics statistics) {
        DataSource callers = CallerTransaction.dataSource(series, expected);
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof TakenNumbers known && known.store.equals(store)) {
                return known;
            }
        }
        TakenNumbers first = new TakenNumbers(series, callers, store, suspended, statistics);
        TransactionSynchronizationManager.registerSynchronization(first);
        return first;
    }

    /**
     * Returns whether this transaction must create the next row that is missing, because others cannot.
     *
     * @param wasMissing whether it did not find a row
     */
    boolean mustCreate(boolean wasMissing) {
        locksMissingRows |= wasMissing;
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .anyMatch(each -> each instanceof TakenNumbers any && any.locksMissingRows);
    }

    /** Returns the caller of the next number of a row. */
    NumberCaller caller(RowKey key) {
        if (suspended.contains(new Held(Thread.currentThread(), key))) {
            throw new IllegalTransactionStateException(
                    "No number was taken: this transaction would wait for the suspended transaction of the same thread, which holds series '%s'. Take the number in that transaction, or after its end"
                            .formatted(series));
        }
        String last = taken.stream()
                .filter(each -> each.key().equals(key))
                .reduce((before, after) -> after)
                .map(Taken::mark)
                .orElse("");
        return new NumberCaller(callers, token, last);
    }

    /** Remembers a number that was taken. */
    void add(RowKey key, long number, String mark, String text) {
        taken.add(new Taken(key, number, mark, text, null));
    }

    /** Marks the transaction as rollback-only because no number could be taken. */
    void fail(RowKey key, ConcurrencyFailureException conflict) {
        taken.add(new Taken(key, 0, "", "", conflict));
        // JPA ignores this.
        if (TransactionSynchronizationManager.getResource(callers) instanceof ConnectionHolder holder) {
            holder.setRollbackOnly();
        }
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, taken.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
        // An unknown savepoint is older than the first number.
        taken.subList(savepoints.getOrDefault(savepoint, 0), taken.size()).clear();
    }

    @Override
    public void suspend() {
        lastOfEachRow().keySet().forEach(key -> suspended.add(new Held(Thread.currentThread(), key)));
    }

    @Override
    public void resume() {
        lastOfEachRow().keySet().forEach(key -> suspended.remove(new Held(Thread.currentThread(), key)));
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        for (Taken each : taken) {
            if (each.conflict() != null) {
                throw each.conflict();
            }
        }
        if (store.hasMarks()) {
            lastOfEachRow().forEach((key, last) -> {
                if (!store.marks(callers, key).contains(last.mark())) {
                    statistics.conflict();
                    throw new CannotAcquireLockException(
                            "Retry the transaction: the database ended it after number '%s' of series '%s' was taken, which others may get now. This happens if a deadlock is caught"
                                    .formatted(last.text(), series));
                }
            });
        }
    }

    @Override
    public void afterCompletion(int status) {
        if (status != STATUS_ROLLED_BACK || !store.hasMarks()) {
            return;
        }
        try {
            lastOfEachRow().keySet().forEach(this::logMissing);
            // Not every pool ends the transaction of a query.
            new JdbcTemplate(callers).execute((ConnectionCallback<Boolean>) connection -> {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                return true;
            });
        } catch (RuntimeException e) {
            // The connection may be broken.
        }
    }

    private void logMissing(RowKey key) {
        String marks = store.marks(callers, key);
        for (Taken each : taken) {
            if (each.conflict() == null && each.key().equals(key)) {
                boolean isCommitted = marks.contains(each.mark());
                // The marks of later numbers may have displaced it.
                boolean isDisplaced = !marks.contains(":" + each.number() + ";") && store.last(key) > each.number();
                if (isCommitted || isDisplaced) {
                    LogFactory.getLog(DocumentNumbers.class)
                            .error(
                                    "Number '" + each.text() + "' of series '" + series + "' "
                                            + (isCommitted ? "is" : "may be")
                                            + " missing: its transaction was rolled back after a statement that commits, such as CREATE TABLE. Execute such statements in other transactions");
                }
            }
        }
    }

    private Map<RowKey, Taken> lastOfEachRow() {
        Map<RowKey, Taken> last = new LinkedHashMap<>();
        taken.stream().filter(each -> each.conflict() == null).forEach(each -> last.put(each.key(), each));
        return last;
    }
}
