/** Leases of worker ids in a database table. */
@NullMarked
package io.github.snowflakeid.jdbc;

import org.jspecify.annotations.NullMarked;
