/** Snowflake ids for what MyBatis inserts: for attributes of its parameters with {@link io.github.snowflakeid.SnowflakeId}. */
@NullMarked
package io.github.snowflakeid.mybatis;

import org.jspecify.annotations.NullMarked;
