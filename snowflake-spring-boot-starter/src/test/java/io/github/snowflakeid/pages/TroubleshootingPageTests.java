package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TroubleshootingPageTests {

    private static final Path PAGE = Path.of("..", "docs", "troubleshooting.md");
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Path PACKAGE = Path.of("io", "github", "snowflakeid");

    private static final Pattern LOGGED =
            Pattern.compile("(?:LOG|getLog\\(\\w+\\.class\\))\\s*\\.(warn|error)\\((.*?)\\);\\R", Pattern.DOTALL);

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

    /** Shorter literals of the stores in Redis are not logged. */
    private static final int LONG = 60;

    private static final String LOG_MESSAGES = "\n## Log messages\n";

    /** Its tables are compared with what is logged by the tests of these logs. */
    private static final String LOGS_WITH_TESTS = "### Messages of (leases|counters)\n(?s:.*?)\n(?=###)";

    @Test
    void hasOneEntryForEachProblem() throws IOException {
        assertThat(Files.readString(PAGE).split(LOG_MESSAGES)[0].lines())
                .filteredOn(line -> line.startsWith("### "))
                .extracting(
                        heading -> heading.substring(4).toLowerCase(Locale.ROOT).replace(' ', '-'))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Problem.values()).map(Problem::anchor).toList());
    }

    /** The page has … in place of values and variable parts, and example values in quotation marks and numbers. */
    @Test
    void quotesMessagesThatTheCodeHas() throws IOException {
        String code = String.join("\n", sources().values()).replaceAll("(?s)/\\*.*?\\*/", "");
        assertThat(Pattern.compile("\\*\"(.+?)\"\\*", Pattern.DOTALL)
                        .matcher(Files.readString(PAGE))
                        .results()
                        .flatMap(quote ->
                                Stream.of(quote.group(1).replace('\n', ' ').split("…|'[^']*'|\\d+"))))
                .hasSizeGreaterThan(50)
                .allMatch(part -> code.contains(part.strip()));
    }

    @Test
    void quotesLogMessagesThatTheCodeHas() throws IOException {
        String code = String.join("\n", sources().values());
        List<LogMessage> others =
                logMessages(Files.readString(PAGE).split(LOG_MESSAGES)[1].replaceAll(LOGS_WITH_TESTS, ""));

        assertThat(others)
                .hasSizeGreaterThan(10)
                .flatExtracting(LogMessage::parts)
                .allMatch(code::contains);
    }

    @Test
    void hasEveryWarningAndErrorThatIsLogged() throws IOException {
        List<LogMessage> documented = logMessages(Files.readString(PAGE).split(LOG_MESSAGES)[1]);
        Map<Path, String> sources = sources();
        sources.forEach((file, code) -> LOGGED.matcher(code)
                .results()
                // Others log a text that is composed elsewhere.
                .filter(statement -> statement.group(2).contains("\""))
                .forEach(statement -> assertThat(documented)
                        .as("%s: %s", file, statement.group())
                        .anyMatch(message -> message.level().equalsIgnoreCase(statement.group(1))
                                && message.isIn(statement.group(2)))));
        for (Path file : List.of(Path.of("redis", "RedisWorkerRegistry.java"), Path.of("redis", "ServerCheck.java"))) {
            String code = sources.get(SOURCES.resolve(PACKAGE).resolve(file));
            assertThat(LITERAL.matcher(code)
                            .results()
                            .map(literal -> literal.group(1))
                            // The action of a failure, which is not logged.
                            .filter(text -> text.length() >= LONG
                                    && !text.matches("(Synchronize|If Redis's clock is behind).*")))
                    .isNotEmpty()
                    .allSatisfy(text -> assertThat(documented).anyMatch(message -> message.isIn(text)));
        }
    }

    /** A row of the tables; … in a text stands for a value. */
    private record LogMessage(String level, String text) {

        private static final int DISTINCTIVE = 9;

        List<String> parts() {
            return Stream.of(text.split("…"))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty())
                    .toList();
        }

        boolean isIn(String statement) {
            return parts().stream().anyMatch(part -> part.length() >= DISTINCTIVE && statement.contains(part));
        }
    }

    private static List<LogMessage> logMessages(String section) {
        return Pattern.compile("(?m)^\\| `([A-Z]+) (.*?)` \\|")
                .matcher(section)
                .results()
                .map(row -> new LogMessage(row.group(1), row.group(2)))
                .toList();
    }

    /** All sources by file, with literals in one piece. */
    private static Map<Path, String> sources() throws IOException {
        Map<Path, String> sources = new TreeMap<>();
        for (Path root : List.of(SOURCES, Path.of("..", "snowflake-core").resolve(SOURCES))) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    sources.put(file, Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", ""));
                }
            }
        }
        return sources;
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemOccurs(Problem problem) throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.endsWith("Problem.java"))
                            .filter(file -> mentions(file, "Problem." + problem))
                            .collect(Collectors.toList()))
                    .isNotEmpty();
        }
    }

    private static boolean mentions(Path file, String constant) {
        try {
            return Files.readString(file).contains(constant);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
