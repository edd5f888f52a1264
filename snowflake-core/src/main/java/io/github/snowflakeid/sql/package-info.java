/**
 * SQL functions that decode IDs inside a database. {@link io.github.snowflakeid.sql.SqlFunctions} returns the script
 * that creates them for a database and an {@link io.github.snowflakeid.IdLayout}.
 */
@NullMarked
package io.github.snowflakeid.sql;

import org.jspecify.annotations.NullMarked;
