package io.github.snowflakeid.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.snowflakeid.text.PublicIds.Format;
import io.github.snowflakeid.text.PublicIds.Key;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statistical tests whether texts of successive IDs reveal anything. Keys are fixed, so results are reproducible. */
class RandomnessTests {

    private static final String KEY = "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU=";
    private static final String OTHER_KEY = "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSQ=";
    private static final long FIRST_ID = 249828685941993514L;

    // Slow: statistics of a million texts.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void textsOfAMillionSuccessiveIdsLookRandom(Format length) {
        PublicIds publicIds = PublicIds.of(length, List.of(Key.of("a", KEY)));
        int count = 1_000_000;
        long[] ranked = new long[count];
        int[] ones = new int[bits(length)];
        for (int i = 0; i < count; i++) {
            long[] number = number(publicIds.encode("order", FIRST_ID + i));
            ranked[i] = number[0];
            count(number, length, ones);
        }

        for (int bit = 0; bit < ones.length; bit++) {
            assertThat((double) ones[bit] / count).as("bit %s", bit).isCloseTo(0.5, within(0.002));
        }
        assertThat(rankCorrelation(ranked)).isCloseTo(0, within(0.005));
    }

    // Slow: statistics of a million texts.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void eachBitOfTheIdChangesHalfTheBitsOfTheText(Format length) {
        PublicIds publicIds = PublicIds.of(length, List.of(Key.of("a", KEY)));
        Random random = new Random(1);
        int rounds = 5_000;
        int[] changed = new int[bits(length)];
        for (int bit = 0; bit < 63; bit++) {
            int before = Arrays.stream(changed).sum();
            for (int round = 0; round < rounds; round++) {
                long id = random.nextLong() >>> 1;
                count(
                        difference(publicIds.encode("order", id), publicIds.encode("order", id ^ 1L << bit)),
                        length,
                        changed);
            }
            assertThat((Arrays.stream(changed).sum() - before) / ((double) rounds * changed.length))
                    .as("bit %s of the id", bit)
                    .isCloseTo(0.5, within(0.005));
        }
        for (int bit = 0; bit < changed.length; bit++) {
            assertThat(changed[bit] / (63.0 * rounds)).as("bit %s", bit).isCloseTo(0.5, within(0.005));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherKeyOrTypeChangesHalfTheBitsOfTheText(Format length) {
        PublicIds publicIds = PublicIds.of(length, List.of(Key.of("a", KEY)));
        PublicIds others = PublicIds.of(length, List.of(Key.of("a", OTHER_KEY)));
        int rounds = 20_000;
        int[] byKey = new int[bits(length)];
        int[] byType = new int[bits(length)];
        for (int i = 0; i < rounds; i++) {
            String text = publicIds.encode("order", FIRST_ID + i);
            count(difference(text, others.encode("order", FIRST_ID + i)), length, byKey);
            count(difference(text, publicIds.encode("ordes", FIRST_ID + i)), length, byType);
        }

        assertThat(Arrays.stream(byKey).sum() / ((double) rounds * byKey.length))
                .isCloseTo(0.5, within(0.005));
        assertThat(Arrays.stream(byType).sum() / ((double) rounds * byType.length))
                .isCloseTo(0.5, within(0.005));
    }

    private static int bits(Format length) {
        return length == Format.CHECKED ? 104 : 63;
    }

    /** Returns the number in the digits: one of 63 bits, or two of 52 bits. */
    private static long[] number(String text) {
        return text.length() == 12
                ? new long[] {Digits.BASE62.read(text, 1, 12)}
                : new long[] {Digits.BASE62.read(text, 1, 10), Digits.BASE62.read(text, 10, 19)};
    }

    private static long[] difference(String one, String other) {
        long[] first = number(one);
        long[] second = number(other);
        for (int i = 0; i < first.length; i++) {
            first[i] ^= second[i];
        }
        return first;
    }

    private static void count(long[] number, Format length, int[] ones) {
        int bits = bits(length) / number.length;
        for (int bit = 0; bit < ones.length; bit++) {
            ones[bit] += (int) (number[bit / bits] >>> bit % bits & 1);
        }
    }

    /**
     * Returns Spearman's rank correlation with ascending numbers. The given numbers are distinct, or nearly all of
     * them.
     */
    private static double rankCorrelation(long[] numbers) {
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        double squares = 0;
        for (int i = 0; i < numbers.length; i++) {
            double difference = i - Arrays.binarySearch(sorted, numbers[i]);
            squares += difference * difference;
        }
        double count = numbers.length;
        return 1 - 6 * squares / (count * (count * count - 1));
    }
}
