package io.github.snowflakeid.numbers;

import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A series of document numbers (a number range), such as the numbers of invoices. Each series is configured below
 * {@code snowflake.numbers.<name>} and is a bean with its name as qualifier:
 * {@code @Qualifier("invoice") DocumentNumbers}.
 *
 * <p>Numbers start at 1 for each tenant and each period. The date fields of the format determine the period. The clock
 * of the database determines the current period, in the time zone of the series, so the clocks of the instances do not
 * matter. A caller can pass the date of the document instead; the number then belongs to the period of that date.
 *
 * <p>A number is never issued twice. Whether numbers can be missing depends on the series:
 *
 * <ul>
 *   <li><b>gapless</b>: the number is taken in the caller's transaction. If that is rolled back, the next caller gets
 *       the same number. Other callers of the same tenant and period wait until the transaction ends. Without a
 *       transaction of the series' {@code DataSource}, and in a read-only one, methods that take a number throw an
 *       {@link org.springframework.transaction.IllegalTransactionStateException}. If transactions conflict, they throw
 *       a {@link org.springframework.dao.ConcurrencyFailureException}: retry the whole transaction.
 *   <li><b>with gaps</b>: the number is taken in a short transaction outside of the caller's transaction and connection
 *       pool. If the caller is rolled back, the number is lost. While the database is unavailable, methods throw a
 *       {@link io.github.snowflakeid.SnowflakeException}.
 * </ul>
 *
 * <p>Implementations are safe for use by any number of threads.
 *
 * @since 1.0
 */
public interface DocumentNumbers {

    /**
     * Takes the next number of the current period, without a tenant.
     *
     * @return the formatted number, such as {@code INV-2026-00042}
     */
    default String next() {
        return take("", null).text();
    }

    /**
     * Takes the next number of a tenant in the current period.
     *
     * @param tenant any key within the series, such as a company or a branch: 1 to 100 characters
     * @return the formatted number
     * @throws IllegalArgumentException if the tenant is too long, or begins or ends with white space
     */
    default String next(String tenant) {
        return take(tenant, null).text();
    }

    /**
     * Takes the next number, and returns it with its parts.
     *
     * @param tenant any key within the series, up to 100 characters; empty for none
     * @param date the date of the document; null for the current date of the database in the time zone of the series
     * @return the number
     * @throws IllegalArgumentException if the tenant is too long, begins or ends with white space, or is empty although
     *     the format contains it, or if the year of the date does not have four digits
     */
    DocumentNumber take(String tenant, @Nullable LocalDate date);

    /**
     * Returns the last committed number without taking one. If the series reserves numbers in advance, this is the last
     * reserved number.
     *
     * @param tenant any key within the series; empty for none
     * @param date a date of the period; null for the current period
     * @return the number; empty if none was taken in this period
     */
    Optional<DocumentNumber> last(String tenant, @Nullable LocalDate date);
}
