package io.github.snowflakeid.internal.log;

import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentListener;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs the changes of a counter after startup. It logs once when a store is excluded, once when a store's counter
 * cannot be used, once when the store recovers, once when callers start to fail, and once when they no longer do. A
 * store that fails again and again is logged at most once a minute.
 */
public final class SegmentLog implements SegmentListener {

    private static final Log LOG = LogFactory.getLog(SegmentIdGenerator.class);

    private final String counter;
    private final String label;

    /** The exclusions of stores, by the descriptions of the stores. */
    private final QuietPeriods exclusions;

    /** The stores whose recovery is to be logged. */
    private final Set<String> excluded = ConcurrentHashMap.newKeySet();

    /** The stores that were reported as unusable until they are repaired. */
    private final Set<String> unusable = ConcurrentHashMap.newKeySet();

    /**
     * Creates the log of a counter.
     *
     * @param counter the name of the counter
     * @param label the beginning of each line
     * @param nanos the monotonic time, as {@link System#nanoTime()} returns it
     */
    public SegmentLog(String counter, String label, LongSupplier nanos) {
        this.counter = counter;
        this.label = label;
        exclusions = new QuietPeriods(nanos);
    }

    @Override
    public void storeExcluded(String store, RuntimeException reason) {
        if (reason instanceof NumbersUnavailableException && unusable.add(store)) {
            excluded.add(store);
            LOG.error("%sCounter '%s' cannot use %s until it is repaired: %s"
                    .formatted(label, counter, store, Causes.message(reason)));
        } else if (!excluded.contains(store) && exclusions.isOver(store)) {
            excluded.add(store);
            LOG.warn("%sCounter '%s' got no answer from %s (%s). The store is retried"
                    .formatted(label, counter, store, Causes.message(reason)));
        }
    }

    @Override
    public void storeRecovered(String store, Duration outage) {
        unusable.remove(store);
        if (excluded.remove(store)) {
            LOG.info("%sRecovered: counter '%s' gets answers from %s again after %s"
                    .formatted(label, counter, store, LeaseLog.text(outage)));
        }
    }

    @Override
    public void numbersEnded(NumbersUnavailableException reason) {
        LOG.error("%sNumbers of counter '%s' are unavailable: %s".formatted(label, counter, Causes.message(reason)));
    }

    @Override
    public void numbersResumed(Duration outage) {
        LOG.info("%sRecovered: numbers of counter '%s' are available again after %s"
                .formatted(label, counter, LeaseLog.text(outage)));
    }
}
