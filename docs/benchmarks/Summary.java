import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the tables of docs/benchmarks.md from the measurements in this directory: {@code java docs/benchmarks/Summary.java}. With the
 * argument {@code check}, it fails if the page has other figures.
 */
class Summary {

    private static final Path DATA = Path.of(System.getProperty("data", "docs/benchmarks"));
    private static final Path PAGE = DATA.resolveSibling("benchmarks.md");
    private static final Predicate<Row> OURS = row -> row.text("generator").startsWith("snowflake");
    private static final Predicate<Row> ATOMIC = row -> row.text("generator").equals("AtomicLong.getAndIncrement");
    private static final ToDoubleFunction<Row> NANOS = row -> 1000 / row.number("million_per_s");

    record Row(Map<String, String> cells) {

        String text(String column) {
            String cell = cells.get(column);
            if (cell == null) {
                throw new IllegalArgumentException("no column " + column + " in " + cells);
            }
            return cell;
        }

        double number(String column) {
            return Double.parseDouble(text(column));
        }

        boolean has(String column, String value) {
            return text(column).equals(value);
        }
    }

    public static void main(String[] arguments) throws IOException {
        String old = Files.readString(PAGE);
        String page = replace(replace(old, "answers", answers()), "inserts", inserts());
        if (arguments.length == 0) {
            Files.writeString(PAGE, page);
        } else if (!page.equals(old)) {
            System.err.println("The tables differ from the measurements. Run: java docs/benchmarks/Summary.java");
            System.exit(1);
        }
    }

    private static String replace(String page, String name, String table) {
        String start = "<!-- " + name + ": written by benchmarks/Summary.java -->\n";
        int from = page.indexOf(start) + start.length();
        int to = page.indexOf("\n<!-- end -->", from);
        if (from < start.length() || to < 0) {
            throw new IllegalArgumentException("no place for the " + name + " on the page");
        }
        return page.substring(0, from) + table + page.substring(to);
    }

    private static String answers() throws IOException {
        List<Row> cost = rows("cost");
        List<Row> limit = rows("limit");
        List<Row> first = rows("startup-first-row").stream()
                .filter(row -> row.has("run", "startup-first-row"))
                .toList();
        return table(
                "question | answer | for comparison",
                "[an ID under load, if the layout is no limit](benchmarks/cost.csv) | %s ns with one thread, %s ns with eight (time divided by the IDs of all threads; leased or fixed) | `AtomicLong` %s and %s ns; libraries that read the clock for each ID %s ns with one thread"
                        .formatted(
                                range(cost, OURS.and(threads(1)), NANOS, 1),
                                range(cost, OURS.and(threads(8)), NANOS, 1),
                                range(cost, ATOMIC.and(threads(1)), NANOS, 1),
                                range(cost, ATOMIC.and(threads(8)), NANOS, 1),
                                range(cost, Summary::readsTheClock, NANOS, 0)),
                "[the limit of the default layout](benchmarks/limit.csv) | 4.096 million IDs a second with %s cores, because callers sleep | generators that spin use %s cores"
                        .formatted(
                                range(limit, OURS, row -> row.number("cores"), 2),
                                range(limit, Summary::spins, row -> row.number("cores"), 1)),
                "[startup until the first row is saved](benchmarks/startup-first-row.csv) on JDK 17, with a lease and with a fixed worker ID | %s and %s ms more | CosId with a machine ID set by hand %s ms, TSIDs %s ms more; %s ms without"
                        .formatted(
                                range(first, variant("leased"), row -> row.number("more_ms"), 0),
                                range(first, variant("fixed"), row -> row.number("more_ms"), 0),
                                range(first, variant("CosId, machine ID set"), row -> row.number("more_ms"), 0),
                                range(first, variant("@Tsid"), row -> row.number("more_ms"), 0),
                                range(first, variant("without"), row -> row.number("first_row_ms"), 0)));
    }

    private static String inserts() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("IDs | thousand rows/s | bytes of index per row | bytes of WAL per row");
        for (Row row : rows("inserts")) {
            lines.add(String.join(
                    " | ",
                    row.text("ids"),
                    row.text("thousand_rows_per_s"),
                    row.text("index_bytes_per_row"),
                    row.text("wal_bytes_per_row")));
        }
        return table(lines.toArray(String[]::new));
    }

    private static boolean readsTheClock(Row row) {
        return row.has("threads", "1")
                && Stream.of("Agrona", "CosId Milli", "tsid", "hypersistence", "Baidu Default", "yitter")
                        .anyMatch(row.text("generator")::startsWith);
    }

    private static boolean spins(Row row) {
        return Stream.of("Agrona", "CosId Milli", "yitter", "MyBatis-Plus", "Hutool")
                .anyMatch(row.text("generator")::startsWith);
    }

    private static Predicate<Row> threads(int count) {
        return row -> row.has("threads", String.valueOf(count));
    }

    private static Predicate<Row> variant(String name) {
        return row -> row.has("variant", name);
    }

    private static String range(List<Row> rows, Predicate<Row> which, ToDoubleFunction<Row> value, int digits) {
        List<String> values = rows.stream()
                .filter(which)
                .map(value::applyAsDouble)
                .sorted(Comparator.naturalOrder())
                .map(number -> String.format(Locale.ROOT, "%." + digits + "f", number))
                .toList();
        String lowest = values.get(0);
        String highest = values.get(values.size() - 1);
        return lowest.equals(highest) ? lowest : lowest + " to " + highest;
    }

    private static String table(String... lines) {
        List<String> rows = new ArrayList<>(Stream.of(lines)
                .map(line -> ("| " + line + " |").replace("|  |", "| |"))
                .toList());
        rows.add(1, "| --- ".repeat(lines[0].split("\\|").length) + "|");
        return String.join("\n", rows);
    }

    private static List<Row> rows(String file) throws IOException {
        List<List<String>> lines = Files.readAllLines(DATA.resolve(file + ".csv")).stream()
                .map(Summary::cells)
                .toList();
        return lines.stream()
                .skip(1)
                .map(cells -> {
                    Map<String, String> row = new LinkedHashMap<>();
                    for (int i = 0; i < cells.size(); i++) {
                        row.put(lines.get(0).get(i), cells.get(i));
                    }
                    return new Row(row);
                })
                .collect(Collectors.toList());
    }

    /** Cells with a comma are quoted; no cell has a quote or a line break. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (char c : (line + ",").toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        return cells;
    }
}
