package io.github.snowflakeid.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Lets a Spring test predict its IDs: each generator of the context issues 1, 2, 3 and so on in each test method. Annotate a test
 * class, with or without a slice such as {@code @DataJpaTest}. Every {@link io.github.snowflakeid.IdGenerator} bean is replaced by a
 * {@link io.github.snowflakeid.test.TestIdGenerator}, which tests can inject: the unnamed generator, named generators, sequential numbers
 * and beans of the application. Generators need no store then, and lease no worker ID.
 *
 * <p>Has an effect on classes of tests only. An application class with this annotation still has unique IDs.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestIds {

    /**
     * Returns whether IDs start from 1 again before each test method. Choose {@code false} if rows of a test, or rows saved when the
     * application starts, remain in the database: new rows would have the IDs of these rows.
     *
     * @return {@code false} if IDs continue for as long as the context exists
     */
    boolean resetBeforeEachTest() default true;
}
