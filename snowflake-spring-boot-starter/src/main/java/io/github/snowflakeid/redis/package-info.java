/** Leases of worker ids in Redis. */
@NullMarked
package io.github.snowflakeid.redis;

import org.jspecify.annotations.NullMarked;
