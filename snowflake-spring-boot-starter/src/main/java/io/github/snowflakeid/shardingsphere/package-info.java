/**
 * The key generator {@code SNOWFLAKEID} for tables that ShardingSphere shards. ShardingSphere creates key generators
 * from its own configuration, so {@code GeneratorBridge} connects them with the application context through a static
 * field. Start with {@code KeyGenerator}.
 */
@NullMarked
package io.github.snowflakeid.shardingsphere;

import org.jspecify.annotations.NullMarked;
