/**
 * Leases of worker IDs and counters of sequential numbers in tables of a database. Start with
 * {@link io.github.snowflakeid.jdbc.JdbcWorkerRegistry} and {@link io.github.snowflakeid.jdbc.JdbcSegmentStore}, which
 * need spring-jdbc and its dependencies, but not Spring Boot. Both run their statements through {@code Database}, on
 * the connection of {@code SharedConnection}, in the table that {@code TableLocator} finds.
 */
@NullMarked
package io.github.snowflakeid.jdbc;

import org.jspecify.annotations.NullMarked;
