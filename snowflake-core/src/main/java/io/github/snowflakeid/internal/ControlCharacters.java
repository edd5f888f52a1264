package io.github.snowflakeid.internal;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Escapes text from outside this process, such as text in a registry, before it is used in a log line or a message. */
public final class ControlCharacters {

    /** Control characters, and characters that end a line or change the direction of text. */
    private static final Pattern ESCAPED = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private ControlCharacters() {}

    /**
     * Replaces control characters, which could forge log lines, by their Unicode escapes.
     *
     * @param text any text; null is treated as {@code "null"}
     * @return the text on one line, in which a line feed, for example, is a backslash followed by {@code u000a}
     */
    public static String escape(@Nullable String text) {
        return ESCAPED.matcher(String.valueOf(text))
                .replaceAll(found ->
                        String.format(Locale.ROOT, "\\\\u%04x", found.group().codePointAt(0)));
    }
}
