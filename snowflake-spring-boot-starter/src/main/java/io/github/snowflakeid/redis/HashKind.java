package io.github.snowflakeid.redis;

import io.github.snowflakeid.failure.ConfigurationException;
import java.util.function.Function;

/**
 * The kind of data in a hash, leases or counters, with its words in messages.
 *
 * @param rows the word for the data
 * @param use the phrase for the use of a hash; the key follows
 * @param hash the word for a hash
 * @param permissions the permissions that the Redis user needs
 * @param keyPrefix an example of another prefix of keys
 * @param ifLost the consequence of lost data; a format for a number of seconds
 * @param ifSplit the consequence of two servers that both accept writes
 * @param unusable wraps a failure that lasts until its cause is repaired
 */
record HashKind(
        String rows,
        String use,
        String hash,
        String permissions,
        String keyPrefix,
        String ifLost,
        String ifSplit,
        Function<ConfigurationException, RuntimeException> unusable) {

    static final HashKind LEASES = new HashKind(
            "leases",
            "lease worker IDs in",
            "hash of leases",
            "+eval +hget +hset +hgetall +time +info",
            "{snowflake}.worker.redis.key-prefix: \"snowflake-worker-ids:\"",
            "new leases then issue no IDs for %s s",
            "two servers may lease the same worker ID",
            ConfigurationException::unusable);

    static final HashKind COUNTERS = new HashKind(
            "counters",
            "fetch numbers from",
            "counter",
            "+eval +hmget +hset +exists",
            "{snowflake}.segment.redis.key-prefix: \"snowflake-numbers:\"",
            "numbers may then be issued twice",
            "two servers may issue the same numbers",
            ConfigurationException::unusableForNumbers);
}
