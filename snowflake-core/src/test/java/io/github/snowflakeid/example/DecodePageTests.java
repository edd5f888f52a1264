package io.github.snowflakeid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The presets of docs/decode.html; the sample's tests run the page in a browser. */
class DecodePageTests {

    private static final Pattern PRESET = Pattern.compile(
            "\"([a-z-]+)\": \\{\"epoch\": (\\d+), \"tick\": (\\d+), \"bits\": \\[(\\d+), (\\d+), (\\d+), (\\d+)]}");

    @Test
    void presetsAreThoseOfTheLibrary() throws IOException {
        Map<String, IdLayout> presets = new LinkedHashMap<>();
        PRESET.matcher(Files.readString(Path.of("../docs/decode.html")))
                .results()
                .forEach(preset -> presets.put(
                        preset.group(1),
                        IdLayout.builder()
                                .epoch(Instant.ofEpochMilli(Long.parseLong(preset.group(2))))
                                .tick(Duration.ofMillis(Long.parseLong(preset.group(3))))
                                .timestampBits(number(preset, 4))
                                .datacenterBits(number(preset, 5))
                                .workerBits(number(preset, 6))
                                .sequenceBits(number(preset, 7))
                                .build()));

        assertThat(presets.entrySet())
                .containsExactlyElementsOf(IdLayout.presets().entrySet());
    }

    private static int number(MatchResult preset, int group) {
        return Integer.parseInt(preset.group(group));
    }
}
