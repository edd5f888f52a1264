package io.github.snowflakeid.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a table as it is configured: up to three parts with dots between them. A part is a plain identifier,
 * whose case the database decides about, or a quoted one. A part with a hyphen counts as quoted.
 */
record TableName(String text, List<String> parts) {

    private static final int MOST_PARTS = 3;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][\\w$]*");
    private static final Pattern PART = Pattern.compile("([\\w$-]+|\"[^\"\\p{Cntrl}]+\"|`[^`\\p{Cntrl}]+`)(\\.|$)");

    /** @throws IllegalArgumentException if the text is not a name */
    static TableName of(String text) {
        List<String> parts = new ArrayList<>();
        Matcher matcher = PART.matcher(text);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            parts.add(matcher.group(1));
            end = matcher.end();
        }
        if (end != text.length() || text.isEmpty() || text.endsWith(".") || parts.size() > MOST_PARTS) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits, _, $ and -, optionally with a schema and a dot before it, but was '%s'. Write any other name in double quotes"
                            .formatted(text));
        }
        return new TableName(text, List.copyOf(parts));
    }

    /** Returns whether the name has a schema, or on MySQL a database. */
    boolean isQualified() {
        return parts.size() > 1;
    }

    /** Returns the name for statements, in which the database decides about the case of plain identifiers. */
    String sql(Dialect dialect) {
        return join(dialect, false);
    }

    /** Returns the name for statements, exactly as it is written. */
    String exact(Dialect dialect) {
        return join(dialect, true);
    }

    private String join(Dialect dialect, boolean exactly) {
        return String.join(
                ".",
                parts.stream()
                        .map(part -> !exactly && PLAIN.matcher(part).matches() ? part : dialect.quote(unquoted(part)))
                        .toList());
    }

    private static String unquoted(String part) {
        return part.startsWith("\"") || part.startsWith("`") ? part.substring(1, part.length() - 1) : part;
    }
}
