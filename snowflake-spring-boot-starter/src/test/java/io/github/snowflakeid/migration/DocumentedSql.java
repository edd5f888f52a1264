package io.github.snowflakeid.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The blocks of SQL on a documentation page, each with the headings above it and the text before it. */
public final class DocumentedSql {

    private static final Path DOCS = Path.of("").toAbsolutePath().getParent().resolve("docs");

    /** The SQL of one block. {@code introduction} is the paragraph before it, which names its database. */
    public record Block(String section, String step, String introduction, String sql) {

        public List<String> statements() {
            return SqlScript.statements(sql);
        }
    }

    private final List<Block> blocks = new ArrayList<>();

    public DocumentedSql(String page) {
        String section = "";
        String step = "";
        StringBuilder introduction = new StringBuilder();
        StringBuilder sql = null;
        boolean paragraphEnds = false;
        for (String line : read(DOCS.resolve(page)).split("\n")) {
            if (sql != null && line.equals("```")) {
                blocks.add(new Block(section, step, introduction.toString(), sql.toString()));
                sql = null;
            } else if (sql != null) {
                sql.append(line).append('\n');
            } else if (line.equals("```sql")) {
                sql = new StringBuilder();
            } else if (line.startsWith("## ")) {
                section = line.substring("## ".length());
                step = "";
            } else if (line.startsWith("### ")) {
                step = line.substring("### ".length());
            } else if (line.isEmpty()) {
                paragraphEnds = true;
            } else {
                if (paragraphEnds) {
                    introduction.setLength(0);
                }
                paragraphEnds = false;
                introduction.append(line).append('\n');
            }
        }
    }

    public static String page(String page) {
        return read(DOCS.resolve(page));
    }

    public List<Block> blocks() {
        return blocks;
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
