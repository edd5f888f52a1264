package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import org.jspecify.annotations.Nullable;

/** A text form of IDs, as chosen by an annotation. Safe for use by any number of threads. */
public interface IdTextCodec {

    /**
     * Returns an ID as text.
     *
     * @param id the ID
     * @return the text
     * @throws IllegalArgumentException if the ID is negative
     * @throws ConfigurationException if no key is configured
     */
    String format(long id);

    /**
     * Returns the ID that a text stands for.
     *
     * @param text the text, which may come from an untrusted source
     * @return the ID
     * @throws IllegalArgumentException if the text does not stand for an ID
     * @throws ConfigurationException if no key is configured
     */
    long parse(String text);

    /**
     * Returns an ID as text.
     *
     * @param type the type of the ID
     * @param id an object of the type
     * @return the text; null for an object that holds null
     * @throws IllegalArgumentException if the ID is negative
     * @throws ConfigurationException if no key is configured
     */
    default @Nullable Object write(IdType type, Object id) {
        Object plain = type.unwrap(id);
        return plain == null || type.isText() ? plain : format(IdType.toLong(plain));
    }

    /**
     * Returns the ID that a text stands for.
     *
     * @param type the type of the ID
     * @param text the text, which may come from an untrusted source
     * @return an object of the type
     * @throws IllegalArgumentException if the text does not stand for an ID
     * @throws ConfigurationException if no key is configured
     */
    default Object read(IdType type, String text) {
        return type.isText() ? type.wrap(text) : type.convert(parse(text));
    }

    /**
     * Returns whether clients must not learn why a text was rejected.
     *
     * @return {@code false} unless overridden
     */
    default boolean isSecret() {
        return false;
    }

    /**
     * Returns a pattern that all texts match.
     *
     * @return a regular expression
     */
    default String pattern() {
        return "^[0-9A-Za-z]{%s}$".formatted(format(0).length());
    }

    /**
     * Returns a description of valid texts, for clients that sent another text. It does not say why a text is invalid.
     *
     * @return a phrase such as "a public ID"
     */
    String inWords();
}
