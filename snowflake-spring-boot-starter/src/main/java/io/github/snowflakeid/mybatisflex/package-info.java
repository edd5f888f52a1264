/**
 * Support for MyBatis-Flex: a key generator that uses the {@code IdGenerator} bean, and type handlers for typed IDs.
 */
@NullMarked
package io.github.snowflakeid.mybatisflex;

import org.jspecify.annotations.NullMarked;
