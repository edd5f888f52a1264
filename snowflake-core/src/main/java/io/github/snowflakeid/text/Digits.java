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

    /** The highest number that another digit can follow. */
    private final long mostBeforeOne;

    private Digits(String symbols, String inWords) {
        this.symbols = symbols.getBytes(StandardCharsets.US_ASCII);
        this.inWords = inWords;
        mostBeforeOne = Long.MAX_VALUE / symbols.length();
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
        long number = 0;
        long wrongIfNegative = 0;
        for (int index = from; index < to; index++) {
            char character = text.charAt(index);
            int value = values[character & 0xff];
            wrongIfNegative |= value | (0xff - character) | (mostBeforeOne - number);
            number = number * radix + value;
            wrongIfNegative |= number;
        }
        return wrongIfNegative < 0 ? NONE : number;
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

    /**
     * Writes digits, with leading zeros. Call this with a literal radix: the compiler then multiplies instead of dividing.
     *
     * @param radix how many digits there are
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
