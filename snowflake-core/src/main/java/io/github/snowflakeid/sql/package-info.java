/** SQL that reads IDs inside a database. */
@NullMarked
package io.github.snowflakeid.sql;

import org.jspecify.annotations.NullMarked;
