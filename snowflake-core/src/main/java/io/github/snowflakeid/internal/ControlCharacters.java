package io.github.snowflakeid.internal;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Escapes text from outside this process before it is used in a log line or a message, and text of this process before
 * it is stored.
 */
public final class ControlCharacters {

    /** Control characters, and characters that end a line or change the direction of text. */
    private static final Pattern ESCAPED = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private static final Pattern NOT_PRINTABLE_ASCII = Pattern.compile("[^ -~]");

    private ControlCharacters() {}

    /**
     * Replaces control characters, which could forge log lines, by their Unicode escapes.
     *
     * @param text any text; null is treated as {@code "null"}
     * @return the text on one line, in which a line feed, for example, is a backslash followed by {@code u000a}
     */
    public static String escape(@Nullable String text) {
        return escape(ESCAPED, String.valueOf(text));
    }

    /**
     * Replaces all characters other than printable ASCII by their Unicode escapes, so that a store can keep the text in
     * any encoding.
     *
     * @param text any text
     * @return the text in printable ASCII
     */
    public static String toAscii(String text) {
        return escape(NOT_PRINTABLE_ASCII, text);
    }

    private static String escape(Pattern escaped, String text) {
        return escaped.matcher(text)
                .replaceAll(found -> found.group()
                        .chars()
                        .mapToObj(unit -> String.format(Locale.ROOT, "\\\\u%04x", unit))
                        .collect(Collectors.joining()));
    }
}
