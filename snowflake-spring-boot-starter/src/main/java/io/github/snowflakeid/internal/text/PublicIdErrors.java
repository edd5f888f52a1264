package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import org.jspecify.annotations.Nullable;

/** Exceptions for misconfigured text forms of IDs. Their messages never contain a key. */
public final class PublicIdErrors {

    private static final String GENERATE_A_KEY = """
            Generate a key, store it with your other secrets, and pass it to the application:

            export PUBLIC_ID_KEY=$(openssl rand -base64 32)

            In the configuration, give the key a name of one digit or letter:

            snowflake.public-ids.keys[0].name: a
            snowflake.public-ids.keys[0].secret: ${PUBLIC_ID_KEY}""";

    private PublicIdErrors() {}

    /**
     * Returns the exception for public IDs without a key.
     *
     * @param user what needs them
     * @return the exception
     */
    public static ConfigurationException noKey(String user) {
        return Problem.PUBLIC_ID_KEY.exception(
                "%s needs a key, but 'snowflake.public-ids.keys' is not set.".formatted(user), GENERATE_A_KEY);
    }

    /**
     * @param property the keys, or one of them
     * @param reason the reason; it must not contain a key, and the reasons of the core do not
     */
    static ConfigurationException badKeys(String property, @Nullable String reason) {
        return Problem.PUBLIC_ID_KEY.exception("Invalid '%s': %s".formatted(property, reason), GENERATE_A_KEY);
    }

    /**
     * Returns the exception for an annotation that cannot have an effect.
     *
     * @param form the text form that the annotation chooses
     * @param where the annotated element
     * @param problem why the annotation has no effect; continues a sentence about it
     * @return the exception
     */
    public static ConfigurationException misplaced(IdTextCodec form, String where, String problem) {
        return Problem.PUBLIC_ID_MISPLACED.exception(
                "%s of %s %s.".formatted(form, where, problem), """
                Put it on a controller parameter or a JSON attribute whose type is long, Long or BigInteger, or an array, a \
                collection or an Optional of these. For example:

                record Order(%1$s long id, String customer) {}

                For a class that wraps an ID, put it on the class, and not on its attribute:

                %1$s
                record OrderId(long value) {}""".formatted(form));
    }

    /**
     * Returns the exception for an annotated number where a library does not consider the annotation.
     *
     * @param library the library
     * @param form the text form that the annotation chooses
     * @param where the annotated element
     * @return the exception
     */
    public static ConfigurationException needsType(String library, IdTextCodec form, String where) {
        return Problem.PUBLIC_ID_NOT_APPLIED.exception(
                "%s would read a number instead of %s in %s.".formatted(library, form, where), """
                Declare a type for the ID, and use it instead of the number:

                @PublicId("order")
                record OrderId(long value) {}""");
    }

    /**
     * Returns the exception for an object with IDs that kotlinx.serialization would write and read instead of Jackson.
     *
     * @param form the text form of an ID, or the number that a typed ID should be
     * @param type the type of the object
     * @return the exception
     */
    public static ConfigurationException serializable(IdTextCodec form, String type) {
        return Problem.PUBLIC_ID_NOT_APPLIED.exception(
                "kotlinx.serialization would ignore %s in %s.".formatted(form, type), """
                Remove @Serializable from the class, so that Jackson writes and reads it:

                data class OrderView(%s val id: Long)""".formatted(form));
    }

    /**
     * Returns the exception for an entity of which Spring Data REST would show and accept the number.
     *
     * @param form the text form that the annotations of the ID, or of the parameter of a search, choose
     * @param entity the name of the entity
     * @return the exception
     */
    public static ConfigurationException exported(IdTextCodec form, String entity) {
        return Problem.PUBLIC_ID_NOT_APPLIED.exception(
                "Spring Data REST would use the number instead of %s in paths, links or searches of %s."
                        .formatted(form, entity),
                """
                Write a controller, and do not export the repository:

                @RepositoryRestResource(exported = false)

                or, if only the parameter of a search has a public ID, that method:

                @RestResource(exported = false)""");
    }

    /**
     * Returns the exception for a web binding initializer that does not support conversion services.
     *
     * @param initializer the initializer of the application
     * @return the exception
     */
    public static ConfigurationException notBound(Object initializer) {
        return Problem.PUBLIC_ID_NOT_APPLIED.exception(
                "%s cannot convert texts to IDs: it is not a ConfigurableWebBindingInitializer."
                        .formatted(initializer.getClass().getName()),
                "Use a ConfigurableWebBindingInitializer, or extend that class.");
    }

    /**
     * Returns the exception for a converter of request and response bodies whose JSON would contain plain numbers.
     *
     * @param converter the converter of Spring MVC or the codec of WebFlux
     * @return the exception
     */
    public static ConfigurationException withoutModule(Object converter) {
        return Problem.PUBLIC_ID_NOT_APPLIED.exception(
                "%s would write and read numbers instead of public IDs: its mapper does not have the module of this library."
                        .formatted(converter.getClass().getName()),
                """
                Use the mapper that Spring Boot configures, or register the bean 'snowflake.jackson3Module' (for Jackson 2: \
                'snowflake.jackson2Module') with its mapper. For example:

                @Bean
                JsonMapper jsonMapper(@Qualifier("snowflake.jackson3Module") JacksonModule ids) {
                    return JsonMapper.builder().addModule(ids).build();
                }""");
    }

    /**
     * Returns the exception for an annotation on an element that does not hold IDs.
     *
     * @param form the text form that the annotation chooses
     * @param where the annotated element
     * @param type the type of the element
     * @return the exception
     */
    public static ConfigurationException noId(IdTextCodec form, String where, String type) {
        return misplaced(form, where, holdsNoIds(type));
    }

    /**
     * Returns the problem of an annotation on an element that does not hold IDs.
     *
     * @param type the type of the element
     * @return a problem for {@link #misplaced}
     */
    public static String holdsNoIds(String type) {
        return "is on a %s, which does not hold IDs".formatted(type);
    }
}
