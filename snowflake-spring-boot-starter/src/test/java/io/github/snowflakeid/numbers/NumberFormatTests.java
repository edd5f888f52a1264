package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberFormatTests {

    private static final LocalDate DATE = LocalDate.of(2026, 3, 9);

    private static String text(String pattern, String tenant, long number) {
        NumberFormat format = NumberFormat.of(pattern);
        return format.format(tenant, format.of(DATE).period(), number).text();
    }

    @ParameterizedTest
    @CsvSource({
        "INV-{yyyy}-{00000}, INV-2026-00042, 2026",
        "{yy}{MM}/{000}, 2603/042, 2026-03",
        "{yyyyMMdd}{0000}, 202603090042, 2026-03-09",
        "{dd}.{MM}.{yyyy} no. {0}, 09.03.2026 no. 42, 2026-03-09",
        "{000000}, 000042, ''",
        "{0}, 42, ''",
        "{tenant}-{yyyy}-{00}, $a\\b-2026-42, 2026",
        "Nº {yyyy}年{00000}, Nº 2026年00042, 2026",
    })
    void formatsNumberAndPeriod(String pattern, String text, String period) {
        assertThat(text(pattern, "$a\\b", 42)).isEqualTo(text);
        assertThat(NumberFormat.of(pattern).of(DATE).period()).isEqualTo(period);
    }

    @Test
    void writesNumberThatIsLongerThanTheWidth() {
        assertThat(text("INV-{00}", "", 12_345)).isEqualTo("INV-12345");
        assertThat(text("{000}", "", Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    }

    @Test
    void isNearlyFullAtNinetyPercent() {
        assertThat(LongStream.rangeClosed(1, 200_000).filter(NumberFormat.of("{00000}")::isNearlyFull))
                .containsExactly(90_000L);
        assertThat(LongStream.rangeClosed(1, 200).filter(NumberFormat.of("{0}")::isNearlyFull))
                .containsExactly(9L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "INV",
                "INV-{yyyy}",
                "{YYYY}-{000}",
                "{yyyy-MM}-{000}",
                "{hh}{000}",
                "{Tenant}-{000}",
                "{0000000000000000000}",
                "{000",
                "000}",
                "{{000}}",
                "{}{000}",
                "{001}",
                "{000}-{",
                "{yyyym}{000}",
                "{yyyyMMMM}{000}",
                "{yyyyyy}{000}",
                "{yyy}{000}"
            })
    void rejectsUnknownFields(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NumberFormat.of(pattern))
                .withMessageContaining("'" + pattern + "'")
                .withMessageContaining("no other fields than {yyyy}, {yy}, {MM}, {dd} and {tenant}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{MM}-{000}",
                "{yyyy}{dd}-{000}",
                "{dd}{000}",
                "{MM}{dd}{000}",
                "{000}{000}",
                "{yyyy}-{0}{0}",
                "{tenant}{000}",
                "{000}{tenant}",
                "{tenant}{yyyy}{000}",
                "{tenant}9{MM}{yyyy}{000}",
                "{000}2{tenant}"
            })
    void rejectsAmbiguousFormats(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NumberFormat.of(pattern))
                .withMessageContaining("'" + pattern + "' is ambiguous");
    }

    /** The separator decides, because it is never a digit of the number; the digits of dates are always as many. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{yyyy}{tenant}-{000}",
                "{tenant}{MM}{yyyy}-{000}",
                "{000}/{tenant}{yy}",
                "{tenant}2-{000}",
                "9{tenant}-{yyyy}{000}"
            })
    void acceptsTenantsNextToOtherDigitsThanTheNumber(String pattern) {
        assertThat(NumberFormat.of(pattern).pattern()).isEqualTo(pattern);
    }

    @Test
    void rejectsFormatThatIsTooLong() {
        NumberFormat.of("x".repeat(95) + "{000}");
        assertThatIllegalArgumentException().isThrownBy(() -> NumberFormat.of("x".repeat(96) + "{000}"));
    }

    @Test
    void checksTenants() {
        NumberFormat format = NumberFormat.of("{000}");
        format.check("");
        format.check("a b");
        format.check("x".repeat(100));
        for (String tenant : new String[] {"x".repeat(101), " a", "a ", "\t"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> format.check(tenant))
                    .withMessageContaining("'" + tenant + "'");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NumberFormat.of("{tenant}-{000}").check(""))
                .withMessageContaining("at least one");
    }

    @ParameterizedTest
    @CsvSource({
        "{yyyy}{0}, 2026-12-31T22:59:59.999Z, 2026, 2025-12-31T23:00:00Z, 2026-12-31T23:00:00Z",
        "{yyyy}{0}, 2026-12-31T23:00:00Z, 2027, 2026-12-31T23:00:00Z, 2027-12-31T23:00:00Z",
        "{yyyyMM}{0}, 2026-03-09T12:00:00Z, 2026-03, 2026-02-28T23:00:00Z, 2026-03-31T22:00:00Z",
        "{yyyyMMdd}{0}, 2026-03-29T12:00:00Z, 2026-03-29, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
        "{yyyyMMdd}{0}, 2026-10-25T12:00:00Z, 2026-10-25, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    })
    void findsPeriodOfTimeInZone(String pattern, Instant now, String period, Instant from, Instant until) {
        assertThat(NumberFormat.of(pattern).at(now.toEpochMilli(), ZoneId.of("Europe/Berlin")))
                .isEqualTo(
                        new NumberFormat.Span(period, from.toEpochMilli(), until.toEpochMilli(), now.toEpochMilli()));
    }

    /** In this zone, days of some years begin at 01:00. */
    @Test
    void periodsFollowEachOtherWithoutOverlap() {
        ZoneId zone = ZoneId.of("America/Sao_Paulo");
        NumberFormat format = NumberFormat.of("{yyyyMMdd}{0}");
        long time = Instant.parse("2018-01-01T12:00:00Z").toEpochMilli();
        for (int day = 0; day < 400; day++) {
            NumberFormat.Span span = format.at(time, zone);
            assertThat(span.from()).isLessThanOrEqualTo(time);
            assertThat(format.at(span.until() - 1, zone).period()).isEqualTo(span.period());
            assertThat(format.at(span.until(), zone).from()).isEqualTo(span.until());
            time = span.until();
        }
    }

    @Test
    void formatWithoutDateHasOnePeriod() {
        NumberFormat.Span span = NumberFormat.of("{0}").at(1_800_000_000_000L, ZoneId.of("UTC"));
        assertThat(span.period()).isEmpty();
        assertThat(span.from()).isNegative();
        assertThat(Instant.ofEpochMilli(span.until())).isAfter("9000-01-01T00:00:00Z");
    }

    @Test
    void rejectsDatesAndPeriodsThatAreNotOfTheFormat() {
        NumberFormat format = NumberFormat.of("{yyyyMM}{0}");
        assertThat(format.firstDay("2026-11")).isEqualTo("2026-11-01");
        assertThatIllegalArgumentException().isThrownBy(() -> format.firstDay("2026"));
        assertThatIllegalArgumentException().isThrownBy(() -> format.firstDay(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.of(LocalDate.of(20226, 1, 1)))
                .withMessageContaining("four digits");
        assertThatIllegalArgumentException().isThrownBy(() -> format.of(LocalDate.of(26, 1, 1)));
    }
}
