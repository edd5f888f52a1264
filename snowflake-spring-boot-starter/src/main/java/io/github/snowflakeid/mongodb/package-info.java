/**
 * Support for Spring Data MongoDB, blocking and reactive: sets IDs in attributes with
 * {@link io.github.snowflakeid.SnowflakeId} before a document is converted. Read {@code DocumentIds} first.
 */
@NullMarked
package io.github.snowflakeid.mongodb;

import org.jspecify.annotations.NullMarked;
