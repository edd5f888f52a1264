/** Snowflake ids for MyBatis-Plus: its {@code IdentifierGenerator}, and a check of what it leaves out of an {@code INSERT}. */
@NullMarked
package io.github.snowflakeid.mybatisplus;

import org.jspecify.annotations.NullMarked;
