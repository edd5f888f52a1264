package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.failure.ConfigurationException;

/** The kind of data that is stored in a hash, in words for people. */
enum StoredKind {
    LEASES(
            "leases",
            "lease worker ids in",
            "hash of leases",
            "+eval +hget +hset +hgetall +time +info",
            "{snowflake}.worker.redis.key-prefix: \"snowflake-worker-ids:\"",
            "new leases are without ids for %d s then",
            "two servers may give out one worker id") {
        @Override
        RuntimeException unusable(ConfigurationException failure) {
            return failure.unusable();
        }
    },
    COUNTERS(
            "counters",
            "take numbers from",
            "counter",
            "+eval +hmget +hset +exists",
            "{snowflake}.segment.redis.key-prefix: \"snowflake-numbers:\"",
            "numbers may be given out twice then",
            "two servers may give out the same numbers") {
        @Override
        RuntimeException unusable(ConfigurationException failure) {
            return failure.unusableForNumbers();
        }
    };

    /** What it is about. */
    final String rows;

    /** What users want to do; the key follows. */
    final String use;

    /** What a hash is. */
    final String hash;

    /** What the user of Redis needs. */
    final String permissions;

    /** What lets keys begin in another way. */
    final String otherPrefix;

    /** What happens if Redis loses some. */
    final String ifLost;

    /** What happens if two servers accept writes. */
    final String ifSplit;

    StoredKind(
            String rows,
            String use,
            String hash,
            String permissions,
            String otherPrefix,
            String ifLost,
            String ifSplit) {
        this.rows = rows;
        this.use = use;
        this.hash = hash;
        this.permissions = permissions;
        this.otherPrefix = otherPrefix;
        this.ifLost = ifLost;
        this.ifSplit = ifSplit;
    }

    /** Returns the error for a hash that cannot be used before it is repaired. */
    abstract RuntimeException unusable(ConfigurationException failure);
}
