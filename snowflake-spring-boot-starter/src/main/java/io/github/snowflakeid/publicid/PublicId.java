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
 * <p>It is for a {@code long}, an {@code int}, their wrappers and a {@link java.math.BigInteger}, and for arrays, collections and an {@code
 * Optional} of these; in JSON also for the keys and values of a map, and for {@code long[]} in place of one ID. Null stays null.
 *
 * <p>On the component of a type that wraps one ID, it makes each ID of the type public, wherever the type is used:
 *
 * <pre>{@code
 * record OrderId(@PublicId("order") long value) {}
 * }</pre>
 *
 * <p>On any other type, such as {@code OptionalLong} or a stream, on a {@code @JsonAnySetter}, together with {@code @JsonTypeInfo},
 * {@code @JsonIdentityInfo}, {@code @JsonValue} or a delegating creator, on the body of a request and on a method of a controller it is an
 * error, and so is a missing key. Parameters of controllers are checked at startup, everything else when it is first used.
 *
 * <p>In JSON it comes before annotations of Jackson on the same attribute.
 *
 * <p>All this holds for mappers that Spring Boot makes or customizes, and for each converter of Spring MVC and codec of WebFlux that
 * uses Jackson, in every format: JSON, YAML, CBOR, Smile and XML. If a converter for JSON uses a mapper of Jackson 3 without the module
 * of this library, the application does not start. <b>Any other mapper writes the number.</b>
 * @since 0.1.0
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

    /**
     * What each text begins with, such as {@code ord_}, for people who read it. A text that begins otherwise is rejected as any other
     * text that is no public ID.
     *
     * @return the prefix, none by default; fit for a path
     */
    String prefix() default "";
}
