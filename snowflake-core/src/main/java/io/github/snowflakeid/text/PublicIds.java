package io.github.snowflakeid.text;

import io.github.snowflakeid.text.Ff1.Halves;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encodes IDs as public IDs, which reveal neither when and by which worker an ID was generated nor how many IDs there
 * are. The ID is encrypted by a keyed permutation, so the database keeps its short, sortable number, and no mapping
 * table is needed.
 *
 * <pre>{@code
 * PublicIds publicIds = PublicIds.of(PublicIds.Key.of("a", System.getenv("PUBLIC_ID_KEY")));
 * String text = publicIds.encode("order", order.id());
 * long id = publicIds.decode("order", text);
 * }</pre>
 *
 * <p><b>Guarantee.</b> The same ID, type and key always give the same text, and {@link #decode decode} returns the ID
 * that {@link #encode} was given. Without the key, the texts of successive IDs look random, and so do the texts of one
 * ID under two types. How likely a made-up text is accepted depends on the {@link Format}. A public ID is not an
 * authorization: check whether its bearer may see the object. If you lose a key, the texts encoded with it can no
 * longer be decoded.
 *
 * <p><b>Text.</b> The name of the key, followed by digits and letters. It is safe in URLs, and case-sensitive.
 *
 * <p><b>Algorithm.</b> FF1 of NIST SP 800-38G (section 5.1, Algorithms 7 and 8; ten rounds of AES), radix 2. The tweak
 * is the type in UTF-8. The number consists of the ID's 63 bits, followed by 41 zero bits in the checked format. A
 * checked number is written as two halves of nine base 62 digits each, a compact number as eleven base 62 digits.
 *
 * <p>Immutable, and safe for use by any number of threads, including virtual threads: no thread waits for another, and
 * there is no per-thread state. Neither {@link #toString()} nor any exception shows a key.
 *
 * @since 1.0
 */
public final class PublicIds {

    private static final int ID_BITS = 63;

    /** The number of base 62 digits of one half of a checked number. */
    private static final int HALF_DIGITS = 9;

    private final Format format;
    private final List<Key> keys;

    /** The ciphers by the names of their keys. */
    private final Map<Character, Ff1> ciphers;

    /**
     * The format of public IDs: their length, and whether made-up texts are detected. Later versions may add constants.
     */
    public enum Format {
        /**
         * 19 characters. A text that was not encoded with these keys, or that belongs to another type, is rejected. Of
         * random texts of the right form, one in 2^41 (2.2 trillion) is taken for an ID.
         */
        CHECKED(104, 1 + 2 * HALF_DIGITS),

        /**
         * 12 characters, without a check. Every text of the right form, including a text of another type, decodes to an
         * ID of 63 bits, which almost certainly does not exist: with n rows, one text in 2^63 / n decodes to the ID of
         * a row.
         */
        COMPACT(ID_BITS, 1 + 11);

        private final int bits;

        /** The number of low bits that are 0 in each valid number. */
        private final int spareBits;

        private final int characters;

        Format(int bits, int characters) {
            this.bits = bits;
            this.characters = characters;
            spareBits = bits - ID_BITS;
        }
    }

    /** A key and its name. Immutable. {@link #toString()} shows the name, never the secret. */
    public static final class Key {

        private static final String ADVICE = "Generate a key with 'openssl rand -base64 32'";
        private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-f]+|[0-9A-F]+");

        private final char name;
        private final SecretKeySpec secret;

        private Key(char name, SecretKeySpec secret) {
            this.name = name;
            this.secret = secret;
        }

        /**
         * Returns a key from its configured form. Keep the secret where the application keeps its other secrets.
         * {@code openssl rand -base64 32} generates one.
         *
         * @param name one digit or letter, with which all texts of this key begin; never reuse it for another key
         * @param base64 32 random bytes in Base64, which are 44 characters; standard or URL-safe alphabet, with or
         *     without padding and surrounding white space
         * @return the key, for 256-bit AES
         * @throws IllegalArgumentException if the name is not a digit or letter, if the key has another length, or if
         *     it does not look random because it consists of evenly spaced bytes, few distinct bytes, or text. The
         *     message shows how to generate a key and does not quote the rejected key
         */
        public static Key of(String name, String base64) {
            if (name.length() != 1 || Digits.BASE62.value(name.charAt(0)) < 0) {
                // A name of several characters is not quoted: it may be the key, if the caller confused the parameters.
                throw new IllegalArgumentException(
                        "the name of a key must be one character of %s, because public IDs begin with it, but %s"
                                .formatted(
                                        Digits.BASE62.inWords,
                                        name.length() == 1
                                                ? "was " + Quoted.of(name)
                                                : "has %s characters".formatted(name.length())));
            }
            String text = base64.strip();
            byte[] bytes = decoded(text);
            String weakness = bytes == null ? "is not Base64" : weaknessOf(text, bytes);
            if (weakness != null) {
                throw new IllegalArgumentException("key '%s' %s. %s".formatted(name, weakness, ADVICE));
            }
            return new Key(name.charAt(0), new SecretKeySpec(Objects.requireNonNull(bytes), "AES"));
        }

        /**
         * Returns null if the text is not Base64. The exception of the decoder is dropped, because its message quotes
         * the text.
         */
        private static byte @Nullable [] decoded(String text) {
            try {
                return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }

        /** Returns why a key does not look random, or null. A random key practically never fails these checks. */
        private static @Nullable String weaknessOf(String text, byte[] bytes) {
            if (HEXADECIMAL.matcher(text).matches()) {
                return "must be Base64, but looks like hexadecimal";
            }
            if (bytes.length != 32) {
                return "must have 32 bytes (44 characters of Base64), but has %s bytes".formatted(bytes.length);
            }
            IntStream steps = IntStream.range(1, bytes.length).map(index -> bytes[index] - bytes[index - 1] & 0xff);
            long different = IntStream.range(0, bytes.length)
                    .map(index -> bytes[index])
                    .distinct()
                    .count();
            if (steps.distinct().count() == 1 || different < bytes.length / 2) {
                return "is not random: its bytes repeat or count";
            }
            boolean printable =
                    IntStream.range(0, bytes.length).allMatch(index -> bytes[index] >= ' ' && bytes[index] < 0x7f);
            boolean oneCase = text.equals(text.toLowerCase(Locale.ROOT)) || text.equals(text.toUpperCase(Locale.ROOT));
            if (printable || oneCase) {
                return "is not random: it is text";
            }
            return null;
        }

        private void requireDifferent(Key other) {
            if (name == other.name) {
                throw new IllegalArgumentException(
                        "two keys have the name '%s'; give the newer key another name".formatted(name));
            }
            if (MessageDigest.isEqual(secret.getEncoded(), other.secret.getEncoded())) {
                throw new IllegalArgumentException("keys '%s' and '%s' are the same key; a new key must be random. %s"
                        .formatted(name, other.name, ADVICE));
            }
        }

        /**
         * Returns the name of this key, with which all texts of this key begin.
         *
         * @return one digit or letter
         */
        public String name() {
            return Character.toString(name);
        }

        /** Returns a description that contains the name only. */
        @Override
        public String toString() {
            return "key '%s'".formatted(name);
        }
    }

    private PublicIds(Format format, List<Key> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("public IDs need at least one key. " + Key.ADVICE);
        }
        this.format = format;
        this.keys = List.copyOf(keys);
        for (int index = 0; index < keys.size(); index++) {
            keys.subList(0, index).forEach(keys.get(index)::requireDifferent);
        }
        ciphers = keys.stream()
                .collect(Collectors.toUnmodifiableMap(key -> key.name, key -> new Ff1(key.secret, format.bits)));
    }

    /**
     * Returns public IDs of {@link Format#CHECKED}.
     *
     * @param newest the key that encodes
     * @param older keys that still decode; keep a key as long as texts encoded with it must work
     * @return public IDs of {@link Format#CHECKED}
     * @throws IllegalArgumentException if two keys are equal or have the same name
     */
    public static PublicIds of(Key newest, Key... older) {
        List<Key> keys = Stream.concat(Stream.of(newest), Arrays.stream(older)).toList();
        return of(Format.CHECKED, keys);
    }

    /**
     * Returns public IDs of a format. Texts of one format cannot be decoded with the other, so changing the format
     * invalidates all existing texts.
     *
     * @param format the format of the texts
     * @param keys the first key encodes, all keys decode
     * @return public IDs
     * @throws IllegalArgumentException if there is no key, or if two keys are equal or have the same name
     */
    public static PublicIds of(Format format, List<Key> keys) {
        return new PublicIds(format, keys);
    }

    /**
     * Returns the public ID of an ID.
     *
     * @param type the kind of object that the ID belongs to, such as "order"; 1 to 64 bytes in UTF-8. The same number
     *     has different texts under different types
     * @param id the ID
     * @return the name of the newest key, followed by digits and letters; its length is fixed by the {@link Format}
     * @throws IllegalArgumentException if the ID is negative, or if the type is empty or too long
     */
    public String encode(String type, long id) {
        IdFormat.requireNotNegative(id);
        char name = keys.get(0).name;
        Ff1 cipher = Objects.requireNonNull(ciphers.get(name));
        int rightBits = cipher.rightBits();
        Halves plain = new Halves(id >>> (rightBits - format.spareBits), id << format.spareBits & mask(rightBits));
        Halves encrypted = cipher.encrypt(tweak(type), plain);
        byte[] text = new byte[format.characters];
        text[0] = (byte) name;
        if (format == Format.CHECKED) {
            Digits.BASE62.write(encrypted.left(), 62, text, 1, 1 + HALF_DIGITS);
            Digits.BASE62.write(encrypted.right(), 62, text, 1 + HALF_DIGITS, text.length);
        } else {
            Digits.BASE62.write(encrypted.left() << rightBits | encrypted.right(), 62, text, 1, text.length);
        }
        return IdFormat.ascii(text);
    }

    /**
     * Returns the ID of a public ID. The time this takes reveals only properties that are visible in the text: its
     * length, its characters, and the name of its key.
     *
     * @param type the expected type, the same as when the ID was encoded
     * @param text the text, which may come from an untrusted source
     * @return the ID, 0 or greater; an arbitrary number for a made-up text in the compact format
     * @throws InvalidPublicIdException if the text was not encoded with these keys, as far as the {@link Format} can
     *     tell
     * @throws IllegalArgumentException if the type is empty or too long
     */
    public long decode(String type, String text) {
        byte[] tweak = tweak(type);
        // Messages are concatenated, because String.format would cost more than the rest of rejecting an invalid text.
        if (text.length() != format.characters) {
            throw new InvalidPublicIdException("a public ID must have " + format.characters + " characters, but "
                    + Quoted.of(text) + " has " + text.length());
        }
        int foreign = Digits.BASE62.firstForeign(text, 0, text.length());
        if (foreign >= 0) {
            throw new InvalidPublicIdException("a public ID must consist of " + Digits.BASE62.inWords + ", but "
                    + Quoted.of(text) + " has another character at index " + foreign);
        }
        Ff1 cipher = ciphers.get(text.charAt(0));
        if (cipher == null) {
            throw new InvalidPublicIdException("no key is named by the first character of " + Quoted.of(text)
                    + "; the configured keys are " + keyNames());
        }
        int rightBits = cipher.rightBits();
        long left;
        long right;
        if (format == Format.CHECKED) {
            left = Digits.BASE62.read(text, 1, 1 + HALF_DIGITS);
            right = Digits.BASE62.read(text, 1 + HALF_DIGITS, text.length());
        } else {
            long number = Digits.BASE62.read(text, 1, text.length());
            left = number >> rightBits;
            right = number & mask(rightBits);
        }
        // Negative if a part is not a number. Greater than the mask if the digits stand for more than a half holds.
        boolean fits = (left | right) >= 0 && (left | right) <= mask(rightBits);
        Halves plain = cipher.decrypt(tweak, fits ? new Halves(left, right) : new Halves(0, 0));
        if (!fits || (plain.right() & mask(format.spareBits)) != 0) {
            throw new InvalidPublicIdException(Quoted.of(text) + " is not a public ID of type " + Quoted.of(type)
                    + ": it was mistyped or made up, or has another type or key");
        }
        return plain.left() << (rightBits - format.spareBits) | plain.right() >>> format.spareBits;
    }

    private static byte[] tweak(String type) {
        byte[] tweak = type.getBytes(StandardCharsets.UTF_8);
        if (tweak.length == 0 || tweak.length > Ff1.MAX_TWEAK_BYTES) {
            throw new IllegalArgumentException("the type of a public ID must have 1 to %s bytes, but %s has %s"
                    .formatted(Ff1.MAX_TWEAK_BYTES, Quoted.of(type), tweak.length));
        }
        return tweak;
    }

    private static long mask(int bits) {
        return (1L << bits) - 1;
    }

    private String keyNames() {
        return keys.stream().map(Key::name).collect(Collectors.joining("', '", "'", "'"));
    }

    /** Returns the format and the names of the keys. */
    @Override
    public String toString() {
        return "%s public IDs, keys %s".formatted(format.name().toLowerCase(Locale.ROOT), keyNames());
    }
}
