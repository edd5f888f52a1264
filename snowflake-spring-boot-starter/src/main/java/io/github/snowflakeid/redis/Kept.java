package io.github.snowflakeid.redis;

import io.github.snowflakeid.store.StoreException;

/** What a hash is kept for, in words for people. */
enum Kept {
    LEASES(
            "leases",
            "lease worker ids in",
            "hash of leases",
            "+eval +hget +hset +hgetall +time +info",
            "snowflake.worker.redis.key-prefix: \"snowflake-worker-ids:\"") {
        @Override
        RuntimeException unusable(StoreException failure) {
            return failure.unusable();
        }
    },
    COUNTERS(
            "counters",
            "take numbers from",
            "counter",
            "+eval +hmget +hset +exists",
            "snowflake.segment.redis.key-prefix: \"snowflake-numbers:\"") {
        @Override
        RuntimeException unusable(StoreException failure) {
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

    Kept(String rows, String use, String hash, String permissions, String otherPrefix) {
        this.rows = rows;
        this.use = use;
        this.hash = hash;
        this.permissions = permissions;
        this.otherPrefix = otherPrefix;
    }

    /** The error for a hash that cannot be used before somebody mends it. */
    abstract RuntimeException unusable(StoreException failure);
}
