package io.github.snowflakeid.text;

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

    /** What {@link #read} answers to a text that is no number of 63 bits. */
    static final long NONE = -1;

    final String inWords;

    private final byte[] symbols;
    private final byte[] values = new byte[256];

    /** All pairs of symbols, in order. */
    private final short[] pairs;

    /** What one more pair can follow. */
    private final long mostBeforePair;

    private Digits(String symbols, String inWords) {
        this.symbols = symbols.getBytes(StandardCharsets.US_ASCII);
        this.inWords = inWords;
        pairs = new short[symbols.length() * symbols.length()];
        mostBeforePair = Long.MAX_VALUE / pairs.length;
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
        // Faster than charAt for each. What is not of this charset becomes a question mark, which is no digit.
        byte[] characters = text.getBytes(StandardCharsets.ISO_8859_1);
        if (characters.length != text.length()) {
            // Surrogates became one.
            return NONE;
        }
        int radix = symbols.length;
        long number = 0;
        long before = 0;
        int wrongIfNegative = 0;
        int index = from;
        if ((to - from) % 2 != 0) {
            wrongIfNegative = values[characters[index++] & 0xff];
            number = wrongIfNegative;
        }
        for (; index < to; index += 2) {
            int high = values[characters[index] & 0xff];
            int low = values[characters[index + 1] & 0xff];
            wrongIfNegative |= high | low;
            before = number;
            number = number * pairs.length + (high * radix + low);
        }
        return (wrongIfNegative | (mostBeforePair - before) | number) < 0 ? NONE : number;
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
        int shift = bits * (to - from);
        for (int index = from; index < to; index++) {
            shift -= bits;
            text[index] = symbols[(int) (number >>> shift) & ((1 << bits) - 1)];
        }
    }

    static void writeDecimal(long number, byte[] text, int from, int to) {
        DECIMAL.write(number, 10 * 10, text, from, to);
    }

    static void writeBase62(long number, byte[] text, int from, int to) {
        BASE62.write(number, 62 * 62, text, from, to);
    }

    /**
     * Writes two digits at a time, with leading zeros. How many pairs there are is passed, since a division by what the compiler
     * knows is a multiplication.
     */
    private void write(long number, int pairsInAll, byte[] text, int from, int to) {
        long rest = number;
        int index = to;
        while (index - from > 1) {
            index -= 2;
            short pair = pairs[(int) (rest % pairsInAll)];
            rest /= pairsInAll;
            text[index] = (byte) (pair >> Byte.SIZE);
            text[index + 1] = (byte) pair;
        }
        if (index > from) {
            text[from] = symbols[(int) rest];
        }
    }
}
