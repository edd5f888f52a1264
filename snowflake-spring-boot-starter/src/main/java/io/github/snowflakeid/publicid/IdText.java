package io.github.snowflakeid.publicid;

import io.github.snowflakeid.text.IdFormat;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes an id in a format, and reads it back. It hides nothing; {@link PublicId} does, and comes first beside it.
 *
 * <pre>{@code
 * @GetMapping("/tickets/{id}")
 * Ticket get(@PathVariable @IdText(IdFormat.CROCKFORD) long id) { ... }
 * }</pre>
 *
 * <p>It stands where {@link PublicId} stands, for the same types. A text that is not in the format is the error that Spring and Jackson
 * have for what is no number: 400.
 * @since 0.1.0
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdText {

    /**
     * How the id is written.
     *
     * @return the format
     */
    IdFormat value();

    /**
     * What each text begins with, such as {@code ord_}. A text that begins otherwise is rejected.
     *
     * @return the prefix, none by default; fit for a path
     */
    String prefix() default "";
}
