package io.github.snowflakeid.internal;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Escapes text from outside this process, such as text in a registry, before it is shown in a log or a message. */
public final class ControlCharacters {

    /** Besides control characters, those that end a line or reverse the direction of text. */
    private static final Pattern ESCAPED = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private ControlCharacters() {}

    /**
     * Replaces control characters, which could forge lines of a log, by their numbers.
     *
     * @param text any text
     * @return the same text in one line, in which a line feed is a backslash and {@code u000a}
     */
    public static String escape(@Nullable String text) {
        return ESCAPED.matcher(String.valueOf(text))
                .replaceAll(found -> "\\\\u%04x".formatted(found.group().codePointAt(0)));
    }
}
