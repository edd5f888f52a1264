package io.github.snowflakeid.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** The digits of a radix, in the order of ASCII: texts of one length sort as their numbers do. Immutable. */
final class Digits {

    static final Digits DECIMAL = new Digits("0123456789", "0-9");
    static final Digits HEXADECIMAL = new Digits("0123456789abcdef", "0-9 and a-f").inBothCases();

    /** As Douglas Crockford wrote it down: letters that look like digits are read as those. */
    static final Digits CROCKFORD = crockford("", "0-9 and A-Z without U");

    /** His check symbols, for remainders of a division by 37. These alone are in no order. */
    static final Digits CHECKS = crockford("*~$=U", "0-9, A-Z, *, ~, $ and =");

    static final Digits BASE62 =
            new Digits("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0-9, A-Z and a-z");

    /** Writes two bytes at once. */
    private static final VarHandle TWO_BYTES =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private static final long BILLION = 1_000_000_000;

    /** What {@link #read} answers to a text that is no number of 63 bits. */
    static final long NONE = -1;

    final String inWords;

    private final byte[] symbols;
    private final byte[] values = new byte[256];

    /** All pairs of symbols, in order. */
    private final short[] pairs;

    /** What four digits more can follow. */
    private final long mostBeforeFour;

    private Digits(String symbols, String inWords) {
        this.symbols = symbols.getBytes(StandardCharsets.US_ASCII);
        this.inWords = inWords;
        pairs = new short[symbols.length() * symbols.length()];
        mostBeforeFour = Long.MAX_VALUE / ((long) pairs.length * pairs.length);
        for (int pair = 0; pair < pairs.length; pair++) {
            pairs[pair] = (short)
                    (symbols.charAt(pair / symbols.length()) << Byte.SIZE | symbols.charAt(pair % symbols.length()));
        }
        Arrays.fill(values, (byte) NONE);
        for (int value = 0; value < symbols.length(); value++) {
            values[symbols.charAt(value)] = (byte) value;
        }
    }

    private static Digits crockford(String more, String inWords) {
        return new Digits("0123456789ABCDEFGHJKMNPQRSTVWXYZ" + more, inWords)
                .inBothCases()
                .alsoRead("Oo", 0)
                .alsoRead("IiLl", 1);
    }

    private Digits inBothCases() {
        for (int value = 0; value < symbols.length; value++) {
            String symbol = Character.toString(symbols[value]);
            alsoRead(symbol.toUpperCase(Locale.ROOT) + symbol.toLowerCase(Locale.ROOT), value);
        }
        return this;
    }

    private Digits alsoRead(String characters, int value) {
        characters.chars().forEach(character -> values[character] = (byte) value);
        return this;
    }

    /** The value of a character, negative if it is no digit. */
    int value(char character) {
        return character < values.length ? values[character] : (int) NONE;
    }

    char symbol(int value) {
        return (char) symbols[value];
    }

    /**
     * Reads the digits from an index to another one, in a time that does not depend on which they are. There are at most as
     * many as {@link Long#MAX_VALUE} has.
     */
    long read(String text, int from, int to) {
        int radix = symbols.length;
        int radixOfPairs = pairs.length;
        long number = 0;
        int wrongIfNegative = 0;
        int index = from;
        for (int four = from + ((to - from) & 3); index < four; index++) {
            char character = text.charAt(index);
            int value = values[character & 0xff];
            wrongIfNegative |= value | (0xff - character);
            number = number * radix + value;
        }
        // Four at a time: a processor reads the next ones while it multiplies.
        long before = 0;
        for (; index < to; index += 4) {
            char one = text.charAt(index);
            char two = text.charAt(index + 1);
            char three = text.charAt(index + 2);
            char last = text.charAt(index + 3);
            int first = values[one & 0xff];
            int second = values[two & 0xff];
            int third = values[three & 0xff];
            int fourth = values[last & 0xff];
            wrongIfNegative |= first | second | third | fourth | (0xff - (one | two | three | last));
            before = number;
            int four = (first * radix + second) * radixOfPairs + third * radix + fourth;
            number = number * radixOfPairs * radixOfPairs + four;
        }
        return (wrongIfNegative | (mostBeforeFour - before) | number) < 0 ? NONE : number;
    }

    /** The index of the first character that is no digit, negative if all are. */
    int firstForeign(String text, int from, int to) {
        for (int index = from; index < to; index++) {
            if (value(text.charAt(index)) < 0) {
                return index;
            }
        }
        return (int) NONE;
    }

    /** Writes digits of some bits each, with leading zeros. */
    void writeBits(long number, int bits, byte[] text, int from, int to) {
        int index = from;
        int shift = bits * (to - from);
        if ((to - from) % 2 != 0) {
            shift -= bits;
            text[index++] = symbols[(int) (number >>> shift)];
        }
        for (; index < to; index += 2) {
            shift -= 2 * bits;
            writePair((int) (number >>> shift) & (pairs.length - 1), text, index);
        }
    }

    /** Writes all 19 digits of an id. In parts, which a processor divides at the same time. */
    static void writeDecimal(long number, byte[] text) {
        long higher = number / BILLION;
        int highest = (int) (higher / BILLION);
        text[0] = DECIMAL.symbols[highest];
        writeNineDigits((int) (higher - highest * BILLION), text, 1);
        writeNineDigits((int) (number - higher * BILLION), text, 1 + 9);
    }

    private static void writeNineDigits(int number, byte[] text, int from) {
        int rest = number;
        for (int index = from + 7; index > from; index -= 2) {
            int higher = rest / 100;
            DECIMAL.writePair(rest - higher * 100, text, index);
            rest = higher;
        }
        text[from] = DECIMAL.symbols[rest];
    }

    /** Writes two digits at a time, with leading zeros. */
    static void writeBase62(long number, byte[] text, int from, int to) {
        long rest = number;
        int index = to;
        while (index - from > 1) {
            index -= 2;
            // A division by what the compiler knows is a multiplication.
            long higher = rest / (62 * 62);
            BASE62.writePair((int) (rest - higher * (62 * 62)), text, index);
            rest = higher;
        }
        if (index > from) {
            text[from] = BASE62.symbols[(int) rest];
        }
    }

    private void writePair(int pair, byte[] text, int index) {
        TWO_BYTES.set(text, index, pairs[pair]);
    }
}
