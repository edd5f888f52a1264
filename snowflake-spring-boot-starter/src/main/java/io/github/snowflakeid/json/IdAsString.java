package io.github.snowflakeid.json;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowflakeid.internal.mapping.IdMark;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes IDs to JSON as strings, because JavaScript numbers are exact only up to 2^53. Works with Jackson 2 and Jackson
 * 3.
 *
 * <pre>{@code
 * record Order(@IdAsString long id, @IdAsString List<Long> lines, @IdAsString long[] invoices) {}
 * }</pre>
 *
 * <p>It may be used on a field, a getter, a setter, a record component, a creator parameter or a type. The type of the
 * attribute is {@code long}, {@code Long}, {@link java.math.BigInteger} or a type that wraps one of them, or an array,
 * a collection, an {@code Optional} or a map with values of these types. Null stays null. On a type that wraps one ID,
 * the annotation makes the type a string wherever it is used:
 *
 * <pre>{@code
 * @IdAsString
 * record CustomerId(long value) {}
 * }</pre>
 *
 * <p>IDs are read from strings of digits and from whole numbers. Anything else, such as an empty string, a fraction, a
 * number with an exponent or a number that exceeds a {@code long}, is reported as Jackson reports any value that does
 * not fit.
 *
 * <p>The annotation is fully supported by mappers that Spring Boot creates or customizes, and by the converters of
 * Spring MVC and codecs of WebFlux that use Jackson, except for Jackson 3 mappers for JSON that the application created
 * itself. Any other mapper writes all types except {@code long[]} as strings, and reads values as it does without the
 * annotation.
 *
 * @since 1.0
 */
@JacksonAnnotationsInside
@JsonFormat(shape = JsonFormat.Shape.STRING)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@IdMark
@Documented
public @interface IdAsString {

    /**
     * Returns the prefix of each text, such as {@code ord_}. A text with another prefix is rejected, and so is a
     * number. The prefix also applies to controller parameters.
     *
     * @return the prefix, empty by default; must be valid in a URL path
     */
    String prefix() default "";
}
