package io.github.snowflakeid.internal.mapping;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Is on annotations that mark a class as an ID, as {@link io.github.snowflakeid.SnowflakeId} does, so that mappers need
 * not know these annotations.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface IdMark {}
