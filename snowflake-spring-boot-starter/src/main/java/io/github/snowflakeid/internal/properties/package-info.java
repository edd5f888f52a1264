/**
 * The properties below {@code snowflake}, as far as they are not of one group alone: which generators they define, and
 * what a named generator inherits. Also the checks that all groups share: of names ({@code PropertyCheck}) and of
 * values ({@code ValueCheck}).
 */
@NullMarked
package io.github.snowflakeid.internal.properties;

import org.jspecify.annotations.NullMarked;
