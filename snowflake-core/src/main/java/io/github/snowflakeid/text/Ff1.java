package io.github.snowflakeid.text;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.spec.SecretKeySpec;

/**
 * The FF1 cipher: a keyed permutation of all numbers of {@code n} bits, as specified in NIST SP 800-38G, section 5.1,
 * with radix 2 and AES. A number is represented by its two halves: the left half has {@code n / 2} bits, the right half
 * the other bits. Safe for use by any number of threads.
 */
final class Ff1 {

    /** The longest tweak. NIST allows longer ones, but a type is a word, and every 16 bytes cost as much as a round. */
    static final int MAX_TWEAK_BYTES = 64;

    private static final int ROUNDS = 10;

    private final SecretKeySpec key;

    /** Ciphers that no thread uses at the moment. A cipher serves one thread at a time and is expensive to create. */
    private final Queue<Aes> idle = new ConcurrentLinkedQueue<>();

    private final int bits;
    private final int leftBits;
    private final int rightBits;

    /** The length of the longer half in bytes; {@code b} in the standard. */
    private final int halfBytes;

    /** The index of the lowest eight of the {@code d} bytes that the standard takes as a number. */
    private final int lowBytes;

    Ff1(SecretKeySpec key, int bits) {
        this.key = key;
        idle.add(new Aes(key));
        this.bits = bits;
        leftBits = bits / 2;
        rightBits = bits - leftBits;
        halfBytes = (rightBits + 7) / 8;
        lowBytes = 4 * ((halfBytes + 3) / 4) + 4 - Long.BYTES;
    }

    /** The two halves of a number. */
    record Halves(long left, long right) {}

    int rightBits() {
        return rightBits;
    }

    /** Algorithm 7, FF1.Encrypt. */
    Halves encrypt(byte[] tweak, Halves plain) {
        Aes aes = take();
        Mac mac = macOf(aes, tweak);
        long a = plain.left;
        long b = plain.right;
        for (int round = 0; round < ROUNDS; round++) {
            long c = (a + roundFunction(aes, mac, round, b)) & mask(round);
            a = b;
            b = c;
        }
        idle.add(aes);
        return new Halves(a, b);
    }

    /** Algorithm 8, FF1.Decrypt. */
    Halves decrypt(byte[] tweak, Halves encrypted) {
        Aes aes = take();
        Mac mac = macOf(aes, tweak);
        long a = encrypted.left;
        long b = encrypted.right;
        for (int round = ROUNDS - 1; round >= 0; round--) {
            long c = (b - roundFunction(aes, mac, round, a)) & mask(round);
            b = a;
            a = c;
        }
        idle.add(aes);
        return new Halves(a, b);
    }

    private Aes take() {
        Aes aes = idle.poll();
        return aes != null ? aes : new Aes(key);
    }

    /** The last block that a round authenticates, already XORed with the cipher text of the blocks before it. */
    private record Mac(long high, long low) {}

    /**
     * Computes the part that all rounds have in common: steps 1 to 5, and PRF (Algorithm 6) of P and of Q up to the
     * last block. Only the last bytes of that block differ between rounds: they hold the round number and a half.
     */
    private Mac macOf(Aes aes, byte[] tweak) {
        int blocks = (tweak.length + 1 + halfBytes + Aes.BLOCK_BYTES - 1) / Aes.BLOCK_BYTES;
        byte[] q = new byte[blocks * Aes.BLOCK_BYTES];
        System.arraycopy(tweak, 0, q, 0, tweak.length);
        ByteBuffer words = ByteBuffer.wrap(q);
        // P: version 1, method 2, addition 1, radix 2 in three bytes, ten rounds, u, n, t.
        aes.encrypt(0x01_02_01_000002_0A_00L | leftBits, (long) bits << 32 | tweak.length);
        for (int block = 0; block < blocks - 1; block++) {
            int at = block * Aes.BLOCK_BYTES;
            aes.encrypt(aes.longAt(0) ^ words.getLong(at), aes.longAt(Long.BYTES) ^ words.getLong(at + Long.BYTES));
        }
        int last = q.length - Aes.BLOCK_BYTES;
        return new Mac(aes.longAt(0) ^ words.getLong(last), aes.longAt(Long.BYTES) ^ words.getLong(last + Long.BYTES));
    }

    /** Steps 6.i to 6.iv: returns the number that is added to the other half. */
    private long roundFunction(Aes aes, Mac mac, int round, long half) {
        aes.encrypt(mac.high, mac.low ^ ((long) round << (Byte.SIZE * halfBytes)) ^ half);
        return aes.longAt(lowBytes);
    }

    /**
     * Returns the mask of the half that a round writes. The halves change places each round, so even rounds write the
     * left length.
     */
    private long mask(int round) {
        return (1L << (round % 2 == 0 ? leftBits : rightBits)) - 1;
    }
}
