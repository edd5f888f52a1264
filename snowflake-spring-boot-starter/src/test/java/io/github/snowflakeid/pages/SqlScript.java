package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Splits SQL into statements. */
public final class SqlScript {

    private SqlScript() {}

    public static List<String> read(Path file) {
        try {
            return statements(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the statements without lines of comments. Each statement ends with a semicolon at the end of a line,
     * except semicolons within a function.
     */
    public static List<String> statements(String sql) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        boolean inFunction = false;
        for (String line : sql.split("\n")) {
            if (line.startsWith("--") || (line.isEmpty() && statement.isEmpty())) {
                continue;
            }
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
