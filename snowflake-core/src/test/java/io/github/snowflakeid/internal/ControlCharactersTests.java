package io.github.snowflakeid.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlCharactersTests {

    @Test
    void whatForgesLinesIsEscaped() {
        assertThat(ControlCharacters.escape("a\r\n\t\0\u001b[2J\u007f\u0085\u2028\u2029\u202e\ud83d\ude00 b"))
                .isEqualTo("a\\u000d\\u000a\\u0009\\u0000\\u001b[2J\\u007f\\u0085\\u2028\\u2029\\u202e\ud83d\ude00 b");
    }

    @Test
    void ordinaryTextStaysAsItIs() {
        String text = "Zürich-3 (東京), pid 42, C:\\shop '$1' \ud83d\ude00";

        assertThat(ControlCharacters.escape(text)).isEqualTo(text);
        assertThat(ControlCharacters.escape(null)).isEqualTo("null");
    }

    @Test
    void textToStoreIsPrintableAscii() {
        String ascii = ControlCharacters.toAscii("Z\u00fcrich\t\u96ea \ud83d\ude00\ud83d C:\\shop '$1' ~\u007f");

        assertThat(ascii).isEqualTo("Z\\u00fcrich\\u0009\\u96ea \\ud83d\\ude00\\ud83d C:\\shop '$1' ~\\u007f");
        assertThat(ControlCharacters.toAscii(ascii)).isEqualTo(ascii);
    }
}
