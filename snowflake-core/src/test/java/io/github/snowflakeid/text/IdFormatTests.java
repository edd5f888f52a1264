package io.github.snowflakeid.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IdFormatTests {

    private static final long SEED = 17;

    @ParameterizedTest
    @CsvSource({
        "DECIMAL, 0, 0000000000000000000",
        "DECIMAL, 249828685941993514, 0249828685941993514",
        "DECIMAL, 9223372036854775807, 9223372036854775807",
        "HEXADECIMAL, 0, 0000000000000000",
        "HEXADECIMAL, 249828685941993514, 037791ddc046702a",
        "HEXADECIMAL, 9223372036854775807, 7fffffffffffffff",
        "CROCKFORD, 0, 0000000000000",
        "CROCKFORD, 38390726480144748, 0123456789ABC",
        "CROCKFORD, 9223372036854775807, 7ZZZZZZZZZZZZ",
        "CROCKFORD_CHECKED, 0, 00000000000000",
        "CROCKFORD_CHECKED, 31, 000000000000ZZ",
        "CROCKFORD_CHECKED, 32, 0000000000010*",
        "CROCKFORD_CHECKED, 33, 0000000000011~",
        "CROCKFORD_CHECKED, 34, 0000000000012$",
        "CROCKFORD_CHECKED, 35, 0000000000013=",
        "CROCKFORD_CHECKED, 36, 0000000000014U",
        "CROCKFORD_CHECKED, 37, 00000000000150",
        "BASE62, 0, 00000000000",
        "BASE62, 61, 0000000000z",
        "BASE62, 9223372036854775807, AzL8n0Y58m7"
    })
    void writesAndReads(IdFormat format, long id, String text) {
        assertThat(format.format(id)).isEqualTo(text).hasSize(format.length());
        assertThat(format.parse(text)).isEqualTo(id);
    }

    @ParameterizedTest
    @EnumSource
    void givesBackEachIdAndSortsAsTheNumberDoes(IdFormat format) {
        Random random = new Random(SEED);
        long[] ids = LongStream.concat(
                        LongStream.range(0, 63)
                                .flatMap(bit -> LongStream.of((1L << bit) - 1, 1L << bit, (1L << bit) + 1)),
                        LongStream.generate(() -> random.nextLong() >>> 1 + random.nextInt(63))
                                .limit(20_000))
                .filter(id -> id >= 0)
                .toArray();
        String[] texts = Arrays.stream(ids).mapToObj(format::format).toArray(String[]::new);

        assertThat(Arrays.stream(texts).mapToLong(format::parse).toArray()).isEqualTo(ids);
        Arrays.sort(ids);
        Arrays.sort(texts);
        assertThat(Arrays.stream(texts).mapToLong(format::parse).toArray()).isEqualTo(ids);
    }

    @ParameterizedTest
    @CsvSource({
        "HEXADECIMAL, 037791DDC046702A, 249828685941993514",
        "CROCKFORD, 0123456789abc, 38390726480144748",
        "CROCKFORD, OI23456789ABC, 38390726480144748",
        "CROCKFORD, oi23456789ABC, 38390726480144748",
        "CROCKFORD, 0L23456789ABC, 38390726480144748",
        "CROCKFORD, ol23456789aBc, 38390726480144748",
        "CROCKFORD_CHECKED, oooooooooooi4u, 36",
        "CROCKFORD_CHECKED, 0000000000015O, 37",
        "CROCKFORD_CHECKED, 0000000000016l, 38",
        "CROCKFORD_CHECKED, 000000000000zz, 31"
    })
    void readsBothCasesAndLettersThatLookLikeDigits(IdFormat format, String text, long id) {
        assertThat(format.parse(text)).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "7, 7", "249828685941993514, 249828685941993514", "000000000000000007, 7"})
    void readsDecimalsWithoutTheirLeadingZeros(String text, long id) {
        assertThat(IdFormat.DECIMAL.parse(text)).isEqualTo(id);
    }

    @ParameterizedTest
    @EnumSource
    void rejectsNegativeIds(IdFormat format) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.format(-5))
                .withMessage("ID must not be negative, but was -5; no layout generates negative IDs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DECIMAL | '' | an ID in decimal must have 1 to 19 characters, but \"\" has 0",
                "DECIMAL | 00000000000000000007 | an ID in decimal must have 1 to 19 characters, but \"00000000000000000007\" has 20",
                "DECIMAL | -1 | an ID in decimal must consist of 0-9, but \"-1\" has another character at index 0",
                "DECIMAL | +1 | an ID in decimal must consist of 0-9, but \"+1\" has another character at index 0",
                "DECIMAL | 1e3 | an ID in decimal must consist of 0-9, but \"1e3\" has another character at index 1",
                "DECIMAL | ١٢٣ | an ID in decimal must consist of 0-9, but \"???\" has another character at index 0",
                "DECIMAL | 9223372036854775808 | an ID in decimal must be at most 9223372036854775807, but was \"9223372036854775808\"",
                "DECIMAL | 9999999999999999999 | an ID in decimal must be at most 9223372036854775807, but was \"9999999999999999999\"",
                "HEXADECIMAL | 7 | an ID in hexadecimal must have 16 characters, but \"7\" has 1",
                "HEXADECIMAL | 037791ddc046702g | an ID in hexadecimal must consist of 0-9 and a-f, but \"037791ddc046702g\" has another character at index 15",
                "HEXADECIMAL | 8000000000000000 | an ID in hexadecimal must be at most 7fffffffffffffff, which is 9223372036854775807, but was \"8000000000000000\"",
                "CROCKFORD | 0123456789AB | an ID in Crockford base 32 must have 13 characters, but \"0123456789AB\" has 12",
                "CROCKFORD | 0123456789ABU | an ID in Crockford base 32 must consist of 0-9 and A-Z without U, but \"0123456789ABU\" has another character at index 12",
                "CROCKFORD | 8000000000000 | an ID in Crockford base 32 must be at most 7ZZZZZZZZZZZZ, which is 9223372036854775807, but was \"8000000000000\"",
                "CROCKFORD | ZZZZZZZZZZZZZ | an ID in Crockford base 32 must be at most 7ZZZZZZZZZZZZ, which is 9223372036854775807, but was \"ZZZZZZZZZZZZZ\"",
                "CROCKFORD_CHECKED | 0123456789ABC | an ID in Crockford base 32 with a check symbol must have 14 characters, but \"0123456789ABC\" has 13",
                "CROCKFORD_CHECKED | 0000000000010~ | an ID in Crockford base 32 with a check symbol must end in the check symbol of the characters before it, but \"0000000000010~\" does not; it was probably mistyped",
                "CROCKFORD_CHECKED | 000000000000é0 | an ID in Crockford base 32 with a check symbol must consist of 0-9 and A-Z without U, but \"000000000000?0\" has another character at index 12",
                "BASE62 | AzL8n0Y58m8 | an ID in base 62 must be at most AzL8n0Y58m7, which is 9223372036854775807, but was \"AzL8n0Y58m8\"",
                "BASE62 | zzzzzzzzzzz | an ID in base 62 must be at most AzL8n0Y58m7, which is 9223372036854775807, but was \"zzzzzzzzzzz\"",
                "BASE62 | 000000000😀 | an ID in base 62 must consist of 0-9, A-Z and a-z, but \"000000000??\" has another character at index 9",
                "BASE62 | 0000000000_ | an ID in base 62 must consist of 0-9, A-Z and a-z, but \"0000000000_\" has another character at index 10",
            })
    void rejectsForeignTextsWithTheReason(IdFormat format, String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.parse(text))
                .withMessage(message);
    }

    @Test
    void quotesTheBeginningOfATextWithoutItsControlCharacters() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdFormat.BASE62.parse("x\n\u001b[31m " + "y".repeat(50)))
                .withMessage(
                        "an ID in base 62 must have 11 characters, but \"x??[31m?" + "y".repeat(32) + "…\" has 58");
    }

    @Test
    void checkSymbolFindsEachWrongSymbolAndEachPairThatChangedPlaces() {
        String digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        new Random(SEED).longs(20, 0, Long.MAX_VALUE).forEach(id -> {
            StringBuilder text = new StringBuilder(IdFormat.CROCKFORD_CHECKED.format(id));
            for (int index = 0; index < text.length(); index++) {
                char right = text.charAt(index);
                for (char wrong : (index == 13 ? digits + "*~$=U" : digits).toCharArray()) {
                    text.setCharAt(index, wrong);
                    assertThat(isRead(text)).isEqualTo(wrong == right);
                }
                text.setCharAt(index, right);
                if (index > 0 && right != text.charAt(index - 1)) {
                    text.setCharAt(index, text.charAt(index - 1));
                    text.setCharAt(index - 1, right);
                    assertThat(isRead(text)).isFalse();
                    text.setCharAt(index - 1, text.charAt(index));
                    text.setCharAt(index, right);
                }
            }
        });
    }

    private static boolean isRead(CharSequence text) {
        try {
            IdFormat.CROCKFORD_CHECKED.parse(text.toString());
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Each text that can be read is complete: writing the ID again yields the same text, except for permitted variants.
     */
    @ParameterizedTest
    @EnumSource
    void readsNothingThatItWouldWriteInAnotherWay(IdFormat format) {
        Random random = new Random(SEED);
        String characters = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghijkmnpqrstvwxyz*~$=UuOoIiLl-_. é\u0130";
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder(format.format(random.nextLong() >>> 1));
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                text.setCharAt(random.nextInt(text.length()), characters.charAt(random.nextInt(characters.length())));
            }
            long id;
            try {
                id = format.parse(text.toString());
            } catch (IllegalArgumentException e) {
                continue;
            }
            read++;
            String again = format.format(id);
            if (format == IdFormat.HEXADECIMAL) {
                assertThat(again).isEqualToIgnoringCase(text.toString());
            } else if (format.name().startsWith("CROCKFORD")) {
                assertThat(again)
                        .isEqualTo(
                                text.toString().toUpperCase().replace('O', '0').replaceAll("[IL]", "1"));
            } else {
                assertThat(again).isEqualTo(text.toString());
            }
        }
        assertThat(read).isBetween(6_000, 19_999);
    }
}
