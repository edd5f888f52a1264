package io.github.snowflakeid.publicid;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Shows an id to the outside as {@link io.github.snowflakeid.text.PublicIds} encrypts it, and reads it back. The application and
 * its database keep the number.
 *
 * <pre>{@code
 * @GetMapping("/orders/{id}")
 * Order get(@PathVariable @PublicId("order") long id) { ... }
 *
 * record Order(@PublicId("order") long id, @PublicId("line") List<Long> lines) {}
 * }</pre>
 *
 * <p>It stands on parameters of controllers in Spring MVC and WebFlux, and on attributes of objects that requests are bound to. A
 * text that was not made here answers 404, as a {@code ResponseStatusException} of the controller would. It also stands on
 * whatever Jackson 2 or 3 takes for an attribute; there such a text is the error that Jackson has for what does not fit, and no number is
 * taken for an id.
 *
 * <p>What has it is a {@code long}, a {@code Long}, a {@link java.math.BigInteger}, or an array, a collection or an
 * {@code Optional} of these; in JSON the values of a map as well. Null stays null. For anything else, on the body of a request or on a
 * method of a controller it is an error, at the start if it stands there, else when it is used. So it is without a key.
 *
 * <p>All this holds for mappers of JSON that Spring Boot makes or customizes. <b>Any other mapper writes the number.</b>
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface PublicId {

    /**
     * What has the id.
     *
     * @return the type, 1 to 64 bytes in UTF-8: ids of two types with one number look different
     */
    String value();
}
