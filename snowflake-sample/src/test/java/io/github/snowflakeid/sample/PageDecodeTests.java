package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.text.IdFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** docs/decode.html in a browser, opened as a file: decodes IDs as {@link IdLayout} does. */
// Slow: a real browser.
@Tag("full")
@Tag("servers")
class PageDecodeTests {

    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss.SSS 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final IdLayout CUSTOM = IdLayout.builder()
            .epoch(Instant.parse("2024-02-29T12:34:56.789Z"))
            .tick(Duration.ofMillis(10))
            .timestampBits(39)
            .datacenterBits(3)
            .workerBits(11)
            .sequenceBits(9)
            .build();

    private static Browser browser;

    private final Random random = new Random(1);

    @BeforeAll
    static void openBrowser() {
        browser = Browser.open();
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void showPage() {
        browser.size(1280, 900);
        browser.prefers("light", "reduce");
        showPage("");
    }

    private static void showPage(String fragment) {
        // Another fragment alone would not load the page again.
        browser.show("about:blank");
        browser.show(Path.of("../docs/decode.html").toAbsolutePath().normalize().toUri() + fragment);
    }

    static Stream<Map.Entry<String, IdLayout>> layouts() {
        return Stream.concat(IdLayout.presets().entrySet().stream(), Stream.of(Map.entry("custom", CUSTOM)));
    }

    /** Selects a preset, or types a custom layout. */
    private static void select(String name, IdLayout layout) {
        if (!name.equals("custom")) {
            set("#layout", name, "change");
            return;
        }
        set("#epoch", layout.epoch().toString(), "input");
        set("#tick", String.valueOf(layout.tick().toMillis()), "input");
        set("#timestampBits", String.valueOf(layout.timestampBits()), "input");
        set("#datacenterBits", String.valueOf(layout.datacenterBits()), "input");
        set("#workerBits", String.valueOf(layout.workerBits()), "input");
        set("#sequenceBits", String.valueOf(layout.sequenceBits()), "input");
        assertThat(browser.element("#layout").getDomProperty("value")).isEqualTo("custom");
    }

    private static void set(String selector, String value, String event) {
        browser.run("""
                const element = document.querySelector(arguments[0]);
                element.value = arguments[1];
                element.dispatchEvent(new Event(arguments[2], {bubbles: true}))""", selector, value, event);
    }

    private static void submit(String form) {
        browser.run("document.querySelector(arguments[0]).requestSubmit()", form);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void fieldsAreThoseThatTheLayoutDecodes(Map.Entry<String, IdLayout> entry) {
        IdLayout layout = entry.getValue();
        select(entry.getKey(), layout);
        long last = layout.encode(new IdFields(
                layout.end().minus(layout.tick()),
                layout.maxDatacenterId(),
                layout.maxWorkerId(),
                layout.maxSequence()));

        LongStream.concat(LongStream.of(0, 1, last), random.longs(10, 2, last)).forEach(id -> {
            set("#id", String.valueOf(id), "input");
            submit("#decode");

            IdFields fields = layout.decode(id);
            assertThat(browser.texts("#fields .value"))
                    .as("%s of %s", id, layout)
                    .containsExactly(
                            UTC.format(fields.timestamp()),
                            String.valueOf(fields.datacenterId()),
                            String.valueOf(fields.workerId()),
                            String.valueOf(fields.sequence()));
            String bits = "0".repeat(64) + Long.toBinaryString(id);
            assertThat(String.join("", browser.texts("#bits span"))).isEqualTo(bits.substring(bits.length() - 64));
            assertThat(browser.texts("#bits .timestamp")).hasSize(layout.timestampBits());
            assertThat(browser.texts("#bits .datacenter")).hasSize(layout.datacenterBits());
            assertThat(browser.texts("#bits .worker")).hasSize(layout.workerBits());
            assertThat(browser.texts("#bits .sequence")).hasSize(layout.sequenceBits());
        });
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void rangeIsThatOfTheLayout(Map.Entry<String, IdLayout> entry) {
        IdLayout layout = entry.getValue();
        select(entry.getKey(), layout);
        long start = layout.epoch().toEpochMilli();
        long end = layout.end().toEpochMilli();

        random.longs(10, start, end).mapToObj(Instant::ofEpochMilli).forEach(from -> {
            set("#from", from.toString(), "input");
            set("#to", "", "input");
            submit("#range");
            assertThat(browser.texts("#rangeResult dd")).containsExactly(String.valueOf(layout.firstId(from)));

            set("#to", UTC.format(layout.end()), "input");
            submit("#range");
            IdRange range = layout.range(from, layout.end());
            assertThat(browser.texts("#rangeResult dd"))
                    .as("%s of %s", from, layout)
                    .containsExactly(
                            String.valueOf(range.first()),
                            String.valueOf(range.last()),
                            "id BETWEEN %s AND %s".formatted(range.first(), range.last()));
        });
    }

    @ParameterizedTest
    @EnumSource
    void textFormsAreReadAndWritten(IdFormat format) {
        long id = 249828685941993514L;
        set("#format", format.name(), "change");
        set("#id", format.format(id), "input");
        submit("#decode");

        assertThat(browser.element("#sentence").getText())
                .startsWith("ID " + id + " was generated at 2026-11-21 09:30");
        assertThat(browser.texts("#texts dd"))
                .containsExactly(
                        String.valueOf(id),
                        IdFormat.HEXADECIMAL.format(id),
                        IdFormat.CROCKFORD.format(id),
                        IdFormat.CROCKFORD_CHECKED.format(id),
                        IdFormat.BASE62.format(id));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    DECIMAL           | ``                     | Enter an ID.
                    DECIMAL           | -1                     | IDs are not negative, but this is -1.
                    DECIMAL           | 9223372036854775808    | IDs are at most 9223372036854775807, which is 63 bits, but this is 9223372036854775808.
                    DECIMAL           | 1.5418156036060365e+18 | 1.5418156036060365e+18 was rounded, by a spreadsheet or by JavaScript. Copy the ID from its source, as text.
                    DECIMAL           | aH8JfX2rrMASE9zX18v    | A decimal ID consists of digits, but this is “aH8JfX2rrMASE9zX18v”. Select another format if it is a text form. A public ID can be decoded only with its key.
                    HEXADECIMAL       | 123                    | An ID in hexadecimal has 16 characters, but this has 3.
                    HEXADECIMAL       | ffffffffffffffff       | IDs are at most 9223372036854775807, which is 63 bits, but this is 18446744073709551615.
                    CROCKFORD         | 01234567-9ABC          | “-” at position 9 is not a character of Crockford base 32.
                    CROCKFORD_CHECKED | 0123456789ABCB         | The check symbol, which is the last one, does not fit the others: the ID was mistyped.
                    """)
    void invalidIdIsRejectedWithTheReason(String format, String typed, String problem) {
        set("#format", format, "change");
        set("#id", typed, "input");
        submit("#decode");

        assertThat(browser.element("#idProblem").getText()).isEqualTo(problem);
        assertThat(browser.element("#id").getDomAttribute("aria-invalid")).isEqualTo("true");
        assertThat(browser.element("#result").isDisplayed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    timestampBits  | 43         | The widths must add up to at most 64 bits, but add up to 65.
                    workerBits     | many       | The width of the worker must be a whole number from 0 to 31, but is “many”.
                    tick           | 0          | The tick must be a whole number from 1 to 3600000, but is “0”.
                    epoch          | 2026-02-30 | There is no such time: “2026-02-30”.
                    epoch          | yesterday  | A time looks like 2026-03-01, 2026-03-01 09:30:00.321 or 2026-03-01T09:30:00+08:00, but this is “yesterday”.
                    """)
    void invalidLayoutIsRejectedWithTheReason(String field, String typed, String problem) {
        set("#" + field, typed, "input");

        assertThat(browser.element("#layoutProblem").getText()).isEqualTo(problem);
        assertThat(browser.element("#" + field).getDomAttribute("aria-invalid")).isEqualTo("true");
        assertThat(browser.element("#result").isDisplayed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2024-12-31 | 2025-01-02 | This layout has IDs from 2025-01-01 00:00:00.000 UTC to 2094-09-07 15:47:35.552 UTC, exclusive.
                    2026-03-02 | 2026-03-01 | The end of the period is before its start.
                    """)
    void invalidPeriodIsRejectedWithTheReason(String from, String to, String problem) {
        set("#from", from, "input");
        set("#to", to, "input");
        submit("#range");

        assertThat(browser.element("#rangeProblem").getText()).isEqualTo(problem);
        assertThat(browser.texts("#rangeResult dd")).isEmpty();
    }

    @Test
    void idOfAnotherLayoutIsRejected() {
        select("javascript-safe", IdLayout.JAVASCRIPT_SAFE);

        assertThat(browser.element("#idProblem").getText())
                .isEqualTo("IDs of this layout have 53 bits, so they are less than 9007199254740992."
                        + " This ID belongs to another layout.");
    }

    @Test
    void linkShowsAnIdInALayout() {
        showPage("#id=1541815603606036480&layout=twitter");

        assertThat(browser.element("#sentence").getText())
                .isEqualTo("ID 1541815603606036480 was generated at 2022-06-28 16:07:40.105 UTC"
                        + " by worker 26 of datacenter 11, sequence 0.");
        assertThat(browser.texts("#fields .timestamp dd")).contains("2022-06-29 01:07:40.105 Asia/Tokyo");
    }

    @Test
    void pageWorksByKeyboard() {
        browser.run("document.getElementById('id').select(); document.getElementById('id').focus()");
        browser.press("9007199254740993", Keys.ENTER);

        assertThat(browser.element("#sentence").getText())
                .isEqualTo("ID 9007199254740993 was generated at 2025-01-25 20:31:23.648 UTC"
                        + " by worker 0 of datacenter 0, sequence 1.");
    }

    @ParameterizedTest
    @CsvSource({"light, 1280", "dark, 1280", "light, 360", "dark, 360"})
    void pageIsAccessible(String scheme, int width) throws IOException {
        browser.prefers(scheme, "reduce");
        browser.size(width, 900);
        set("#from", "2026-03-02", "input");
        submit("#range");
        set("#tick", "0", "input");
        set("#tick", "1", "input");

        assertThat(browser.barriers()).isEmpty();
        assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(scheme.equals("dark") ? "rgb(11, 17, 32)" : "rgb(243, 246, 251)");
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 360, 768, 1280})
    void pageFitsTheWindow(int width) {
        browser.size(width, 740);

        assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo((long) width);
    }

    @Test
    void pageLoadsNothing() {
        assertThat(browser.run("return performance.getEntriesByType('resource').map(each => each.name)"))
                .isEqualTo(List.of());
    }
}
