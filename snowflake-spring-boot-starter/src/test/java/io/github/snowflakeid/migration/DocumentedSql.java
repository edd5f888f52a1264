package io.github.snowflakeid.migration;

import static org.assertj.core.api.Assertions.assertThat;

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

        /** Whether its introduction names the given database, or no database. */
        public boolean isFor(String database) {
            return introduction.contains(database)
                    || !(introduction.contains("PostgreSQL") || introduction.contains("MariaDB"));
        }

        /** Returns its statements. Each ends with a semicolon at the end of a line, except semicolons within a function. */
        public List<String> statements() {
            List<String> statements = new ArrayList<>();
            StringBuilder statement = new StringBuilder();
            boolean inFunction = false;
            for (String line : sql.split("\n")) {
                statement.append(line).append('\n');
                inFunction ^= line.split("\\$\\$", -1).length == 2;
                if (line.endsWith(";") && !inFunction) {
                    statements.add(statement.substring(0, statement.lastIndexOf(";")));
                    statement.setLength(0);
                }
            }
            assertThat(statement).as("what follows the last semicolon").isEmpty();
            return statements;
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
