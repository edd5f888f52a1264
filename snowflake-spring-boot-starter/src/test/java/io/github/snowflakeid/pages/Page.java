package io.github.snowflakeid.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A page of the documentation. */
record Page(String name, String text) {

    static Page of(String name) {
        try {
            return new Page(name, Files.readString(Path.of("../docs", name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the fenced blocks of a language, without their indentation. */
    List<String> blocks(String language) {
        return Pattern.compile("^( *)```" + language + "\n(.*?)^ *```$", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(block -> block.group(2).replaceAll("(?m)^" + block.group(1), ""))
                .toList();
    }
}
