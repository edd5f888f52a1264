package io.github.snowflakeid.text;

/** Texts of strangers in messages: short, and of visible characters only, so that they forge no line of a log. */
final class Quoted {

    private static final int MOST = 40;

    private Quoted() {}

    static String of(String text) {
        int shown = Math.min(MOST, text.length());
        StringBuilder quoted = new StringBuilder(shown + 3).append('"');
        for (int index = 0; index < shown; index++) {
            char character = text.charAt(index);
            quoted.append(character > ' ' && character < 0x7f ? character : '?');
        }
        return quoted.append(shown < text.length() ? "…\"" : "\"").toString();
    }
}
