/**
 * Snowflake ids as values of Hibernate attributes. {@link io.github.snowflakeid.SnowflakeId} is all that an entity
 * needs; {@code @GeneratedValue(generator = "snowflake")} does the same for ids, without an import of this
 * library.
 */
@NullMarked
@GenericGenerator(name = NamedIdGenerator.NAME, type = NamedIdGenerator.class)
package io.github.snowflakeid.hibernate;

import org.hibernate.annotations.GenericGenerator;
import org.jspecify.annotations.NullMarked;
