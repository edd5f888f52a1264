/**
 * The properties below {@code snowflake}, as far as they are not of one group alone: which generators they define, and
 * what a named generator inherits.
 */
@NullMarked
package io.github.snowflakeid.internal.properties;

import org.jspecify.annotations.NullMarked;
