package io.github.snowflakeid.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Makes the IDs in a Spring test predictable: in each test method, each generator of the context issues 1, 2, 3 and so
 * on. Annotate a test class, with or without a slice such as {@code @DataJpaTest}. Every
 * {@link io.github.snowflakeid.IdGenerator} bean is replaced by a {@link io.github.snowflakeid.test.TestIdGenerator},
 * which tests can inject. This applies to the unnamed generator, named generators, generators of sequential numbers and
 * generator beans of the application. The generators then need no store and lease no worker ID.
 *
 * <p>The annotation works on test classes only. On an application class it has no effect, and IDs stay unique.
 *
 * @since 1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestIds {

    /**
     * Returns whether IDs start at 1 again before each test method. Choose {@code false} if rows that a test or the
     * startup of the application saves remain in the database: otherwise, new rows would get the IDs of these rows.
     *
     * @return {@code false} if IDs continue for as long as the context exists
     */
    boolean resetBeforeEachTest() default true;
}
