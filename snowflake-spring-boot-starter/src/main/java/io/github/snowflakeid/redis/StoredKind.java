package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import java.util.function.Function;

/**
 * The kind of data that is stored in a hash, in words for people.
 *
 * @param rows what the data are
 * @param use what users want to do; the key follows
 * @param hash what a hash is
 * @param permissions what the user of Redis needs
 * @param keyPrefix an example of another prefix of keys
 * @param ifLost what happens if Redis loses data; a format for seconds
 * @param ifSplit what happens if two servers accept writes
 * @param unusable wraps a failure that lasts until somebody repairs its cause
 */
record StoredKind(
        String rows,
        String use,
        String hash,
        String permissions,
        String keyPrefix,
        String ifLost,
        String ifSplit,
        Function<ConfigurationException, RuntimeException> unusable) {

    static final StoredKind LEASES = new StoredKind(
            "leases",
            "lease worker ids in",
            "hash of leases",
            "+eval +hget +hset +hgetall +time +info",
            "{snowflake}.worker.redis.key-prefix: \"snowflake-worker-ids:\"",
            "new leases are without ids for %d s then",
            "two servers may give out one worker id",
            ConfigurationException::unusable);

    static final StoredKind COUNTERS = new StoredKind(
            "counters",
            "take numbers from",
            "counter",
            "+eval +hmget +hset +exists",
            "{snowflake}.segment.redis.key-prefix: \"snowflake-numbers:\"",
            "numbers may be given out twice then",
            "two servers may give out the same numbers",
            ConfigurationException::unusableForNumbers);
}
