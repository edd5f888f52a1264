/**
 * Support for Hibernate ORM: sets IDs in attributes with {@link io.github.snowflakeid.SnowflakeId} or
 * {@code @GeneratedValue(generator = "snowflake")}. {@link
 * io.github.snowflakeid.hibernate.SnowflakeHibernateAutoConfiguration} sets it up for factories that Spring creates;
 * for other factories, {@link io.github.snowflakeid.hibernate.SnowflakeSettings} does. Read {@code IdMapping} first: it
 * finds the annotated attributes and installs their generators.
 */
@NullMarked
@GenericGenerator(name = NamedIdGenerator.NAME, type = NamedIdGenerator.class)
package io.github.snowflakeid.hibernate;

import org.hibernate.annotations.GenericGenerator;
import org.jspecify.annotations.NullMarked;
