package io.github.snowflakeid.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.snowflakeid.text.PublicIds.Format;
import io.github.snowflakeid.text.PublicIds.Key;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicIdsTests {

    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String ADVICE = ". Generate a key with 'openssl rand -base64 32'";

    @ParameterizedTest
    @EnumSource
    void givesBackEachId(Format length) {
        for (int seed : new int[] {16, 24, 32}) {
            PublicIds publicIds = PublicIds.of(length, List.of(key("a", seed)));
            for (String type : List.of("order", "o", "Bestellung nach München", "x".repeat(64))) {
                LongStream.concat(LongStream.of(0, 1, Long.MAX_VALUE), new Random(seed).longs(1000, 0, Long.MAX_VALUE))
                        .forEach(id -> assertThat(publicIds.decode(type, publicIds.encode(type, id)))
                                .isEqualTo(id));
            }
        }
    }

    /** Texts are in published links, and a change to these would break the links. */
    @ParameterizedTest
    @CsvSource({
        "CHECKED, order, 0, aJTvvUsscS09qw837fZ",
        "CHECKED, order, 249828685941993514, aH8JfX2rrMASE9zX18v",
        "CHECKED, invoice, 249828685941993514, aB2yL3JT6rIjPCul5Ol",
        "COMPACT, order, 0, a61a2Cci3VtV",
        "COMPACT, order, 249828685941993514, a0HybTUHdQk7",
        "COMPACT, invoice, 249828685941993514, a0y7y6Vw7vsy"
    })
    void textsNeverChange(Format length, String type, long id, String text) {
        Key key = Key.of("a", "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU=");

        assertThat(PublicIds.of(length, List.of(key)).encode(type, id)).isEqualTo(text);
    }

    /** The layout in the documentation, for decoders in other languages. */
    @ParameterizedTest
    @CsvSource({"CHECKED, 104, 52, 9", "COMPACT, 63, 0, 11"})
    void textsAreFf1OfTheIdAndZerosInBase62(Format length, int bits, int bitsOfPart, int digitsOfPart) {
        byte[] key = new byte[32];
        new Random(32).nextBytes(key);
        PublicIds publicIds = PublicIds.of(length, List.of(key("a", 32)));

        new Random(3).longs(1000, 0, Long.MAX_VALUE).forEach(id -> {
            String plain =
                    "0".repeat(Long.numberOfLeadingZeros(id) - 1) + Long.toBinaryString(id) + "0".repeat(bits - 63);
            byte[] digits = new byte[bits];
            IntStream.range(0, bits).forEach(bit -> digits[bit] = (byte) (plain.charAt(bit) - '0'));
            byte[] encrypted = BouncyCastle.ff1(true, key, 2, "order".getBytes(StandardCharsets.UTF_8), digits);
            String binary = Arrays.toString(encrypted).replaceAll("[^01]", "");
            String text = inBase62(binary.substring(bitsOfPart), digitsOfPart);
            if (bitsOfPart > 0) {
                text = inBase62(binary.substring(0, bitsOfPart), digitsOfPart) + text;
            }
            assertThat(publicIds.encode("order", id)).isEqualTo("a" + text);
        });
    }

    private static String inBase62(String binary, int digits) {
        StringBuilder text = new StringBuilder();
        long rest = Long.parseLong(binary, 2);
        for (int i = 0; i < digits; i++) {
            text.append(BASE62.charAt((int) (rest % 62)));
            rest /= 62;
        }
        return text.reverse().toString();
    }

    @ParameterizedTest
    @CsvSource({"CHECKED, 19", "COMPACT, 12"})
    void textsAreTheNameOfTheKeyAndAFixedNumberOfDigitsAndLetters(Format length, int characters) {
        PublicIds publicIds = PublicIds.of(length, List.of(key("k", 32)));

        assertThat(LongStream.range(0, 1000).mapToObj(id -> publicIds.encode("order", id)))
                .allSatisfy(text -> assertThat(text).hasSize(characters).matches("k[0-9A-Za-z]+"))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void textsOfAnotherTypeKeyOrLengthAreOthers(Format length) {
        PublicIds a = PublicIds.of(length, List.of(key("a", 32)));
        PublicIds b = PublicIds.of(length, List.of(key("a", 24)));
        Set<String> texts = new HashSet<>();

        for (long id = 0; id < 1000; id++) {
            for (String type : List.of("order", "orders", "Order", "order ")) {
                texts.add(a.encode(type, id).substring(1, 12));
                texts.add(b.encode(type, id).substring(1, 12));
            }
        }
        assertThat(texts).hasSize(8000);
    }

    @Test
    void newestKeyEncodesAndAllDecode() {
        PublicIds before = PublicIds.of(key("a", 32));
        PublicIds after = PublicIds.of(key("b", 16), key("a", 32));
        String old = before.encode("order", 7);

        assertThat(after.decode("order", old)).isEqualTo(7);
        assertThat(after.encode("order", 7)).startsWith("b");
        assertThat(after.decode("order", after.encode("order", 7))).isEqualTo(7);
        assertThat(PublicIds.of(key("a", 32), key("b", 16)).encode("order", 7)).isEqualTo(old);
    }

    @Test
    void keyThatIsNotHereIsNamed() {
        PublicIds publicIds = PublicIds.of(key("c", 16), key("b", 24));

        assertInvalid(
                () -> publicIds.decode("order", PublicIds.of(key("a", 32)).encode("order", 7)),
                "no key is named by the first character of \"aGFWE8YZ4I3g3jtW8iJ\"; the configured keys are 'c', 'b'");
    }

    @ParameterizedTest
    @CsvSource({
        "CHECKED, '', 'a public ID must have 19 characters, but \"\" has 0'",
        "CHECKED, a, 'a public ID must have 19 characters, but \"a\" has 1'",
        "CHECKED, 38390726480144748, 'a public ID must have 19 characters, but \"38390726480144748\" has 17'",
        "CHECKED, a0000000000000000000, 'a public ID must have 19 characters, but \"a0000000000000000000\" has 20'",
        "COMPACT, a, 'a public ID must have 12 characters, but \"a\" has 1'",
        "CHECKED, a00000000-000000000, 'a public ID must consist of 0-9, A-Z and a-z, but \"a00000000-000000000\" has another character at index 9'",
        "COMPACT, a000000/0000, 'a public ID must consist of 0-9, A-Z and a-z, but \"a000000/0000\" has another character at index 7'",
        "CHECKED, é000000000000000000, 'a public ID must consist of 0-9, A-Z and a-z, but \"?000000000000000000\" has another character at index 0'",
        "CHECKED, a000000000000000000, '\"a000000000000000000\" is not a public ID of type \"order\": it was mistyped or made up, or has another type or key'",
        "CHECKED, azzzzzzzzzzzzzzzzzz, '\"azzzzzzzzzzzzzzzzzz\" is not a public ID of type \"order\": it was mistyped or made up, or has another type or key'",
        "COMPACT, a000000😀😀0, 'a public ID must consist of 0-9, A-Z and a-z, but \"a000000????0\" has another character at index 7'",
        "COMPACT, azzzzzzzzzzz, '\"azzzzzzzzzzz\" is not a public ID of type \"order\": it was mistyped or made up, or has another type or key'"
    })
    void invalidPublicIdIsRejected(Format length, String text, String message) {
        PublicIds publicIds = PublicIds.of(length, List.of(key("a", 32)));

        assertInvalid(() -> publicIds.decode("order", text), message);
    }

    @Test
    void checkedTextOfAnotherTypeOrKeyIsRejected() {
        PublicIds publicIds = PublicIds.of(key("a", 32));
        PublicIds others = PublicIds.of(key("a", 24));

        for (long id = 0; id < 10_000; id++) {
            String text = publicIds.encode("order", id);
            String theirs = others.encode("order", id);
            assertInvalid(() -> publicIds.decode("invoice", text), null);
            assertInvalid(() -> publicIds.decode("order", theirs), null);
        }
    }

    /** Nine digits hold more than the 52 bits of a half. The excess must not be dropped. */
    @ParameterizedTest
    @CsvSource({"1, 10", "10, 19"})
    void noSecondTextStandsForAnId(int from, int to) {
        PublicIds publicIds = PublicIds.of(key("a", 32));

        for (long id = 0; id < 1000; id++) {
            String text = publicIds.encode("order", id);
            long half = 0;
            for (char digit : text.substring(from, to).toCharArray()) {
                half = half * 62 + BASE62.indexOf(digit);
            }
            String other = text.substring(0, from)
                    + inBase62(Long.toBinaryString(half + (1L << 52)), to - from)
                    + text.substring(to);
            assertInvalid(() -> publicIds.decode("order", other), null);
        }
    }

    @Test
    void rejectionHasNoStackTrace() {
        PublicIds publicIds = PublicIds.of(key("a", 32));

        assertThatExceptionOfType(InvalidPublicIdException.class)
                .isThrownBy(() -> publicIds.decode("order", "x"))
                .satisfies(refusal -> assertThat(refusal.getStackTrace()).isEmpty());
    }

    @Test
    void shortTextOfAnotherTypeIsSomeNumber() {
        PublicIds publicIds = PublicIds.of(Format.COMPACT, List.of(key("a", 32)));

        assertThat(LongStream.range(0, 1000).map(id -> publicIds.decode("invoice", publicIds.encode("order", id))))
                .allSatisfy(id -> assertThat(id).isGreaterThan(1_000_000))
                .doesNotHaveDuplicates();
    }

    /** Every checked text is rejected. Every short text is rejected or yields a number. */
    // Slow: decodes a million texts.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void aMillionInventedTextsDoNoHarm(Format length) {
        PublicIds publicIds = PublicIds.of(length, List.of(key("a", 32), key("b", 16)));
        Random random = new Random(1);
        long[] ids = random.longs(1000, 0, Long.MAX_VALUE).toArray();
        String[] texts =
                LongStream.of(ids).mapToObj(id -> publicIds.encode("order", id)).toArray(String[]::new);
        int numbers = 0;
        for (int round = 0; round < 1_000_000; round++) {
            long id = ids[round % ids.length];
            String right = texts[round % ids.length];
            String wrong = madeUp(right, random);
            try {
                long number = publicIds.decode("order", wrong);
                if (!wrong.equals(right)) {
                    numbers++;
                    assertThat(number).isNotNegative().isNotEqualTo(id);
                }
            } catch (InvalidPublicIdException e) {
                continue;
            }
        }
        if (length == Format.CHECKED) {
            assertThat(numbers).isZero();
        } else {
            assertThat(numbers).isBetween(100_000, 900_000);
        }
    }

    private static String madeUp(String right, Random random) {
        char[] text = right.toCharArray();
        switch (random.nextInt(8)) {
            case 0 -> { // random digits
                for (int i = 1; i < text.length; i++) {
                    text[i] = digit(random);
                }
            }
            case 1 -> text[random.nextInt(text.length)] = (char) random.nextInt(0x10000);
            case 2 -> { // neighbours
                int i = random.nextInt(text.length - 1);
                char first = text[i];
                text[i] = text[i + 1];
                text[i + 1] = first;
            }
            case 3 -> {
                return right.substring(random.nextInt(text.length));
            }
            case 4 -> {
                return right + digit(random);
            }
            case 5 -> { // the case of a letter
                int i = random.nextInt(text.length);
                text[i] = (char) (text[i] ^ (Character.isLetter(text[i]) ? 0x20 : 1));
            }
            default -> text[random.nextInt(text.length)] = digit(random);
        }
        return new String(text);
    }

    private static char digit(Random random) {
        return BASE62.charAt(random.nextInt(BASE62.length()));
    }

    @Test
    void servesManyThreadsAtOnce() throws Exception {
        assertServes(Executors.newFixedThreadPool(16), 64);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void servesThousandsOfVirtualThreadsAtOnce() throws Exception {
        assertServes(
                (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null),
                5_000);
    }

    private static void assertServes(ExecutorService threads, int tasks) throws Exception {
        PublicIds publicIds = PublicIds.of(key("a", 32));
        String[] texts = LongStream.range(0, 200)
                .mapToObj(id -> publicIds.encode("order", id))
                .toArray(String[]::new);
        try {
            List<Future<Boolean>> found = IntStream.range(0, tasks)
                    .mapToObj(task -> threads.submit(() -> IntStream.range(0, 128_000 / tasks)
                            .map(i -> (i * 31 + task) % texts.length)
                            .allMatch(id -> publicIds.encode("order", id).equals(texts[id])
                                    && publicIds.decode("order", texts[id]) == id)))
                    .toList();
            for (Future<Boolean> all : found) {
                assertThat(all.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void rejectsNegativeIds() {
        PublicIds publicIds = PublicIds.of(key("a", 32));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> publicIds.encode("order", -1))
                .withMessage("ID must not be negative, but was -1; no layout generates negative IDs");
    }

    @Test
    void rejectsEmptyAndTooLongTypes() {
        PublicIds publicIds = PublicIds.of(key("a", 32));
        String text = publicIds.encode("order", 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> publicIds.encode("", 1))
                .withMessage("the type of a public ID must have 1 to 64 bytes, but \"\" has 0")
                .isNotInstanceOf(InvalidPublicIdException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> publicIds.decode("ä".repeat(33), text))
                .withMessage("the type of a public ID must have 1 to 64 bytes, but \"" + "?".repeat(33) + "\" has 66")
                .isNotInstanceOf(InvalidPublicIdException.class);
    }

    @Test
    void needsKeysThatDiffer() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PublicIds.of(Format.COMPACT, List.of()))
                .withMessage("public IDs need at least one key" + ADVICE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PublicIds.of(key("a", 16), key("b", 24), key("a", 32)))
                .withMessage("two keys have the name 'a'; give the newer key another name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PublicIds.of(key("a", 16), key("b", 16)))
                .withMessage("keys 'b' and 'a' are the same key; a new key must be random" + ADVICE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU=",
                "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU",
                "fo0uMi2XmhiOGJqGRjg-I-Qj7slFpVTq3ucMbzvrmSU",
                "  fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU=\n"
            })
    void keysAreBase64InEitherAlphabetWithLineBreaksOfFiles(String base64) {
        PublicIds expected = PublicIds.of(Key.of("a", "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU="));

        assertThat(PublicIds.of(Key.of("a", base64)).encode("order", 1)).isEqualTo(expected.encode("order", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'must have 32 bytes (44 characters of Base64), but has 0 bytes'",
        "c2VjcmV0, 'must have 32 bytes (44 characters of Base64), but has 6 bytes'",
        "fo0uMi2XmhiOGJqGRjg+Iw==, 'must have 32 bytes (44 characters of Base64), but has 16 bytes'",
        "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq, 'must have 32 bytes (44 characters of Base64), but has 24 bytes'",
        "MySuperSecretKey1234567890abcdef, 'must have 32 bytes (44 characters of Base64), but has 24 bytes'",
        "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSWZ, 'must have 32 bytes (44 characters of Base64), but has 33 bytes'",
        "${PUBLIC_ID_KEY}, is not Base64",
        "correct horse battery staple, is not Base64",
        "7e8d2e322d979a188e189a8646383e23, 'must be Base64, but looks like hexadecimal'",
        "7E8D2E322D979A188E189A8646383E23E423EEC945A554EADEE70C6F3BEB9925, 'must be Base64, but looks like hexadecimal'",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=, is not random: its bytes repeat or count",
        "//////////////////////////////////////////8=, is not random: its bytes repeat or count",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=, is not random: its bytes repeat or count",
        "3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=, is not random: its bytes repeat or count",
        "Q29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZSAxMjM=, is not random: it is text",
        "thisisaverysecretkeyforpublicidsofthisshops=, is not random: it is text",
        "THISISAVERYSECRETKEYFORPUBLICIDSOFTHISSHOPS=, is not random: it is text"
    })
    void weakKeysAreRejectedWithAdviceAndWithoutTheKey(String base64, String weakness) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("k", base64))
                .withMessage("key 'k' " + weakness + ADVICE)
                .withNoCause();
    }

    @Test
    void randomKeysAreNotTakenForWeakOnes() {
        Random random = new Random(2);
        assertThat(IntStream.range(0, 10_000).filter(round -> {
                    byte[] key = new byte[32];
                    random.nextBytes(key);
                    return isRefused(Base64.getEncoder().encodeToString(key));
                }))
                .isEmpty();
    }

    private static boolean isRefused(String base64) {
        try {
            Key.of("k", base64);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', has 0 characters",
        "ab, has 2 characters",
        "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU=, has 44 characters",
        "-, 'was \"-\"'",
        "é, 'was \"?\"'"
    })
    void namesOfKeysAreOneDigitOrLetter(String name, String but) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of(name, "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU="))
                .withMessage(
                        "the name of a key must be one character of 0-9, A-Z and a-z, because public IDs begin with it, but "
                                + but);
    }

    @Test
    void nothingShowsAKey() {
        PublicIds publicIds = PublicIds.of(key("b", 32), key("a", 16));

        assertThat(publicIds).hasToString("checked public IDs, keys 'b', 'a'");
        assertThat(key("a", 24)).hasToString("key 'a'");
        assertThat(key("a", 24).name()).isEqualTo("a");
        assertThat(Arrays.stream(Key.class.getMethods())
                        .filter(method -> method.getDeclaringClass() == Key.class)
                        .map(method -> method.getName()))
                .containsExactlyInAnyOrder("of", "name", "toString");
    }

    private static void assertInvalid(ThrowingCallable decoding, @Nullable String message) {
        var invalid = assertThatExceptionOfType(InvalidPublicIdException.class).isThrownBy(decoding);
        if (message != null) {
            invalid.withMessage(message).withNoCause();
        }
    }

    /** Returns the same key for the same seed. */
    private static Key key(String name, int seed) {
        byte[] key = new byte[32];
        new Random(seed).nextBytes(key);
        return Key.of(name, Base64.getEncoder().encodeToString(key));
    }
}
