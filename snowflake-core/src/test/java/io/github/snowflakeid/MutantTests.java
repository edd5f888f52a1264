package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the mutants in {@code src/mutants/mutants.txt}, which are run only on demand, match the current code. */
class MutantTests {

    private static final Path FILE = Path.of("src/mutants/mutants.txt");
    private static final Path SOURCES = Path.of("src/main/java/io/github/snowflakeid");

    private record Mutant(String name, String file, String test, String replaced, String by) {

        static Mutant of(String block) {
            List<String> head = block.lines()
                    .filter(line -> !line.startsWith("-") && !line.startsWith("+"))
                    .toList();
            return new Mutant(head.get(0), head.get(1), head.get(2), lines(block, "-"), lines(block, "+"));
        }

        private static String lines(String block, String mark) {
            StringBuilder lines = new StringBuilder();
            block.lines()
                    .filter(line -> line.startsWith(mark))
                    .forEach(line -> lines.append(line.substring(1)).append('\n'));
            return lines.toString();
        }
    }

    private static Stream<Mutant> all() throws IOException {
        return Arrays.stream(Files.readString(FILE).split("(?m)^= ")).skip(1).map(Mutant::of);
    }

    @Test
    void whatEachMutantReplacesStandsInItsSourceExactlyOnce() throws IOException {
        assertThat(all()).hasSizeGreaterThan(30).allSatisfy(mutant -> {
            String source = Files.readString(SOURCES.resolve(mutant.file()));
            assertThat(source.split(Pattern.quote(mutant.replaced()), -1))
                    .as("parts of %s between what mutant %s replaces", mutant.file(), mutant.name())
                    .hasSize(2);
            assertThat(mutant.by()).as(mutant.name()).isNotEmpty().isNotEqualTo(mutant.replaced());
        });
    }

    /** The replacement, too, has names that change. */
    // Slow: calls the compiler for each mutant.
    @Tag("full")
    @Test
    void eachMutantCompiles(@TempDir Path directory) throws IOException {
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        assertThat(all()).allSatisfy(mutant -> {
            Path source = SOURCES.resolve(mutant.file());
            Path changed = Files.writeString(
                    directory.resolve(source.getFileName()),
                    Files.readString(source).replace(mutant.replaced(), mutant.by()));
            StringWriter log = new StringWriter();
            PrintWriter writer = new PrintWriter(log);
            String[] options = {
                "-proc:none", "-nowarn", "-d", directory.toString(), "-cp", System.getProperty("java.class.path")
            };
            assertThat(javac.run(
                            writer,
                            writer,
                            Stream.concat(Stream.of(options), Stream.of(changed.toString()))
                                    .toArray(String[]::new)))
                    .as("%s: %s", mutant.name(), log)
                    .isZero();
        });
    }

    @Test
    void theTestOfEachMutantExists() throws IOException {
        assertThat(all()).allSatisfy(mutant -> {
            String[] test = mutant.test().contains("#")
                    ? mutant.test().split("#")
                    : new String[] {LeaseSimulationTests.class.getSimpleName(), mutant.test()};
            assertThat(Class.forName("io.github.snowflakeid." + test[0]).getDeclaredMethods())
                    .as(mutant.name())
                    .anyMatch(method -> method.getName().equals(test[1]));
        });
    }
}
