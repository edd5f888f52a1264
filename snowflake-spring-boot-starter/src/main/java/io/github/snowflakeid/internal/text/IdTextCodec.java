package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.internal.failure.ConfigurationException;

/** How an annotation wants an id to be written. Safe for use by any number of threads. */
public interface IdTextCodec {

    /**
     * An id as text.
     *
     * @param id the id
     * @return the text
     * @throws IllegalArgumentException if the id is negative
     * @throws ConfigurationException if there is no key
     */
    String format(long id);

    /**
     * The id that a text stands for.
     *
     * @param text the text, from anybody
     * @return the id
     * @throws IllegalArgumentException if the text stands for none
     * @throws ConfigurationException if there is no key
     */
    long parse(String text);

    /**
     * Whether nobody must learn why a text stands for nothing.
     *
     * @return {@code false} unless overridden
     */
    default boolean isSecret() {
        return false;
    }

    /**
     * What all texts look like.
     *
     * @return a regular expression
     */
    default String pattern() {
        return "^[0-9A-Za-z]{%d}$".formatted(format(0).length());
    }

    /**
     * What texts are, for whoever sent another one. Says nothing of why it is none.
     *
     * @return words like "a public id"
     */
    String inWords();
}
