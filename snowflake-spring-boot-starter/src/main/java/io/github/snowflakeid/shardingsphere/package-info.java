/**
 * IDs for the tables that ShardingSphere shards, by the key generator {@code SNOWFLAKEID}. ShardingSphere creates it from its own
 * configuration, so static fields connect it with the application.
 */
@NullMarked
package io.github.snowflakeid.shardingsphere;

import org.jspecify.annotations.NullMarked;
