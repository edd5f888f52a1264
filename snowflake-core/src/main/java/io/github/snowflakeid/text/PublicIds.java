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
 * Ids for the outside, which tell nothing: neither when a thing was made, nor by which worker, nor how many there are. The id
 * is encrypted by a keyed permutation, so the database keeps its short sorted number, and no table maps one to the other.
 *
 * <pre>{@code
 * PublicIds publicIds = PublicIds.of(PublicIds.Key.of("a", System.getenv("PUBLIC_ID_KEY")));
 * String text = publicIds.encode("order", order.id());
 * long id = publicIds.decode("order", text);
 * }</pre>
 *
 * <p><b>Guarantee.</b> One id, type and key always give the same text, and {@link #decode} gives back what {@link #encode} got.
 * Without the key, texts of successive ids look like random ones, and so do those of one id with two types. How much a made-up text
 * is worth depends on the {@link Format}. A text is no permission: check what its bearer may see. Whoever loses a key loses the
 * ids of all texts that were made with it.
 *
 * <p><b>Text.</b> The name of the key, then digits and letters: fit for URLs, and case counts.
 *
 * <p><b>Algorithm.</b> FF1 of NIST SP 800-38G (section 5.1, Algorithms 7 and 8; ten rounds of AES), radix 2. The tweak is the type in
 * UTF-8. The number is the id's 63 bits, followed by 41 zero bits if texts are checked. Each half of a checked number is written as
 * nine digits in base 62; a compact one is written in eleven.
 *
 * <p>Immutable, and safe for use by any number of threads, virtual ones too: none waits for another one, and nothing is kept for a
 * thread. Neither {@link #toString()} nor any exception shows a key.
 *
 * @since 0.1.0
 */
public final class PublicIds {

    private static final int ID_BITS = 63;

    /** What half a checked number is written in. */
    private static final int DIGITS_OF_HALF = 9;

    private final Format format;
    private final List<Key> keys;

    /** By the names of their keys. */
    private final Map<Character, Ff1> ciphers;

    /** The format of public IDs: how long they are, and whether made-up ones are detected. Constants may be added. */
    public enum Format {
        /**
         * 19 characters. A text that was not made here is refused, as is one of another type or key: of random ones of the
         * right form, one in 2^41, which is 2.2 million millions, is taken for an id.
         */
        CHECKED(104, 1 + 2 * DIGITS_OF_HALF),

        /**
         * 12 characters. There is no room for a check: each text of the right form, also one of another type, stands for an id
         * of 63 bits, which almost surely no row has. With n rows, one in 2^63 / n is that of a row.
         */
        COMPACT(ID_BITS, 1 + 11);

        private final int bits;

        /** Those that are 0 in each number that was made here. */
        private final int spareBits;

        private final int characters;

        Format(int bits, int characters) {
            this.bits = bits;
            this.characters = characters;
            spareBits = bits - ID_BITS;
        }
    }

    /** A key with its name. Immutable; shows its name, never its secret. */
    public static final class Key {

        private static final String ADVICE = "Make a key with 'openssl rand -base64 32'";
        private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-f]+|[0-9A-F]+");

        private final char name;
        private final SecretKeySpec secret;

        private Key(char name, SecretKeySpec secret) {
            this.name = name;
            this.secret = secret;
        }

        /**
         * A key from a configuration, which takes it from where secrets are kept. {@code openssl rand -base64 32} makes one.
         *
         * @param name one digit or letter, which texts begin with; never give it to another key
         * @param base64 32 random bytes in Base64, which are 44 characters; either alphabet, with or without padding and white
         *     space around
         * @return the key, for AES of 256 bits
         * @throws IllegalArgumentException if the name is no digit or letter, if the key has another length, or if it does not look
         *     random: made of evenly spaced bytes, of few different ones, of text. The message shows how to make one, and nothing
         *     of the key
         */
        public static Key of(String name, String base64) {
            if (name.length() != 1 || Digits.BASE62.value(name.charAt(0)) < 0) {
                // Not quoted: who mixes up the parameters has put the key here.
                throw new IllegalArgumentException(
                        "the name of a key must be one character of %s, since texts begin with it, but %s"
                                .formatted(
                                        Digits.BASE62.inWords,
                                        name.length() == 1
                                                ? "was " + Quoted.of(name)
                                                : "has %d characters".formatted(name.length())));
            }
            String text = base64.strip();
            byte[] bytes = decoded(text);
            String weakness = bytes == null ? "is not Base64" : weaknessOf(text, bytes);
            if (weakness != null) {
                throw new IllegalArgumentException("key '%s' %s. %s".formatted(name, weakness, ADVICE));
            }
            return new Key(name.charAt(0), new SecretKeySpec(Objects.requireNonNull(bytes), "AES"));
        }

        /** Null if it is not; what the decoder says of it would quote it. */
        private static byte @Nullable [] decoded(String text) {
            try {
                return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }

        /** Null if there is none. Practically no random key has one. */
        private static @Nullable String weaknessOf(String text, byte[] bytes) {
            if (HEXADECIMAL.matcher(text).matches()) {
                return "looks like hexadecimal, and must be Base64";
            }
            if (bytes.length != 32) {
                return "must have 32 bytes, which are 44 characters of Base64, but has %d bytes"
                        .formatted(bytes.length);
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
                        "two keys have the name '%s'; give the newer one another name".formatted(name));
            }
            if (MessageDigest.isEqual(secret.getEncoded(), other.secret.getEncoded())) {
                throw new IllegalArgumentException("keys '%s' and '%s' are the same key; a new one has to be random. %s"
                        .formatted(name, other.name, ADVICE));
            }
        }

        /**
         * What texts made with this key begin with.
         *
         * @return one digit or letter
         */
        public String name() {
            return Character.toString(name);
        }

        /** The name. */
        @Override
        public String toString() {
            return "key '%s'".formatted(name);
        }
    }

    private PublicIds(Format format, List<Key> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("public ids need at least one key. " + Key.ADVICE);
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
     * Checked public ids.
     *
     * @param newest the key that encodes
     * @param older keys that decode as well, until the last link made with them may break
     * @return public ids of {@link Format#CHECKED}
     * @throws IllegalArgumentException if two keys are equal or have one name
     */
    public static PublicIds of(Key newest, Key... older) {
        List<Key> keys = Stream.concat(Stream.of(newest), Arrays.stream(older)).toList();
        return of(Format.CHECKED, keys);
    }

    /**
     * Public ids of a format. Changing it breaks all texts that are there.
     *
     * @param format the format of the texts
     * @param keys the first one encodes, all decode
     * @return public ids
     * @throws IllegalArgumentException if there is no key, or if two keys are equal or have one name
     */
    public static PublicIds of(Format format, List<Key> keys) {
        return new PublicIds(format, keys);
    }

    /**
     * The text that stands for an id outside.
     *
     * @param type what has the id, like "order"; 1 to 64 bytes in UTF-8. Ids of two types with one number get different texts
     * @param id the id
     * @return the name of the newest key, and digits and letters; always as long as {@link Format} says
     * @throws IllegalArgumentException if the id is negative, or the type is empty or too long
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
            Digits.BASE62.write(encrypted.left(), 62, text, 1, 1 + DIGITS_OF_HALF);
            Digits.BASE62.write(encrypted.right(), 62, text, 1 + DIGITS_OF_HALF, text.length);
        } else {
            Digits.BASE62.write(encrypted.left() << rightBits | encrypted.right(), 62, text, 1, text.length);
        }
        return IdFormat.ascii(text);
    }

    /**
     * The id that a text stands for. The time it takes tells no more of a text than its form does: its length, its characters, the
     * name of its key.
     *
     * @param type what the id is wanted for, the same as when it was encoded
     * @param text the text, from anybody
     * @return the id, 0 or greater; from a compact text that was not made here, any number
     * @throws InvalidPublicIdException if the text was not made here, as far as {@link Format} can tell, or if its key is not here
     * @throws IllegalArgumentException if the type is empty or too long
     */
    public long decode(String type, String text) {
        byte[] tweak = tweak(type);
        // Messages are put together by hand: formatting would cost whoever is sent rubbish more than all the rest.
        if (text.length() != format.characters) {
            throw new InvalidPublicIdException("a public id must have " + format.characters + " characters, but "
                    + Quoted.of(text) + " has " + text.length());
        }
        int foreign = Digits.BASE62.firstForeign(text, 0, text.length());
        if (foreign >= 0) {
            throw new InvalidPublicIdException("a public id must consist of " + Digits.BASE62.inWords + ", but "
                    + Quoted.of(text) + " has another character at index " + foreign);
        }
        Ff1 cipher = ciphers.get(text.charAt(0));
        if (cipher == null) {
            throw new InvalidPublicIdException(
                    "no key has the name that " + Quoted.of(text) + " begins with; names of keys are " + namesOfKeys());
        }
        int rightBits = cipher.rightBits();
        long left;
        long right;
        if (format == Format.CHECKED) {
            left = Digits.BASE62.read(text, 1, 1 + DIGITS_OF_HALF);
            right = Digits.BASE62.read(text, 1 + DIGITS_OF_HALF, text.length());
        } else {
            long number = Digits.BASE62.read(text, 1, text.length());
            left = number >> rightBits;
            right = number & mask(rightBits);
        }
        // Negative if it was no number, and greater than a half if the digits hold more than that.
        boolean fits = (left | right) >= 0 && (left | right) <= mask(rightBits);
        Halves plain = cipher.decrypt(tweak, fits ? new Halves(left, right) : new Halves(0, 0));
        if (!fits || (plain.right() & mask(format.spareBits)) != 0) {
            throw new InvalidPublicIdException(Quoted.of(text) + " is no public id of type " + Quoted.of(type)
                    + ": it was mistyped or made up, or has another type or key");
        }
        return plain.left() << (rightBits - format.spareBits) | plain.right() >>> format.spareBits;
    }

    private static byte[] tweak(String type) {
        byte[] tweak = type.getBytes(StandardCharsets.UTF_8);
        if (tweak.length == 0 || tweak.length > Ff1.MAX_TWEAK_BYTES) {
            throw new IllegalArgumentException("the type of a public id must have 1 to %d bytes, but %s has %d"
                    .formatted(Ff1.MAX_TWEAK_BYTES, Quoted.of(type), tweak.length));
        }
        return tweak;
    }

    private static long mask(int bits) {
        return (1L << bits) - 1;
    }

    private String namesOfKeys() {
        return keys.stream().map(Key::name).collect(Collectors.joining("', '", "'", "'"));
    }

    /** The format and the names of the keys. */
    @Override
    public String toString() {
        return "%s public ids, keys %s".formatted(format.name().toLowerCase(Locale.ROOT), namesOfKeys());
    }
}
