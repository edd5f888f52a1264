package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.BoundedCalls;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Stores counters in Redis (standalone, with replicas or as a cluster), with one hash for each counter. Each call runs
 * one script, which Redis executes atomically. If the client sends a script again because the answer was lost, the
 * store recognizes the repetition and returns the same answer.
 *
 * <p><b>Redis must not lose data.</b> Counters can move back after {@code FLUSHALL}, after a failover that lost the
 * last writes, or after a restart without them. A process detects this when it fetches its next numbers, but only if
 * the counter is below the numbers that it fetched last. All other processes, including those that start afterwards, do
 * not detect it and issue numbers again. Set {@code appendonly yes} and {@code appendfsync always}, do not evict keys
 * that do not expire, and set {@code min-replicas-to-write 1} if there are replicas. The first call logs a warning for
 * each setting that differs, if Redis permits it to read the settings.
 *
 * <p>A call fails after 4 s. If Redis permanently rejects a call, for example because of a wrong password, the call
 * throws a {@link NumbersUnavailableException}. After any other failure it throws another {@link RuntimeException}.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class RedisSegmentStore implements SegmentStore {

    /** The default prefix of the keys of counters. */
    public static final String DEFAULT_KEY_PREFIX = "snowflake:counter:";

    /** Shorter than callers wait for a number by default, so that another store can serve them. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(4);

    private static final Log LOG = LogFactory.getLog(RedisSegmentStore.class);

    private static final long FOREIGN = -1;
    private static final String NO_TOKEN = "";

    private final RedisScripts scripts;
    private final String keyPrefix;
    private final BoundedCalls calls;
    private volatile boolean checked;

    /**
     * Creates a store. Does not access Redis yet.
     *
     * @param connections the source of connections to Redis; the store does not close it
     * @param keyPrefix the prefix of keys; the name of the counter follows
     */
    public RedisSegmentStore(RedisConnectionFactory connections, String keyPrefix) {
        this(connections, keyPrefix, LONGEST_CALL);
    }

    RedisSegmentStore(RedisConnectionFactory connections, String keyPrefix, Duration longestCall) {
        scripts = new RedisScripts(connections, HashKind.COUNTERS);
        this.keyPrefix = Objects.requireNonNull(keyPrefix, "keyPrefix");
        calls = new BoundedCalls(this, "store", longestCall);
    }

    @Override
    public String description() {
        return "Redis (keys " + keyPrefix + "*)";
    }

    @Override
    public String kind() {
        return "redis";
    }

    @Override
    public @Nullable Counter read(String name) {
        return calls.<@Nullable Counter>ask(() -> readNow(keyPrefix + name));
    }

    private @Nullable Counter readNow(String key) {
        List<String> fields = scripts.texts(RedisScripts.READ_COUNTER, key);
        check(key);
        if (fields.isEmpty()) {
            return null;
        }
        try {
            return new Counter(
                    Long.parseLong(fields.get(0)),
                    Integer.parseInt(fields.get(1)),
                    Long.parseLong(fields.get(2)),
                    fields.get(3));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw scripts.translator(key).foreign();
        }
    }

    /** Logs once which settings of the server endanger counters. */
    private void check(String key) {
        if (!checked) {
            List<String> server = scripts.texts(RedisScripts.CHECK_SERVER, key);
            checked = true;
            ServerCheck.warnings(HashKind.COUNTERS, server.get(0), server.get(1), Duration.ZERO)
                    .forEach(LOG::warn);
        }
    }

    @Override
    public boolean write(String name, @Nullable Counter seen, Counter next) {
        String key = keyPrefix + name;
        long written = calls.ask(() -> scripts.number(
                RedisScripts.WRITE_COUNTER,
                key,
                seen == null ? NO_TOKEN : seen.token(),
                next.token(),
                String.valueOf(next.start()),
                String.valueOf(next.increment()),
                String.valueOf(next.last())));
        if (written == FOREIGN) {
            throw scripts.translator(key).foreign();
        }
        return written == 1;
    }
}
