/**
 * Support for MyBatis-Plus: an {@code IdentifierGenerator} that uses the {@code IdGenerator} bean, and a check that
 * annotated attributes are inserted. Read {@code MybatisPlusIds} first.
 */
@NullMarked
package io.github.snowflakeid.mybatisplus;

import org.jspecify.annotations.NullMarked;
