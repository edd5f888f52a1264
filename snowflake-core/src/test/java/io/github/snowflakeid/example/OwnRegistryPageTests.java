package io.github.snowflakeid.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks docs/own-store.md. */
class OwnRegistryPageTests {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String PAGE = read(ROOT.resolve("docs/own-store.md"));

    @Test
    void testsAreInAnArtifactOfThisBuild() {
        String version = find(read(ROOT.resolve("pom.xml")), "<version>(.*?)</version>")
                .findFirst()
                .orElseThrow()
                .group(1);

        assertThat(blocks("xml").toList()).singleElement().asString().contains("""
                  <groupId>io.github.snowflakeid</groupId>
                  <artifactId>snowflake-core</artifactId>
                  <version>%s</version>
                  <type>test-jar</type>
                """.formatted(version));
    }

    private static Stream<String> blocks(String language) {
        return find(PAGE, "(?s)```" + language + "\n(.*?)```").map(block -> block.group(1));
    }

    private static Stream<MatchResult> find(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
