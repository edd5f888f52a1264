/**
 * Support for MyBatis: sets IDs in attributes with {@link io.github.snowflakeid.SnowflakeId} of the parameters of
 * {@code INSERT} statements. Read {@code IdInterceptor} first: it sets the IDs, in the attributes that
 * {@code IdAttributes} finds.
 */
@NullMarked
package io.github.snowflakeid.mybatis;

import org.jspecify.annotations.NullMarked;
