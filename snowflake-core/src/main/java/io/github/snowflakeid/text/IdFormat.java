package io.github.snowflakeid.text;

/**
 * Ids as text that says what the number says, and no less: whoever has the text has the id. To hide what an id tells, use
 * {@link PublicIds}.
 *
 * <p>All texts of one format have one length, and sort as their ids do wherever text is compared by its bytes or by
 * {@link String#compareTo}. Nothing is lost in silence: what {@link #parse} takes is what {@link #format} wrote, but for the
 * case of letters and the misreadings that a format names; all else is refused. Negative ids do not exist.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public enum IdFormat {
    /**
     * 19 digits. Also reads numbers without the leading zeros, as other programs write them; those do not sort.
     */
    DECIMAL("decimal", 19, Digits.DECIMAL),

    /** 16 digits, written in lower case, read in both. */
    HEXADECIMAL("hexadecimal", 16, Digits.HEXADECIMAL),

    /**
     * 13 digits and upper-case letters, for people who read aloud and type: no I, L, O and U. Reads both cases, O as 0, and
     * I and L as 1. Equal to the text of a TSID. Source: Douglas Crockford, "Base 32".
     */
    CROCKFORD("Crockford base 32", 13, Digits.CROCKFORD),

    /**
     * {@link #CROCKFORD} and one symbol more, the remainder of a division by 37. A wrong symbol is always found, and so are two
     * neighbours that have changed places. The last symbol may be one of {@code *~$=U}.
     */
    CROCKFORD_CHECKED("Crockford base 32 with a check symbol", 14, Digits.CROCKFORD),

    /** 11 digits and letters of both cases: the shortest. For machines, since people take cases for equal. */
    BASE62("base 62", 11, Digits.BASE62);

    private static final int CHECK_MODULUS = 37;

    private final String inWords;
    private final int length;

    @SuppressWarnings("ImmutableEnumChecker") // They are, which the checker cannot know.
    private final Digits digits;

    IdFormat(String inWords, int length, Digits digits) {
        this.inWords = inWords;
        this.length = length;
        this.digits = digits;
    }

    /**
     * How long each text is.
     *
     * @return a number of characters, all of which are ASCII
     */
    public int length() {
        return length;
    }

    /**
     * The id as text.
     *
     * @param id the id
     * @return {@link #length()} characters, with leading zeros
     * @throws IllegalArgumentException if the id is negative
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

    /** The text of bytes that are ASCII. The constructor that takes a charset makes each text a tenth slower. */
    @SuppressWarnings("deprecation") // For bytes of other charsets.
    static String ascii(byte[] text) {
        return new String(text, 0, 0, text.length);
    }

    /**
     * The id that a text stands for.
     *
     * @param text what {@link #format} wrote, or one of the variants that the format names
     * @return the id, 0 or greater
     * @throws IllegalArgumentException if the text has another length, a character that the format does not have, a wrong check
     *     symbol, or stands for more than {@link Long#MAX_VALUE}; the message says which, and quotes the beginning of the text
     */
    public long parse(String text) {
        boolean shorter = this == DECIMAL && !text.isEmpty() && text.length() < length;
        if (text.length() != length && !shorter) {
            throw new IllegalArgumentException("an id in %s must have %s characters, but %s has %d"
                    .formatted(inWords, this == DECIMAL ? "1 to " + length : length, Quoted.of(text), text.length()));
        }
        int end = this == CROCKFORD_CHECKED ? length - 1 : text.length();
        long id = digits.read(text, 0, end);
        if (id < 0 || (this == CROCKFORD_CHECKED && Digits.CHECKS.value(text.charAt(end)) != checkOf(id))) {
            throw new IllegalArgumentException(whyNot(text, end, id));
        }
        return id;
    }

    static void requireNotNegative(long id) {
        if (id < 0) {
            throw new IllegalArgumentException(
                    "id must not be negative, but was %d; no layout makes such ids".formatted(id));
        }
    }

    private static int checkOf(long id) {
        return (int) (id % CHECK_MODULUS);
    }

    private String whyNot(String text, int end, long id) {
        int foreign = digits.firstForeign(text, 0, end);
        if (foreign >= 0) {
            return "an id in %s must consist of %s, but %s has another character at index %d"
                    .formatted(inWords, digits.inWords, Quoted.of(text), foreign);
        }
        if (id < 0) {
            String most = this == DECIMAL ? "" : format(Long.MAX_VALUE) + ", which is ";
            return "an id in %s must be at most %s%d, but was %s"
                    .formatted(inWords, most, Long.MAX_VALUE, Quoted.of(text));
        }
        return "an id in %s must end in the check symbol of what is before it, but %s does not; it was mistyped"
                .formatted(inWords, Quoted.of(text));
    }
}
