/**
 * Snowflake ids in what Spring Data JDBC and Spring Data R2DBC save. {@link io.github.snowflakeid.SnowflakeId} on an attribute is
 * all that an entity needs.
 */
@NullMarked
package io.github.snowflakeid.data;

import org.jspecify.annotations.NullMarked;
