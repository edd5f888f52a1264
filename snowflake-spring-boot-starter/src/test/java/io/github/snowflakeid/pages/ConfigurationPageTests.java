package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.autoconfigure.MetadataTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares docs/configuration.md with the configuration metadata. */
class ConfigurationPageTests {

    private static final Path PAGE =
            Path.of("").toAbsolutePath().getParent().resolve("docs").resolve("configuration.md");

    private static List<MatchResult> rows() throws IOException {
        return Pattern.compile("(?m)^\\| `((?:snowflake|management)\\.[a-z.-]+)` \\| (.*?) ?\\|")
                .matcher(Files.readString(PAGE))
                .results()
                .toList();
    }

    @Test
    void hasEveryPropertyOnceWithItsDefault() throws IOException {
        Map<String, String> defaults = new TreeMap<>(MetadataTests.defaults());
        // Spring Boot has deprecated this one for every endpoint.
        defaults.remove("management.endpoint.snowflake.enabled");

        assertThat(rows()).extracting(row -> row.group(1)).containsExactlyInAnyOrderElementsOf(defaults.keySet());
        assertThat(rows()).allSatisfy(row -> {
            String value = defaults.get(row.group(1));
            assertThat(value.isEmpty() || row.group(2).equals(value))
                    .as("%s is %s", row.group(1), value)
                    .isTrue();
        });
    }

    @Test
    void hasThreeTables() throws IOException {
        assertThat(Files.readString(PAGE))
                .containsSubsequence(
                        "\n## Essential\n", "\n| `snowflake.", "\n## Frequent\n", "\n## Rare\n", "\n## Rules\n");
    }
}
