package io.github.snowflakeid.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.text.PublicIds.Format;
import io.github.snowflakeid.text.PublicIds.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the Java blocks of docs/public-ids.md and docs/json.md that need no Spring, and checks their tables. */
class DocumentationTests {

    private static final Path DOCS = Path.of("../docs");

    private final String secret = "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU=";
    private final String newSecret = "Yl1T0aTsaX7wBcAPSHQRgr1Zu8hTtcvLxy5O6u2m8WM=";

    /** Stands for an entity, whose annotation a persistence library would read. */
    @SuppressWarnings("unused")
    static class WithText {

        @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
        String id;
    }

    @Test
    void idRevealsTheFieldsOfTheTable() throws IOException {
        IdFields fields = IdLayout.DEFAULT.decode(249828685941993514L);

        assertThat(fields).isEqualTo(new IdFields(Instant.parse("2026-11-21T09:30:00.321Z"), 3, 7, 42));
        assertThat(read("public-ids.md"))
                .contains(
                        "millisecond: %s".formatted(fields.timestamp()),
                        "datacenter %s, worker %s".formatted(fields.datacenterId(), fields.workerId()),
                        "its sequence is %s".formatted(fields.sequence()));
    }

    @Test
    void checkedTextsAreThoseOfTheFirstTable() throws IOException {
        PublicIds publicIds = PublicIds.of(Key.of("a", secret));
        String text = publicIds.encode("order", 249828685941993514L);
        long id = publicIds.decode("order", text);

        assertThat(id).isEqualTo(249828685941993514L);
        assertThat(read("public-ids.md"))
                .contains(Stream.of(id, id + 1, id + 2)
                        .map(order -> "| %s | `%s` |".formatted(order, publicIds.encode("order", order)))
                        .toList());
    }

    @Test
    void lengthsAreThoseOfTheTable() throws IOException {
        PublicIds publicIds = PublicIds.of(Format.COMPACT, List.of(Key.of("a", secret)));

        assertThat(read("public-ids.md"))
                .contains("| characters, with the name of the key | %s | %s |"
                        .formatted(
                                PublicIds.of(Key.of("a", secret))
                                        .encode("order", 1)
                                        .length(),
                                publicIds.encode("order", 1).length()));
    }

    /** One attempt per millisecond, and as many rows as in the table. */
    @Test
    void oddsAreThoseOfTheTable() throws IOException {
        double secondsOfYear = 365.25 * 24 * 3600;

        assertThat(read("public-ids.md"))
                .contains(
                        "one in 2^41: at 1,000 tries a second, once in %s years"
                                .formatted(Math.round(Math.pow(2, 41) / 1e3 / secondsOfYear)),
                        "the ID of one of a billion rows | one in 2^%s | one in 2^%s: at 1,000 tries a second, once in %s days |"
                                .formatted(
                                        Math.round(104 - log2(1e9)),
                                        Math.round(63 - log2(1e9)),
                                        Math.round(Math.pow(2, 63) / 1e9 / 1e3 / (24 * 3600))));
    }

    @Test
    void noLinkBreaksOnTheWayToANewKey() {
        PublicIds before = PublicIds.of(Key.of("a", secret));
        PublicIds readsBoth = PublicIds.of(Key.of("a", secret), Key.of("b", newSecret));
        PublicIds writesNew = PublicIds.of(Key.of("b", newSecret), Key.of("a", secret));
        PublicIds forgetsOld = PublicIds.of(Key.of("b", newSecret));

        List<PublicIds> releases = List.of(before, readsBoth, writesNew, forgetsOld);
        for (int release = 1; release < releases.size(); release++) {
            PublicIds older = releases.get(release - 1);
            PublicIds newer = releases.get(release);
            assertThat(older.decode("order", newer.encode("order", 7))).isEqualTo(7);
            if (newer != forgetsOld) {
                assertThat(newer.decode("order", older.encode("order", 7))).isEqualTo(7);
            }
        }
        assertThat(writesNew.encode("order", 7)).startsWith("b");
        assertThatExceptionOfType(InvalidPublicIdException.class)
                .isThrownBy(() -> forgetsOld.decode("order", before.encode("order", 7)));
    }

    @Test
    void formatsAreReadAsShown() {
        String text = IdFormat.CROCKFORD.format(38390726480144748L);
        long id = IdFormat.CROCKFORD.parse("oi23456789abc");

        assertThat(text).isEqualTo("0123456789ABC");
        assertThat(id).isEqualTo(38390726480144748L);
    }

    @ParameterizedTest
    @EnumSource
    void formatsAreThoseOfTheTable(IdFormat format) throws IOException {
        assertThat(read("json.md"))
                .contains("| `%s` | %s | `%s` |".formatted(format, format.length(), format.format(38390726480144748L)));
    }

    private static double log2(double number) {
        return Math.log(number) / Math.log(2);
    }

    private static String read(String page) throws IOException {
        return Files.readString(DOCS.resolve(page));
    }
}
