package io.github.snowflakeid.internal.store;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Describes a store on its auto-configuration, which then applies only if a generator, unnamed or named, uses the
 * store. {@link StoreDescription} reads the attributes also if the auto-configuration does not apply, to say what is
 * missing.
 */
@Conditional(OnStore.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ConditionalOnStore {

    /**
     * Returns the value of {@code snowflake.worker.strategy} or {@code snowflake.segment.store} that selects the store.
     *
     * @return the name, in lower case
     */
    String value();

    /**
     * Returns whether the store also keeps counters of sequential numbers.
     *
     * @return whether it is a value of {@code snowflake.segment.store}
     */
    boolean counters() default false;

    /**
     * Returns the library that {@code @ConditionalOnClass} requires.
     *
     * @return its name; empty if none is required
     */
    String library() default "";

    /**
     * Returns the dependency on the library.
     *
     * @return lines for a {@code pom.xml}
     */
    String dependency() default "";
}
