package io.github.snowflakeid.publicid;

import io.github.snowflakeid.text.IdFormat;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes and reads an ID in a text format. The text reveals the ID; to hide it, use {@link PublicId}, which takes
 * precedence if both are present.
 *
 * <pre>{@code
 * @GetMapping("/tickets/{id}")
 * Ticket get(@PathVariable @IdText(IdFormat.CROCKFORD) long id) { ... }
 * }</pre>
 *
 * <p>It may be used wherever {@link PublicId} may be used except on types, for the same types of IDs. A text that is
 * not in the format is rejected as Spring and Jackson reject a text that is not a number: with status 400.
 *
 * @since 1.0
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdText {

    /**
     * Returns the format of the ID.
     *
     * @return the format
     */
    IdFormat value();

    /**
     * Returns the prefix of each text, such as {@code ord_}. A text with another prefix is rejected.
     *
     * @return the prefix, empty by default; must be valid in a URL path
     */
    String prefix() default "";
}
