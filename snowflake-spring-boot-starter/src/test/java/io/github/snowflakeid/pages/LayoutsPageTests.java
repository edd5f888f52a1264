package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks docs/layouts.md. */
class LayoutsPageTests {

    @Test
    void tableHasTheConstantsOfThePresets() {
        String table = IdLayout.presets().entrySet().stream()
                .map(preset -> row(preset.getKey(), preset.getValue()))
                .collect(Collectors.joining("\n"));

        assertThat(Page.of("layouts.md").text())
                .contains("| layout | bits | tick | epoch | ids per second and worker | ends |\n"
                        + "| --- | --- | --- | --- | --- | --- |\n" + table + "\n\n");
    }

    private static String row(String name, IdLayout layout) {
        return "| `%s` | %s+%s+%s+%s | %s | %s | %s | %s |"
                .formatted(
                        name,
                        layout.timestampBits(),
                        layout.datacenterBits(),
                        layout.workerBits(),
                        layout.sequenceBits(),
                        layout.tick().toMillis() == 1 ? "1 ms" : layout.tick().toSeconds() + " s",
                        layout.epoch(),
                        layout.capacityPerSecond(),
                        LocalDate.ofInstant(layout.end(), ZoneOffset.UTC));
    }
}
