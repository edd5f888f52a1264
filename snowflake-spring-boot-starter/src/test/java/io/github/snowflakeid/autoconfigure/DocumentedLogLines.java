package io.github.snowflakeid.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of log messages in docs/troubleshooting.md. */
final class DocumentedLogLines {

    private static final Path PAGE = Path.of("").toAbsolutePath().getParent().resolve("docs/troubleshooting.md");

    private DocumentedLogLines() {}

    /**
     * Returns the level and the beginning of each line in the table below a heading; "…" in a message stands for any
     * text.
     */
    static List<Pattern> below(String heading) throws IOException {
        String table =
                Files.readString(PAGE).split("\n### " + heading + "\n", 2)[1].split("\n#", 2)[0];
        return Pattern.compile("(?m)^\\| ([A-Z]+) \\| `(.*?)` \\|")
                .matcher(table)
                .results()
                .map(row -> Stream.of((row.group(1) + " " + row.group(2)).split("…", -1))
                        .map(part -> part.isEmpty() ? "" : Pattern.quote(part))
                        .collect(Collectors.joining(".*?")))
                .map(Pattern::compile)
                .toList();
    }
}
