package io.github.snowflakeid.numbers;

import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A series for tests that issues predictable numbers: for each tenant and period 1, 2, 3 and so on, in the format of
 * the series. It needs neither a database nor a transaction. The current date is always 2025-01-01. Safe for use by any
 * number of threads.
 *
 * @since 1.0
 */
public final class TestDocumentNumbers implements DocumentNumbers {

    private static final LocalDate TODAY = LocalDate.of(2025, 1, 1);

    private final NumberFormat format;
    private final Map<DocumentNumber, Long> taken = new ConcurrentHashMap<>();

    /**
     * Creates a series.
     *
     * @param format the format, such as <code>INV-{yyyy}-{00000}</code>
     * @throws IllegalArgumentException if the format is invalid
     */
    public TestDocumentNumbers(String format) {
        this.format = NumberFormat.of(format);
    }

    @Override
    public DocumentNumber take(String tenant, @Nullable LocalDate date) {
        DocumentNumber zero = zero(tenant, date);
        return format.format(tenant, zero.period(), taken.merge(zero, 1L, Long::sum));
    }

    @Override
    public Optional<DocumentNumber> last(String tenant, @Nullable LocalDate date) {
        DocumentNumber zero = zero(tenant, date);
        return Optional.ofNullable(taken.get(zero)).map(number -> format.format(tenant, zero.period(), number));
    }

    private DocumentNumber zero(String tenant, @Nullable LocalDate date) {
        format.check(tenant);
        return format.format(tenant, format.of(date == null ? TODAY : date).period(), 0);
    }

    /** Starts again: the next number of each tenant and period is 1. */
    public void reset() {
        taken.clear();
    }
}
