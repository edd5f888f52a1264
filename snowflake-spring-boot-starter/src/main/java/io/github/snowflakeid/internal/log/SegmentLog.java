package io.github.snowflakeid.internal.log;

import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs the changes of a counter after startup. It logs once when a store is excluded, once when a store's counter
 * cannot be used, once when the store recovers, once when callers start to fail, and once when they no longer do. A
 * store that fails again and again is logged at most once a minute.
 */
public final class SegmentLog implements SegmentListener {

    private static final Log LOG = LogFactory.getLog(SegmentIdGenerator.class);

    /** How long a recurring failure of a store is not logged again. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final String counter;
    private final String label;
    private final InstantSource clock;

    /** When the exclusion of a store was last logged, by the description of the store. */
    private final Map<String, Instant> lastLogged = new ConcurrentHashMap<>();

    /** The stores whose recovery is to be logged. */
    private final Set<String> excluded = ConcurrentHashMap.newKeySet();

    /** The stores that were reported as unusable until they are repaired. */
    private final Set<String> unusable = ConcurrentHashMap.newKeySet();

    /**
     * Creates the log of a counter.
     *
     * @param counter the name of the counter
     * @param label the beginning of each line
     * @param clock the clock of this machine
     */
    public SegmentLog(String counter, String label, InstantSource clock) {
        this.counter = counter;
        this.label = label;
        this.clock = clock;
    }

    @Override
    public void storeExcluded(String store, RuntimeException reason) {
        if (reason instanceof NumbersUnavailableException && unusable.add(store)) {
            excluded.add(store);
            LOG.error("%sCounter '%s' cannot use %s until it is repaired: %s"
                    .formatted(label, counter, store, text(reason)));
        } else if (!excluded.contains(store) && isQuietOver(store)) {
            excluded.add(store);
            LOG.warn("%sCounter '%s' got no answer from %s (%s). The store is retried"
                    .formatted(label, counter, store, text(reason)));
        }
    }

    private boolean isQuietOver(String store) {
        Instant now = clock.instant();
        return now.equals(
                lastLogged.merge(store, now, (last, next) -> last.plus(QUIET).isAfter(next) ? last : next));
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
        LOG.error("%sNumbers of counter '%s' are unavailable: %s".formatted(label, counter, text(reason)));
    }

    @Override
    public void numbersResumed(Duration outage) {
        LOG.info("%sRecovered: numbers of counter '%s' are available again after %s"
                .formatted(label, counter, LeaseLog.text(outage)));
    }

    private static String text(RuntimeException reason) {
        String message = reason.getMessage();
        return message == null ? reason.getClass().getSimpleName() : message;
    }
}
