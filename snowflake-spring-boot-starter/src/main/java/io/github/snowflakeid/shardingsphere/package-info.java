/**
 * Ids for the tables that ShardingSphere shards, by its key generator {@code SNOWFLAKEID}. ShardingSphere makes that itself, from
 * its own configuration, so it meets the application by what is static here.
 */
@NullMarked
package io.github.snowflakeid.shardingsphere;

import org.jspecify.annotations.NullMarked;
