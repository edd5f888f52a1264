package io.github.snowflakeid.autoconfigure;

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
 * Logs what happens to a counter after the start: once when a store is left out, once when it has a counter that cannot be used, once
 * when it is taken back, once when callers begin to fail, once when they no longer do. A store that comes and goes is told of once a
 * minute.
 */
final class SegmentLog implements SegmentListener {

    private static final Log LOG = LogFactory.getLog(SegmentIdGenerator.class);

    /** How long nothing more is told of a store that comes and goes. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final String counter;
    private final String label;
    private final InstantSource clock;

    /** When a store was last told of, by its description. */
    private final Map<String, Instant> told = new ConcurrentHashMap<>();

    /** Those whose return is to be told of. */
    private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

    /** Those of which it was told that somebody has to mend them. */
    private final Set<String> unusable = ConcurrentHashMap.newKeySet();

    /** @param label how each line begins */
    SegmentLog(String counter, String label, InstantSource clock) {
        this.counter = counter;
        this.label = label;
        this.clock = clock;
    }

    @Override
    public void storeExcluded(String store, RuntimeException reason) {
        if (reason instanceof NumbersUnavailableException && unusable.add(store)) {
            leftOut.add(store);
            LOG.error("%sCounter '%s' has no use for %s until somebody mends it: %s"
                    .formatted(label, counter, store, text(reason)));
        } else if (!leftOut.contains(store) && isQuietOver(store)) {
            leftOut.add(store);
            LOG.warn("%sCounter '%s' has no answer of %s (%s); it is asked again"
                    .formatted(label, counter, store, text(reason)));
        }
    }

    private boolean isQuietOver(String store) {
        Instant now = clock.instant();
        return now.equals(
                told.merge(store, now, (last, next) -> last.plus(QUIET).isAfter(next) ? last : next));
    }

    @Override
    public void storeRecovered(String store, Duration away) {
        unusable.remove(store);
        if (leftOut.remove(store)) {
            LOG.info("%sCounter '%s' has answers of %s again, after %s"
                    .formatted(label, counter, store, LeaseLog.text(away)));
        }
    }

    @Override
    public void numbersEnded(NumbersUnavailableException reason) {
        LOG.error("%sNo numbers of counter '%s' any more: %s".formatted(label, counter, text(reason)));
    }

    @Override
    public void numbersResumed(Duration away) {
        LOG.info("%sNumbers of counter '%s' flow again, after %s without"
                .formatted(label, counter, LeaseLog.text(away)));
    }

    private static String text(RuntimeException reason) {
        String message = reason.getMessage();
        return message == null ? reason.getClass().getSimpleName() : message;
    }
}
