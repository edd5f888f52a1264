package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A text form of IDs, as chosen by an annotation. Safe for use by any number of threads.
 *
 * @param annotation the annotation as it appears in source code, for messages
 * @param isSecret whether clients must not learn why a text was rejected
 * @param prefix the beginning of each text; may be empty
 * @param name a description of texts without the prefix, such as "a public ID"
 * @param characters a pattern of texts without the prefix; null for letters and digits, always equally many
 * @param encoder writes a text without the prefix
 * @param decoder reads a text without the prefix
 */
public record IdTextCodec(
        String annotation,
        boolean isSecret,
        String prefix,
        String name,
        @Nullable String characters,
        LongFunction<String> encoder,
        ToLongFunction<String> decoder) {

    /** A number if the data format has numbers, else digits. */
    public static final IdTextCodec NUMBER = digits("@SnowflakeId", "");

    /** Decimal digits. */
    public static final IdTextCodec STRING = digits("@IdAsString", "");

    static IdTextCodec digits(String annotation, String prefix) {
        return new IdTextCodec(annotation, false, prefix, "an ID", "[0-9]{1,19}", Long::toString, Long::parseLong);
    }

    /**
     * Returns whether this is a number or its digits, without encryption, formatting and prefix.
     *
     * @return true for {@link #NUMBER} and {@link #STRING}
     */
    public boolean isPlain() {
        return equals(NUMBER) || equals(STRING);
    }

    /**
     * Returns an ID as text.
     *
     * @param id the ID
     * @return the text
     * @throws IllegalArgumentException if the ID is negative
     * @throws ConfigurationException if no key is configured
     */
    public String format(long id) {
        return prefix + encoder.apply(id);
    }

    /**
     * Returns an ID as text.
     *
     * @param type the type of the ID
     * @param id an object of the type
     * @return the text; null for an object that holds null
     * @throws IllegalArgumentException if the ID is negative
     * @throws ConfigurationException if no key is configured
     */
    public @Nullable Object write(IdType type, Object id) {
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
    public Object read(IdType type, String text) {
        if (type.isText()) {
            return type.wrap(text);
        }
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException("the text does not begin with '%s'".formatted(prefix));
        }
        return type.convert(decoder.applyAsLong(text.substring(prefix.length())));
    }

    /**
     * Returns a pattern that all texts match.
     *
     * @return a regular expression
     */
    public String pattern() {
        String pattern = characters == null
                ? "[0-9A-Za-z]{%s}".formatted(encoder.apply(0).length())
                : characters;
        return "^" + prefix.replaceAll("[^\\w-]", "\\\\$0") + pattern + "$";
    }

    /**
     * Returns a description of valid texts, for clients that sent another text. It does not say why a text is invalid.
     *
     * @return a phrase such as "a public ID"
     */
    public String inWords() {
        return prefix.isEmpty() ? name : "%s that begins with '%s'".formatted(name, prefix);
    }

    @Override
    public String toString() {
        return annotation;
    }
}
