package io.github.snowflakeid.numbers;

import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.jdbc.JdbcNumberStore;
import io.github.snowflakeid.jdbc.JdbcNumberStore.RowKey;
import io.github.snowflakeid.jdbc.NumberCaller;
import io.github.snowflakeid.numbers.NumberFormat.Span;
import io.github.snowflakeid.numbers.NumberProperties.Last;
import io.github.snowflakeid.numbers.NumberProperties.Series;
import io.github.snowflakeid.numbers.TakenNumbers.Held;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * A series whose last numbers are in a database.
 *
 * <p>The statement that takes a number also compares the database's clock with the current period, which this object
 * remembers from the last time. If the period is over, the statement changes nothing; the clock is then read, and the
 * number is taken in the new period.
 */
@DependsOnDatabaseInitialization
final class StoredDocumentNumbers implements DocumentNumbers, AutoCloseable {

    /** The remembered period, the next one, and a row that was deleted. */
    private static final int MOST_ATTEMPTS = 3;

    /** Limits the memory for tenants. Forgetting them costs a statement, or the rest of their reserved numbers. */
    private static final int MOST_TENANTS = 10_000;

    private final String name;
    private final Series series;
    private final NumberFormat format;
    private final DataSource dataSource;
    private final JdbcNumberStore store;
    private final Set<RowKey> created = ConcurrentHashMap.newKeySet();
    private final Set<Held> suspended = ConcurrentHashMap.newKeySet();
    private final Map<String, Reserved> reserved = new ConcurrentHashMap<>();
    private final SeriesStatistics statistics = new SeriesStatistics();
    private volatile @Nullable Span remembered;

    /**
     * A number that is issued now, and the following numbers that this process has reserved.
     *
     * @param begin when the clock of the database was read, as monotonic nanoseconds
     * @param nanos for how long after that the numbers may be issued
     */
    private record Reservation(String period, long number, long last, long begin, long nanos) {

        boolean isOver() {
            return number == last || System.nanoTime() - begin >= nanos;
        }

        Reservation next() {
            return new Reservation(period, number + 1, last, begin, nanos);
        }
    }

    /** The numbers that this process has reserved for a tenant. */
    private static final class Reserved {

        /** Held during a call of the database, so that only callers of this tenant wait. */
        private final Lock lock = new ReentrantLock();

        private @Nullable Reservation issued;
    }

    StoredDocumentNumbers(
            String name,
            NumberProperties properties,
            ObjectProvider<DataSource> dataSources,
            @SnowflakeDataSource ObjectProvider<DataSource> marked,
            BeanFactory beans) {
        this.name = name;
        series = Objects.requireNonNull(properties.numbers().get(name));
        format = NumberFormat.of(series.format());
        try {
            String bean = series.dataSource();
            dataSource = bean == null
                    ? marked.getIfAvailable(dataSources::getObject)
                    : beans.getBean(bean, DataSource.class);
            store = new JdbcNumberStore(
                    name, dataSource, series.tableName(), series.initializeSchema(), series.platform());
        } catch (BeansException | IllegalArgumentException e) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Invalid 'snowflake.numbers.%s.%s': %s"
                            .formatted(
                                    name, e instanceof BeansException ? "data-source" : "table-name", e.getMessage()),
                    """
                    Name the table, and the DataSource bean of the database that the documents are saved in:

                    snowflake.numbers.%s.data-source: dataSource
                    snowflake.numbers.%1$s.table-name: snowflake_number""".formatted(name),
                    e);
        }
        String exit = SpringProperties.getProperty(DefaultLifecycleProcessor.EXIT_PROPERTY_NAME);
        if (!DefaultLifecycleProcessor.ON_REFRESH_VALUE.equalsIgnoreCase(exit)) {
            // A training run takes no numbers, and may have no database.
            prepare();
        }
    }

    /** Checks the table and the format, and continues the numbers of a previous system. */
    private void prepare() {
        String recorded = store.record(series.format());
        if (!recorded.equals(series.format())) {
            throw mismatch("has numbers of format '" + recorded + "', which other formats could repeat", "", "format");
        }
        for (Last last : series.continueAfter()) {
            RowKey key = new RowKey(last.tenant(), last.period());
            store.create(null, key, recorded, last.number());
            long stored = store.last(key);
            if (stored < last.number()) {
                String rule =
                        "cannot continue after " + last.number() + ", because its last number is already " + stored;
                throw mismatch(rule, key.tenant(), key.period());
            }
        }
    }

    private RuntimeException mismatch(String rule, String tenant, String period) {
        String where = "series = '%s' AND tenant = '%s' AND time_period = '%s'".formatted(name, tenant, period);
        return Problem.NUMBER_SERIES_MISMATCH.exception(
                "Series '%s' %s (row %s of table %s)".formatted(name, rule, where, series.tableName()),
                """
                Restore the earlier values of 'snowflake.numbers.%s', or use another series. If no new number can equal an earlier one, or \
                if numbers may be missing, you can stop all instances and change the row:

                SELECT * FROM %s WHERE %s;""".formatted(name, series.tableName(), where));
    }

    @Override
    public DocumentNumber take(String tenant, @Nullable LocalDate date) {
        format.check(tenant);
        TakenNumbers caller =
                series.gapless() ? TakenNumbers.ofCaller(name, dataSource, store, suspended, statistics) : null;
        Reservation taken = statistics.measure(
                () -> series.prefetch() == 1 || date != null ? take(caller, tenant, date, 1) : reserved(tenant));
        DocumentNumber number = format.format(tenant, taken.period(), taken.number());
        if (format.isNearlyFull(number.number())) {
            LogFactory.getLog(DocumentNumbers.class)
                    .warn("Series '" + name + "' has used 90 % of the numbers that fit into its format: "
                            + number.text() + ". Longer numbers will follow");
        }
        return number;
    }

    private Reservation reserved(String tenant) {
        limit(reserved.keySet());
        Reserved ofTenant = reserved.computeIfAbsent(tenant, key -> new Reserved());
        ofTenant.lock.lock();
        try {
            Reservation issued = ofTenant.issued;
            Reservation next =
                    issued == null || issued.isOver() ? take(null, tenant, null, series.prefetch()) : issued.next();
            ofTenant.issued = next;
            return next;
        } finally {
            ofTenant.lock.unlock();
        }
    }

    private static void limit(Set<?> tenants) {
        if (tenants.size() > MOST_TENANTS) {
            tenants.clear();
        }
    }

    /**
     * Takes numbers of the period of a date, or of the current period; {@code caller} is null for a new transaction.
     */
    private Reservation take(@Nullable TakenNumbers caller, String tenant, @Nullable LocalDate date, int count) {
        RowKey missing = null;
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            long begin = System.nanoTime();
            Span span = date != null ? format.of(date) : attempt == 1 && count == 1 ? remembered() : current();
            RowKey key = new RowKey(tenant, span.period());
            long last = caller == null
                    ? take(null, null, key, span, count)
                    : takeIn(caller, caller.mustCreate(key.equals(missing) && store.locksMissingRows()), key, span);
            if (last > 0) {
                // The database's clock is rounded down to a millisecond.
                long remaining = TimeUnit.MILLISECONDS.toNanos(span.until() - span.now() - 1);
                // Ends a thousandth earlier, because the two clocks may run at different rates.
                return new Reservation(span.period(), last - count + 1, last, begin, remaining - remaining / 1_000);
            }
            created.remove(key);
            missing = key;
        }
        throw conflict(
                caller,
                new RowKey(tenant, Objects.requireNonNull(missing).period()),
                "it does not see the row, because it began earlier or deleted the row, because the database ended it after another number was taken, or because its DataSource routes it to another database",
                null);
    }

    /** Takes a number in the caller's transaction. */
    private long takeIn(TakenNumbers transaction, boolean creates, RowKey key, Span span) {
        NumberCaller caller = transaction.caller(key);
        try {
            long last = take(caller, creates ? caller.dataSource() : null, key, span, 1);
            if (last > 0) {
                transaction.add(
                        key,
                        last,
                        caller.markOf(last),
                        format.format(key.tenant(), key.period(), last).text());
            }
            return last;
        } catch (ConcurrencyFailureException | ConfigurationException e) {
            if (!SeriesStatistics.isConflict(e)) {
                throw e;
            }
            throw conflict(transaction, key, "another one has the row, or had it since this one began", e);
        }
    }

    /** @param creator the source of the caller's connection if the caller's transaction must create the row */
    private long take(@Nullable NumberCaller caller, @Nullable DataSource creator, RowKey key, Span span, int count) {
        if (!created.contains(key)) {
            store.create(creator, key, series.format(), 0);
            limit(created);
            created.add(key);
        }
        return store.take(caller, key, span.from(), span.until(), count);
    }

    private RuntimeException conflict(
            @Nullable TakenNumbers transaction, RowKey key, String reason, @Nullable RuntimeException cause) {
        ConcurrencyFailureException conflict = new CannotAcquireLockException(
                "Retry the transaction: it got no number of series '%s', tenant '%s', period '%s', because %s"
                        .formatted(name, key.tenant(), key.period(), reason),
                cause);
        if (transaction != null) {
            transaction.fail(key, conflict);
        }
        return conflict;
    }

    private Span remembered() {
        Span known = remembered;
        return known == null ? current() : known;
    }

    private Span current() {
        Span now = format.at(store.now(), Objects.requireNonNullElse(series.zone(), ZoneOffset.UTC));
        remembered = now;
        return now;
    }

    @Override
    public Optional<DocumentNumber> last(String tenant, @Nullable LocalDate date) {
        format.check(tenant);
        String period = (date == null ? current() : format.of(date)).period();
        long last = store.last(new RowKey(tenant, period));
        return last > 0 ? Optional.of(format.format(tenant, period, last)) : Optional.empty();
    }

    String name() {
        return name;
    }

    SeriesStatistics statistics() {
        return statistics;
    }

    @Override
    public void close() {
        store.close();
    }
}
