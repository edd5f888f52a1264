package io.github.snowflakeid.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The digits of a number system, in ASCII order, so that texts of equal length sort like the numbers they stand for.
 * Immutable.
 */
final class Digits {

    static final Digits DECIMAL = new Digits("0123456789", "0-9");
    static final Digits HEXADECIMAL = new Digits("0123456789abcdef", "0-9 and a-f").inBothCases();

    /** Douglas Crockford's base 32. The letters O, I and L are read as the digits they resemble. */
    static final Digits CROCKFORD = crockford("", "0-9 and A-Z without U");

    /**
     * Crockford's check symbols, for remainders of a division by 37. Unlike other digits, they are not in ASCII order.
     */
    static final Digits CHECKS = crockford("*~$=U", "0-9, A-Z, *, ~, $ and =");

    static final Digits BASE62 =
            new Digits("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0-9, A-Z and a-z");

    /** The result of {@link #read} if the text is not a number of at most 63 bits. */
    static final long NONE = -1;

    final String inWords;

    private final byte[] symbols;
    private final byte[] values = new byte[256];

    /** The highest number to which another digit can be appended. */
    private final long maxBeforeAppending;

    private Digits(String symbols, String inWords) {
        this.symbols = symbols.getBytes(StandardCharsets.US_ASCII);
        this.inWords = inWords;
        maxBeforeAppending = Long.MAX_VALUE / symbols.length();
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

    /** Returns the value of a digit, or a negative number if the character is not a digit. */
    int value(char character) {
        return character < values.length ? values[character] : (int) NONE;
    }

    char symbol(int value) {
        return (char) symbols[value];
    }

    /**
     * Reads the digits in a range of a text, in a time that does not depend on the characters.
     *
     * @param to the end of the range; the range has at most as many characters as {@link Long#MAX_VALUE} has digits
     * @return the number, or {@link #NONE}
     */
    long read(String text, int from, int to) {
        int radix = symbols.length;
        long number = 0;
        long wrongIfNegative = 0;
        for (int index = from; index < to; index++) {
            char character = text.charAt(index);
            int value = values[character & 0xff];
            wrongIfNegative |= value | (0xff - character) | (maxBeforeAppending - number);
            number = number * radix + value;
            wrongIfNegative |= number;
        }
        return wrongIfNegative < 0 ? NONE : number;
    }

    /**
     * Returns the index of the first character that is not a digit, or a negative number if all characters are digits.
     */
    int firstForeign(String text, int from, int to) {
        for (int index = from; index < to; index++) {
            if (value(text.charAt(index)) < 0) {
                return index;
            }
        }
        return (int) NONE;
    }

    /**
     * Writes a number into a range of bytes, with leading zeros.
     *
     * @param radix the number of digits. Pass a literal, so that the compiler can replace the division by a
     *     multiplication
     */
    void write(long number, int radix, byte[] text, int from, int to) {
        long rest = number;
        for (int index = to - 1; index >= from; index--) {
            long higher = rest / radix;
            text[index] = symbols[(int) (rest - higher * radix)];
            rest = higher;
        }
    }
}
