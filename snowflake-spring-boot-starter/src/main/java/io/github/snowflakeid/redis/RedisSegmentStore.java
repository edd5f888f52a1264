package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.BoundedCalls;
import io.github.snowflakeid.internal.failure.ConfigurationException;
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
 * Keeps counters in Redis, alone, with replicas or as a cluster: one hash for each name. Each call is one script, which Redis runs as
 * one atomic step. A script whose answer was lost may be sent again by the client; it is recognized, and answered alike.
 *
 * <p><b>Redis must not forget.</b> After {@code FLUSHALL}, a failover that lost the last writes, or a restart without them, a process
 * notices that its counter has moved back when it takes its next numbers, but only if the counter stands below those it took last. Any
 * other process, and one that starts then, does not notice: it issues numbers again. Set {@code appendonly yes} and {@code appendfsync
 * always}, no eviction of keys that do not expire, and {@code min-replicas-to-write 1} where there are replicas. The first call warns in
 * the log where it is otherwise, if it may ask.
 *
 * <p>A call that has not ended after 4 s is given up. What Redis refuses for good, such as a wrong password, is a {@link
 * NumbersUnavailableException} with a {@link ConfigurationException} as its cause; what may be different a little later is another {@link
 * RuntimeException}.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class RedisSegmentStore implements SegmentStore {

    /** How the keys of counters begin unless another prefix is given. */
    public static final String DEFAULT_KEY_PREFIX = "snowflake:counter:";

    /** Less than callers wait for a number, so that another store may help them. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(4);

    private static final Log LOG = LogFactory.getLog(RedisSegmentStore.class);

    private static final int FIELDS = 4;
    private static final long FOREIGN = -1;
    private static final String NO_TOKEN = "";

    private final RedisScripts scripts;
    private final String keyPrefix;
    private final BoundedCalls calls;
    private volatile boolean checked;

    /**
     * Makes a store; does not ask Redis yet.
     *
     * @param connections to Redis; stays the caller's
     * @param keyPrefix how keys begin; the name of the counter follows
     */
    public RedisSegmentStore(RedisConnectionFactory connections, String keyPrefix) {
        this(connections, keyPrefix, LONGEST_CALL);
    }

    RedisSegmentStore(RedisConnectionFactory connections, String keyPrefix, Duration longestCall) {
        scripts = new RedisScripts(connections, StoredKind.COUNTERS);
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
        if (fields.size() != FIELDS) {
            throw scripts.translator(key).foreign();
        }
        try {
            return new Counter(
                    Long.parseLong(fields.get(0)),
                    Integer.parseInt(fields.get(1)),
                    Long.parseLong(fields.get(2)),
                    fields.get(3));
        } catch (NumberFormatException e) {
            throw scripts.translator(key).foreign();
        }
    }

    /** Tells once how the server should be set. */
    private void check(String key) {
        if (!checked) {
            List<String> server = scripts.texts(RedisScripts.CHECK_SERVER, key);
            checked = true;
            ServerCheck.warnings(StoredKind.COUNTERS, server.get(0), server.get(1), Duration.ZERO)
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
