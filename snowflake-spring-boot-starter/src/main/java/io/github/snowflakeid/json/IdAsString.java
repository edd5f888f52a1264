package io.github.snowflakeid.json;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes ids into JSON as strings: JavaScript's numbers are exact only up to 2^53. Works with Jackson 2 and with Jackson 3.
 *
 * <pre>{@code
 * record Order(@IdAsString long id, @IdAsString List<Long> lines, @IdAsString long[] invoices) {}
 * }</pre>
 *
 * <p>It stands on a field, a getter, a setter, a component of a record or a parameter of a creator. The attribute is a
 * {@code long}, a {@code Long}, a {@link java.math.BigInteger}, a type that wraps one of them, or an array, a collection, an {@code
 * Optional} or the values of a map of these. Null stays null. On the component of a type that wraps one ID, it stands for each attribute
 * of the type.
 *
 * <p>An id is read from a string of digits, or from a whole number. Anything else, such as an empty text, a fraction or a number
 * with an exponent, is the error that Jackson has for what does not fit, and so is a number that is too large for a {@code long}.
 *
 * <p>All this holds for mappers that Spring Boot makes or customizes, and for the converters of Spring MVC and codecs of WebFlux that
 * use Jackson, except for mappers of Jackson 3 for JSON that the application has made. Any other mapper writes all but {@code long[]} as strings, and
 * reads what Jackson reads without the annotation.
 *
 * @since 0.1.0
 */
@JacksonAnnotationsInside
@JsonFormat(shape = JsonFormat.Shape.STRING)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdAsString {

    /**
     * What each text begins with, such as {@code ord_}. A text that begins otherwise is rejected, and so is a number. Parameters of
     * controllers have the prefix, too.
     *
     * @return the prefix, none by default; fit for a path
     */
    String prefix() default "";
}
