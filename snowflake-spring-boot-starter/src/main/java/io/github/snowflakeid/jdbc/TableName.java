package io.github.snowflakeid.jdbc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a table as it is configured: up to three parts with dots between them. A part is a plain identifier,
 * whose case the database decides about, or a quoted one. A part with a hyphen counts as quoted.
 */
record TableName(String text) {

    private static final Pattern PART = Pattern.compile("[\\w$-]+|\"[^\"\\p{Cntrl}]+\"|`[^`\\p{Cntrl}]+`");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][\\w$]*");
    private static final String NAME = "(%1$s)(\\.(%1$s)){0,2}".formatted(PART);

    /** @throws IllegalArgumentException if the text is not a name */
    TableName {
        if (!text.matches(NAME)) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits, _, $ and -, optionally with a schema and a dot before it, but was '%s'. Write any other name in double quotes"
                            .formatted(text));
        }
    }

    /** Returns whether the name has a schema, or on MySQL a database. */
    boolean isQualified() {
        return PART.matcher(text).results().count() > 1;
    }

    /** Returns the name for statements, in which the database decides about the case of plain identifiers. */
    String sql(Dialect dialect) {
        return PART.matcher(text).replaceAll(found -> {
            String part = found.group();
            boolean isPlain = PLAIN.matcher(part).matches();
            return Matcher.quoteReplacement(isPlain ? part : dialect.quote(part.replaceAll("^[\"`]|[\"`]$", "")));
        });
    }
}
