/**
 * Support for Spring Data JDBC and Spring Data R2DBC: sets IDs in attributes with
 * {@link io.github.snowflakeid.SnowflakeId} when an entity is saved. Read {@code IdAssignment} first: it sets the IDs
 * of one object, in the attributes that {@code AnnotatedEntities} finds.
 */
@NullMarked
package io.github.snowflakeid.data;

import org.jspecify.annotations.NullMarked;
