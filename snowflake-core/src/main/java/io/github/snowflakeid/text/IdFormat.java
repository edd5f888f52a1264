package io.github.snowflakeid.text;

/**
 * A text form of IDs that carries the same information as the number: anyone who has the text has the ID. To hide the
 * information in an ID, use {@link PublicIds}.
 *
 * <p>All texts of one format have the same length and sort like their IDs wherever text is compared bytewise or by
 * {@link String#compareTo}. {@link #parse} accepts only the text that {@link #format} writes, in either letter case if
 * the format says so, and the variants that the format documents. It rejects any other text. Negative IDs do not exist.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 1.0
 */
public enum IdFormat {
    /**
     * 19 digits. Also accepts numbers without the leading zeros, as other programs write them; such texts do not sort
     * like the IDs.
     */
    DECIMAL("decimal", 19, Digits.DECIMAL),

    /** 16 digits, written in lower case and accepted in both cases. */
    HEXADECIMAL("hexadecimal", 16, Digits.HEXADECIMAL),

    /**
     * 13 digits and upper-case letters without I, L, O and U, for people who read IDs aloud and type them. Accepts both
     * cases, O as 0, and I and L as 1. The texts are the same as for TSIDs. Source: Douglas Crockford, "Base 32".
     */
    CROCKFORD("Crockford base 32", 13, Digits.CROCKFORD),

    /**
     * {@link #CROCKFORD} followed by a check symbol, the remainder of a division by 37. It detects any single wrong
     * symbol and any swap of two adjacent symbols. The check symbol may be one of {@code *~$=U}.
     */
    CROCKFORD_CHECKED("Crockford base 32 with a check symbol", 14, Digits.CROCKFORD),

    /**
     * 11 digits and letters of both cases: the shortest format. Suited to machines, because people often ignore case.
     */
    BASE62("base 62", 11, Digits.BASE62);

    private static final int CHECK_MODULUS = 37;

    private final String inWords;
    private final int length;

    @SuppressWarnings("ImmutableEnumChecker") // Digits is immutable, but not annotated so.
    private final Digits digits;

    IdFormat(String inWords, int length, Digits digits) {
        this.inWords = inWords;
        this.length = length;
        this.digits = digits;
    }

    /**
     * Returns the length of each text.
     *
     * @return the number of characters, all of which are ASCII
     */
    public int length() {
        return length;
    }

    /**
     * Returns an ID as text.
     *
     * @param id the ID
     * @return {@link #length()} characters, with leading zeros
     * @throws IllegalArgumentException if the ID is negative
     */
    public String format(long id) {
        requireNotNegative(id);
        byte[] text = new byte[length];
        switch (this) {
            case DECIMAL -> digits.write(id, 10, text, 0, length);
            case HEXADECIMAL -> digits.write(id, 16, text, 0, length);
            case CROCKFORD -> digits.write(id, 32, text, 0, length);
            case CROCKFORD_CHECKED -> {
                digits.write(id, 32, text, 0, length - 1);
                text[length - 1] = (byte) Digits.CHECKS.symbol(checkOf(id));
            }
            case BASE62 -> digits.write(id, 62, text, 0, length);
        }
        return ascii(text);
    }

    /**
     * Returns a text of ASCII bytes. The constructor with a charset parameter makes formatting about ten percent
     * slower.
     */
    @SuppressWarnings("deprecation") // The constructor is deprecated because it ignores charsets; all bytes are ASCII.
    static String ascii(byte[] text) {
        return new String(text, 0, 0, text.length);
    }

    /**
     * Returns the ID that a text stands for.
     *
     * @param text a text that {@link #format} wrote, or a variant that the format documents
     * @return the ID, 0 or greater
     * @throws IllegalArgumentException if the text has the wrong length, contains a character that the format does not
     *     use, has a wrong check symbol, or stands for a number greater than {@link Long#MAX_VALUE}. The message names
     *     the violated rule and quotes the beginning of the text
     */
    public long parse(String text) {
        boolean shorter = this == DECIMAL && !text.isEmpty() && text.length() < length;
        if (text.length() != length && !shorter) {
            throw new IllegalArgumentException("an ID in %s must have %s characters, but %s has %s"
                    .formatted(inWords, this == DECIMAL ? "1 to " + length : length, Quoted.of(text), text.length()));
        }
        int end = this == CROCKFORD_CHECKED ? length - 1 : text.length();
        long id = digits.read(text, 0, end);
        if (id < 0 || (this == CROCKFORD_CHECKED && Digits.CHECKS.value(text.charAt(end)) != checkOf(id))) {
            throw new IllegalArgumentException(rejection(text, end, id));
        }
        return id;
    }

    static void requireNotNegative(long id) {
        if (id < 0) {
            throw new IllegalArgumentException(
                    "ID must not be negative, but was %s; no layout generates negative IDs".formatted(id));
        }
    }

    private static int checkOf(long id) {
        return (int) (id % CHECK_MODULUS);
    }

    private String rejection(String text, int end, long id) {
        int foreign = digits.firstForeign(text, 0, end);
        if (foreign >= 0) {
            return "an ID in %s must consist of %s, but %s has another character at index %s"
                    .formatted(inWords, digits.inWords, Quoted.of(text), foreign);
        }
        if (id < 0) {
            String most = this == DECIMAL ? "" : format(Long.MAX_VALUE) + ", which is ";
            return "an ID in %s must be at most %s%s, but was %s"
                    .formatted(inWords, most, Long.MAX_VALUE, Quoted.of(text));
        }
        return "an ID in %s must end in the check symbol of the characters before it, but %s does not; it was probably mistyped"
                .formatted(inWords, Quoted.of(text));
    }
}
