package io.github.snowflakeid.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TroubleshootingPageTests {

    private static final Path PAGE = Path.of("..", "docs", "troubleshooting.md");
    private static final Path SOURCES = Path.of("src", "main", "java");

    @Test
    void hasOneEntryForEachProblem() throws IOException {
        assertThat(Files.readAllLines(PAGE))
                .filteredOn(line -> line.startsWith("### "))
                .extracting(
                        heading -> heading.substring(4).toLowerCase(Locale.ROOT).replace(' ', '-'))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Problem.values()).map(Problem::anchor).toList());
    }

    /** The page has … for values and for parts that are composed, and examples of values in quotation marks and of numbers. */
    @Test
    void quotesMessagesThatTheCodeHas() throws IOException {
        StringBuilder code = new StringBuilder();
        for (Path sources : List.of(SOURCES, Path.of("..", "snowflake-core").resolve(SOURCES))) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    code.append(Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", ""));
                }
            }
        }
        assertThat(Pattern.compile("\\*\"(.+?)\"\\*", Pattern.DOTALL)
                        .matcher(Files.readString(PAGE))
                        .results()
                        .flatMap(quote -> Stream.of(quote.group(1).split("…|'[^']*'|\\d+"))))
                .hasSizeGreaterThan(50)
                .allSatisfy(part -> assertThat(code).contains(part.strip()));
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
