package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table of a page, between {@code <!-- generated: name -->} and {@code <!-- end -->}, whose rows come from the
 * code. A test reads the rows from the code, and compares them with the page or, with {@code -Dpages.write}, writes
 * them to it.
 *
 * <p>The page decides the order of the rows, the link of a first cell, and the cells that the code does not know.
 */
public final class GeneratedTable {

    private static final boolean WRITES = System.getProperty("pages.write") != null;

    private final Page page;
    private final String begin;
    private final String table;
    private final List<List<String>> head;

    /** The rows by their first cell, without link and backticks. */
    private final Map<String, List<String>> rows;

    private GeneratedTable(Page page, String name) {
        this.page = page;
        begin = "<!-- generated: " + name + " -->\n";
        table = page.text().split(begin, 2)[1].split("<!-- end -->", 2)[0];
        List<List<String>> all = new Page(page.path(), table).rows();
        head = all.subList(0, 2);
        rows = all.stream()
                .skip(2)
                .collect(Collectors.toMap(GeneratedTable::key, row -> row, (one, other) -> one, LinkedHashMap::new));
    }

    public static GeneratedTable of(String page, String name) {
        return new GeneratedTable(Page.of(page), name);
    }

    private static String key(List<String> row) {
        return row.get(0).replaceFirst("^\\[(.*)]\\(.*\\)$", "$1").replace("`", "");
    }

    /** Returns the first cell of each row of the page, without link and backticks. */
    Collection<String> keys() {
        return rows.keySet();
    }

    /** Compares or writes a table of which the code knows only the first cells. */
    public void check(Collection<String> known) {
        check(known.stream().distinct().collect(Collectors.toMap(Function.identity(), key -> List.of())));
    }

    /** @param known the further cells by the first one, in order; empty if the code does not know one */
    void check(Map<String, List<String>> known) {
        String written = Stream.concat(
                        head.stream(),
                        Stream.concat(keys().stream(), known.keySet().stream().sorted())
                                .distinct()
                                .filter(known::containsKey)
                                .map(key -> row(key, known.get(key))))
                .map(row -> row.stream()
                        .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                        .collect(Collectors.joining("", "|", "\n")))
                .collect(Collectors.joining());
        if (WRITES) {
            write(page.text().replace(begin + table, begin + written));
        } else {
            assertThat(table)
                    .as("%s: CONTRIBUTING.md has the command that writes this table", page)
                    .isEqualTo(written)
                    .doesNotContain("| |\n");
        }
    }

    private List<String> row(String key, List<String> cells) {
        List<String> old = rows.get(key);
        return IntStream.range(0, head.get(0).size())
                .mapToObj(column -> {
                    if (column > 0
                            && column <= cells.size()
                            && !cells.get(column - 1).isEmpty()) {
                        return cells.get(column - 1);
                    }
                    return old != null ? old.get(column) : column == 0 ? "`" + key + "`" : "";
                })
                .toList();
    }

    private void write(String text) {
        try {
            Files.writeString(page.path(), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
