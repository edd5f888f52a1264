package io.github.snowflakeid.text;

/**
 * Quotes untrusted text in messages: shortened, and with visible ASCII characters only, so that it cannot forge log
 * lines.
 */
final class Quoted {

    private static final int MAX_LENGTH = 40;

    private Quoted() {}

    static String of(String text) {
        int shown = Math.min(MAX_LENGTH, text.length());
        StringBuilder quoted = new StringBuilder(shown + 3).append('"');
        for (int index = 0; index < shown; index++) {
            char character = text.charAt(index);
            quoted.append(character > ' ' && character < 0x7f ? character : '?');
        }
        return quoted.append(shown < text.length() ? "…\"" : "\"").toString();
    }
}
