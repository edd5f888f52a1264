package io.github.snowflakeid.publicid;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** The application is not configured, or not written, so that ids can be text; says why, and what to do. Shows no key. */
public final class PublicIdFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String MAKE_A_KEY = """
            Make a key, keep it where you keep secrets, and give it to the application:

            export PUBLIC_ID_KEY=$(openssl rand -base64 32)

            In its configuration, the key has a name of one digit or letter:

            snowflake.public-ids.keys[0].name: a
            snowflake.public-ids.keys[0].secret: ${PUBLIC_ID_KEY}""";

    /** What to do about it. */
    private final String action;

    private PublicIdFailure(String message, String action) {
        super(message);
        this.action = action;
    }

    static PublicIdFailure noKey(String type) {
        return new PublicIdFailure(
                "@PublicId(\"%s\") needs a key, but 'snowflake.public-ids.keys' is not set.".formatted(type),
                MAKE_A_KEY);
    }

    /** @param reason which shows no key, as the core's do not */
    static PublicIdFailure badKeys(@Nullable String reason) {
        return new PublicIdFailure("Invalid 'snowflake.public-ids.keys': " + reason, MAKE_A_KEY);
    }

    static PublicIdFailure unsetPlaceholder(String name) {
        return new PublicIdFailure(
                "Invalid 'snowflake.public-ids.keys': it is to have the value of '%s', which is not set."
                        .formatted(name),
                """
                Set the environment variable or property '%s' to a key, from where you keep secrets. This makes one:

                openssl rand -base64 32""".formatted(name));
    }

    static PublicIdFailure badFormat() {
        return new PublicIdFailure("Property 'snowflake.public-ids.format' must be one of checked, compact.", """
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
    public static PublicIdFailure misplaced(TextForm form, String where, String problem) {
        return new PublicIdFailure("%s of %s %s.".formatted(form, where, problem), """
                Let it stand on a long, a Long or a BigInteger, or on an array, a collection or an Optional of these: on a parameter \
                of a controller, or on an attribute in JSON. For example:

                record Order(%s long id) {}""".formatted(form));
    }

    /**
     * The error for an annotation on a parameter that Spring binds by itself.
     *
     * @param form which annotation
     * @param where what it stands on
     * @return the error
     */
    public static PublicIdFailure notBound(TextForm form, String where) {
        return new PublicIdFailure(
                "%s of %s would be ignored: the WebBindingInitializer of the application cannot be told of it."
                        .formatted(form, where),
                "Let the WebBindingInitializer be a ConfigurableWebBindingInitializer, or extend that class.");
    }

    /**
     * The error for a converter of bodies whose JSON would have the numbers.
     *
     * @param converter the converter of Spring MVC or the codec of WebFlux
     * @return the error
     */
    public static PublicIdFailure withoutModule(Object converter) {
        return new PublicIdFailure(
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
    public static PublicIdFailure badDefault(TextForm form, String where, String text) {
        return new PublicIdFailure(
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
    static PublicIdFailure badType(TextForm form, @Nullable String reason) {
        return new PublicIdFailure("%s cannot be used: %s.".formatted(form, reason), """
                Name what has the id, for example:

                record Order(@PublicId("order") long id) {}""");
    }

    /**
     * The error for an annotation on something that is no id.
     *
     * @param form which annotation
     * @param where what it stands on
     * @param type the type of that
     * @return the error
     */
    public static PublicIdFailure noId(TextForm form, String where, String type) {
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

    /** What is wrong and what to do about it, for stack traces: not only a start fails by this. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // The message alone is what a failed start describes.
    public String toString() {
        return super.toString() + "\n\n" + action;
    }

    /** Reports it without the exceptions around it. */
    @Order(0)
    static final class Analyzer extends AbstractFailureAnalyzer<PublicIdFailure> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, PublicIdFailure cause) {
            return new FailureAnalysis(cause.getMessage(), cause.action, cause);
        }
    }
}
