package io.github.snowflakeid.text;

import java.util.stream.IntStream;
import org.bouncycastle.crypto.fpe.FPEFF1Engine;
import org.bouncycastle.crypto.params.FPEParameters;
import org.bouncycastle.crypto.params.KeyParameter;

/** FF1 by Bouncy Castle, with one byte per digit. */
final class BouncyCastle {

    private BouncyCastle() {}

    static byte[] ff1(boolean encrypts, byte[] key, int radix, byte[] tweak, byte[] digits) {
        FPEFF1Engine engine = new FPEFF1Engine();
        engine.init(encrypts, new FPEParameters(new KeyParameter(key), radix, tweak));
        byte[] result = new byte[digits.length];
        engine.processBlock(digits, 0, digits.length, result, 0);
        return result;
    }

    static Ff1.Halves encrypt(byte[] key, int bits, byte[] tweak, Ff1.Halves plain) {
        int leftBits = bits / 2;
        byte[] digits = new byte[bits];
        IntStream.range(0, leftBits).forEach(bit -> digits[bit] = (byte) (plain.left() >> (leftBits - 1 - bit) & 1));
        IntStream.range(leftBits, bits).forEach(bit -> digits[bit] = (byte) (plain.right() >> (bits - 1 - bit) & 1));
        byte[] encrypted = ff1(true, key, 2, tweak, digits);
        return new Ff1.Halves(number(encrypted, 0, leftBits), number(encrypted, leftBits, bits));
    }

    private static long number(byte[] bits, int from, int to) {
        return IntStream.range(from, to).mapToLong(bit -> bits[bit]).reduce(0, (before, bit) -> before << 1 | bit);
    }
}
