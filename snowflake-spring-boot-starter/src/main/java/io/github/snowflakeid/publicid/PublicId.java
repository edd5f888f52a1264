package io.github.snowflakeid.publicid;

import io.github.snowflakeid.internal.mapping.IdMark;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Shows an ID to clients in the encrypted form of {@link io.github.snowflakeid.text.PublicIds}, and reads it back. The
 * application and its database keep the number.
 *
 * <pre>{@code
 * @GetMapping("/orders/{id}")
 * Order get(@PathVariable @PublicId("order") long id) { ... }
 *
 * record Order(@PublicId("order") long id, @PublicId("line") List<Long> lines) {}
 * }</pre>
 *
 * <p><b>Requests.</b> The annotation may be used on controller parameters in Spring MVC and WebFlux, and on attributes
 * of objects to which requests are bound. A text that is not a valid public ID is answered with status 404, as if the
 * controller had thrown a {@code ResponseStatusException}.
 *
 * <p><b>JSON.</b> It may be used on anything that Jackson 2 or 3 treats as an attribute. Jackson reports an invalid
 * text as it reports any value that does not fit, and plain numbers are never accepted. The annotation takes precedence
 * over annotations of Jackson on the same attribute.
 *
 * <p><b>Types.</b> The annotated element is a {@code long}, an {@code int}, one of their wrappers or a
 * {@link java.math.BigInteger}, or an array, a collection or an {@code Optional} of these; in JSON also a map with such
 * keys or values, and {@code long[]} wherever a single ID is allowed. Null stays null. On a type that wraps one ID, the
 * annotation makes each ID of the type public, wherever the type is used:
 *
 * <pre>{@code
 * @PublicId("order")
 * record OrderId(long value) {}
 * }</pre>
 *
 * <p>On the only attribute of a class, the annotation concerns that attribute, and the class is an object with one
 * attribute.
 *
 * <p><b>Errors.</b> The following are configuration errors, and so is a missing key. Controller parameters are checked
 * at startup, everything else at first use.
 *
 * <ul>
 *   <li>any other type, such as {@code OptionalLong} or a stream
 *   <li>a class with several attributes, or an entity
 *   <li>a {@code @JsonAnySetter}
 *   <li>a combination with {@code @JsonTypeInfo}, {@code @JsonIdentityInfo}, {@code @JsonValue} or a delegating creator
 *   <li>a request body, and a controller method
 * </ul>
 *
 * <p><b>Mappers.</b> The annotation is supported by mappers that Spring Boot creates or customizes, and by each
 * converter of Spring MVC and codec of WebFlux that uses Jackson, in every format: JSON, YAML, CBOR, Smile and XML. If
 * a JSON converter uses a Jackson 3 mapper without the module of this library, startup fails. <b>Any other mapper
 * writes the number.</b>
 *
 * @since 1.0
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@IdMark
@Documented
public @interface PublicId {

    /**
     * Returns the kind of object that the ID belongs to.
     *
     * @return the type, 1 to 64 bytes in UTF-8; the same number has different texts under different types
     */
    String value();

    /**
     * Returns the prefix of each text, such as {@code ord_}, which helps people recognize it. A text with another
     * prefix is rejected like any other invalid public ID.
     *
     * @return the prefix, empty by default; must be valid in a URL path
     */
    String prefix() default "";
}
