package io.github.snowflakeid.internal.properties;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.core.annotation.AliasFor;

/**
 * Registers groups of properties, as {@link EnableConfigurationProperties} does. It is not documented on the classes
 * that have it, because the javadoc tool of JDK 17 fails on an annotation that names a record.
 */
@EnableConfigurationProperties
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface PropertyGroup {

    /**
     * Returns the groups.
     *
     * @return records with {@link org.springframework.boot.context.properties.ConfigurationProperties}
     */
    @AliasFor(annotation = EnableConfigurationProperties.class, attribute = "value")
    Class<?>[] value();
}
