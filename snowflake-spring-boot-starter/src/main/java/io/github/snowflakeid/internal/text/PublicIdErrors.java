package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import org.jspecify.annotations.Nullable;

/** Failures of text forms of IDs. They show no key. */
public final class PublicIdErrors {

    private static final String MAKE_A_KEY = """
            Make a key, keep it where you keep secrets, and give it to the application:

            export PUBLIC_ID_KEY=$(openssl rand -base64 32)

            In its configuration, the key has a name of one digit or letter:

            snowflake.public-ids.keys[0].name: a
            snowflake.public-ids.keys[0].secret: ${PUBLIC_ID_KEY}""";

    private PublicIdErrors() {}

    static ConfigurationException noKey(String type) {
        return Problem.PUBLIC_ID_KEY.exception(
                "@PublicId(\"%s\") needs a key, but 'snowflake.public-ids.keys' is not set.".formatted(type),
                MAKE_A_KEY);
    }

    /** @param reason which shows no key, as the core's do not */
    static ConfigurationException badKeys(@Nullable String reason) {
        return Problem.PUBLIC_ID_KEY.exception("Invalid 'snowflake.public-ids.keys': " + reason, MAKE_A_KEY);
    }

    static ConfigurationException unsetPlaceholder(String name) {
        return Problem.PUBLIC_ID_KEY.exception(
                "Invalid 'snowflake.public-ids.keys': it is to have the value of '%s', which is not set."
                        .formatted(name),
                """
                Set the environment variable or property '%s' to a key, from where you keep secrets. This makes one:

                openssl rand -base64 32""".formatted(name));
    }

    static ConfigurationException badFormat() {
        return Problem.INVALID_PROPERTY.exception(
                "Property 'snowflake.public-ids.format' must be one of checked, compact.", """
                Set one of checked, compact, for example:

                snowflake.public-ids.format: checked""");
    }

    /**
     * The error for an annotation that cannot do what it promises.
     *
     * @param form which annotation
     * @param where what it stands on
     * @param problem why that cannot be
     * @return the error
     */
    public static ConfigurationException misplaced(IdTextCodec form, String where, String problem) {
        return Problem.PUBLIC_ID_MISPLACED.exception(
                "%s of %s %s.".formatted(form, where, problem), """
                Let it stand on a long, a Long or a BigInteger, or on an array, a collection or an Optional of these: on a parameter \
                of a controller, or on an attribute in JSON. For example:

                record Order(%s long id, String customer) {}""".formatted(form));
    }

    /**
     * Returns the error for a binder of parameters that would take numbers.
     *
     * @param initializer the initializer of the application
     * @return the error
     */
    public static ConfigurationException notBound(Object initializer) {
        return Problem.PUBLIC_ID_NOT_APPLIED.exception(
                "%s cannot convert texts to IDs: it is no ConfigurableWebBindingInitializer."
                        .formatted(initializer.getClass().getName()),
                "Let the WebBindingInitializer be a ConfigurableWebBindingInitializer, or extend that class.");
    }

    /**
     * The error for a converter of bodies whose JSON would have the numbers.
     *
     * @param converter the converter of Spring MVC or the codec of WebFlux
     * @return the error
     */
    public static ConfigurationException withoutModule(Object converter) {
        return Problem.PUBLIC_ID_NOT_APPLIED.exception(
                "%s would write and read numbers in place of public ids: its mapper does not have the module of this library."
                        .formatted(converter.getClass().getName()),
                """
                Let it use the mapper that Spring Boot configures, or register the bean 'snowflake.jackson3Module', of Jackson 2 \
                'snowflake.jackson2Module', with its mapper. For example:

                @Bean
                JsonMapper jsonMapper(@Qualifier("snowflake.jackson3Module") JacksonModule ids) {
                    return JsonMapper.builder().addModule(ids).build();
                }""");
    }

    /**
     * The error for a parameter whose default is no id.
     *
     * @param form its annotation
     * @param where which parameter
     * @param text its default
     * @return the error
     */
    public static ConfigurationException badDefault(IdTextCodec form, String where, String text) {
        return Problem.PUBLIC_ID_MISPLACED.exception(
                "%s of %s has the default \"%s\", which is not %s.".formatted(form, where, text, form.inWords()),
                """
                Let the parameter be null where a request does not have it:

                @RequestParam(required = false) %s Long id""".formatted(form));
    }

    /**
     * The error for an annotation that names no type.
     *
     * @param form the annotation
     * @param reason why, as the core says it
     * @return the error
     */
    static ConfigurationException badType(IdTextCodec form, @Nullable String reason) {
        return Problem.PUBLIC_ID_MISPLACED.exception("%s cannot be used: %s.".formatted(form, reason), """
                Name what has the id, for example:

                record Order(@PublicId("order") long id, String customer) {}""");
    }

    /**
     * The error for an annotation on something that is no id.
     *
     * @param form which annotation
     * @param where what it stands on
     * @param type the type of that
     * @return the error
     */
    public static ConfigurationException noId(IdTextCodec form, String where, String type) {
        return misplaced(form, where, holdsNoIds(type));
    }

    /**
     * The problem of an annotation on something that is no id.
     *
     * @param type the type of that
     * @return what {@link #misplaced} takes
     */
    public static String holdsNoIds(String type) {
        return "stands on a %s, which holds no ids".formatted(type);
    }
}
