package io.github.snowflakeid.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;

import io.github.snowflakeid.text.Ff1.Halves;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * NIST's vectors have radix 10 and 36, and this implementation has radix 2. Therefore Bouncy Castle has to pass NIST's
 * vectors, and this implementation has to agree with Bouncy Castle.
 */
class Ff1Tests {

    private static final byte[] NIST_KEY =
            HexFormat.of().parseHex("2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94");

    /** From FF1samples.pdf on NIST's page of examples. */
    @ParameterizedTest
    @CsvSource({
        "16, 10, '', 0123456789, 2433477484",
        "16, 10, 9876543210, 0123456789, 6124200773",
        "16, 36, 7777pqrs777, 0123456789abcdefghi, a9tv40mll9kdu509eum",
        "24, 10, '', 0123456789, 2830668132",
        "24, 10, 9876543210, 0123456789, 2496655549",
        "24, 36, 7777pqrs777, 0123456789abcdefghi, xbj3kv35jrawxv32ysr",
        "32, 10, '', 0123456789, 6657667009",
        "32, 10, 9876543210, 0123456789, 1001623463",
        "32, 36, 7777pqrs777, 0123456789abcdefghi, xs8a0azh2avyalyzuwd"
    })
    void bouncyCastlePassesTheNineVectorsOfNist(int bytes, int radix, String tweak, String plain, String encrypted) {
        byte[] key = Arrays.copyOf(NIST_KEY, bytes);

        assertThat(BouncyCastle.ff1(true, key, radix, tweak.getBytes(US_ASCII), digits(plain)))
                .isEqualTo(digits(encrypted));
        assertThat(BouncyCastle.ff1(false, key, radix, tweak.getBytes(US_ASCII), digits(encrypted)))
                .isEqualTo(digits(plain));
    }

    private static byte[] digits(String text) {
        byte[] digits = new byte[text.length()];
        IntStream.range(0, digits.length).forEach(i -> digits[i] = (byte) Character.digit(text.charAt(i), 36));
        return digits;
    }

    /** Half of them at each of our lengths; keys of every size, and tweaks that end at each position of a block. */
    // Slow: encrypts 200,000 numbers with each implementation.
    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {63, 104})
    void agreesWithBouncyCastleOnAHundredThousandNumbers(int bits) {
        Random random = new Random(bits);
        int numbers = 50_000;
        int perKey = 50;
        for (int i = 0; i < numbers; i += perKey) {
            byte[] key = bytes(random, 16 + 8 * (i / perKey % 3));
            Ff1 ff1 = new Ff1(new SecretKeySpec(key, "AES"), bits);
            for (int j = 0; j < perKey; j++) {
                agree(ff1, key, bits, bytes(random, random.nextInt(Ff1.MAX_TWEAK_BYTES + 1)), random);
            }
        }
    }

    @Test
    void agreesWithBouncyCastleAtEveryLength() {
        Random random = new Random(1);
        for (int bits = 20; bits <= 112; bits++) {
            byte[] key = bytes(random, 16);
            Ff1 ff1 = new Ff1(new SecretKeySpec(key, "AES"), bits);
            for (int bytes = 0; bytes <= Ff1.MAX_TWEAK_BYTES; bytes++) {
                agree(ff1, key, bits, bytes(random, bytes), random);
            }
        }
    }

    private static void agree(Ff1 ff1, byte[] key, int bits, byte[] tweak, Random random) {
        Halves plain =
                new Halves(random.nextLong() & (1L << bits / 2) - 1, random.nextLong() & (1L << bits - bits / 2) - 1);
        Halves encrypted = ff1.encrypt(tweak, plain);
        Halves theirs = BouncyCastle.encrypt(key, bits, tweak, plain);
        // To create a message for each comparison would take longer than both.
        if (!encrypted.equals(theirs) || !ff1.decrypt(tweak, encrypted).equals(plain)) {
            fail(
                    "%s bits, key of %s bytes, tweak of %s bytes, %s: %s but Bouncy Castle has %s",
                    bits, key.length, tweak.length, plain, encrypted, theirs);
        }
    }

    private static byte[] bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void rejectsKeysThatAesDoesNotHave() {
        SecretKeySpec key = new SecretKeySpec(new byte[17], "AES");

        assertThatIllegalStateException()
                .isThrownBy(() -> new Ff1(key, 63))
                .withMessage("No security provider of this JVM supports AES/ECB/NoPadding with keys of this length");
    }
}
