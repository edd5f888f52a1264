/**
 * Leases of worker IDs and counters of sequential numbers in Redis. Start with
 * {@link io.github.snowflakeid.redis.RedisWorkerRegistry}, which explains why IDs stay unique if Redis loses data, and
 * {@link io.github.snowflakeid.redis.RedisSegmentStore}. Both run the Lua scripts of this package through
 * {@code RedisScripts}.
 */
@NullMarked
package io.github.snowflakeid.redis;

import org.jspecify.annotations.NullMarked;
