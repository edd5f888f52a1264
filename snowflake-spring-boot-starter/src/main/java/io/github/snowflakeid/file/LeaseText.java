package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a namespace as text: a line that says what it is, the namespace, a line of columns for each worker id, and a
 * checksum of all that.
 *
 * <pre>
 * snowflake worker ids, version 1
 * namespace	default
 * 0	7	5e0c...	2026-11-21T09:32:00.321Z	2026-11-21T09:31:00.321Z	41+5+5+12 bits of ...	shop, pid 4711
 * crc32c	0a1b2c3d
 * </pre>
 *
 * The columns are datacenter id, worker id, owner, reserved until, expires at, layout, and who the owner is.
 */
final class LeaseText {

    private static final String KIND = "snowflake worker ids, version ";
    private static final String VERSION = "1";
    private static final String NAMESPACE = "namespace\t";
    private static final String CHECKSUM = "crc32c\t";
    private static final String NOTHING = "\\-";
    private static final int COLUMNS = 7;

    private LeaseText() {}

    /** What is there is no file of ours, or not all of it. The message says why, as the end of a sentence. */
    static final class Unreadable extends Exception {

        private static final long serialVersionUID = 1L;

        Unreadable(String why) {
            super(why);
        }
    }

    static byte[] of(String namespace, List<Entry> entries) {
        StringBuilder text = new StringBuilder(KIND).append(VERSION).append('\n');
        text.append(NAMESPACE).append(escaped(namespace)).append('\n');
        entries.stream()
                .sorted(Comparator.comparingInt(Entry::datacenterId).thenComparingInt(Entry::workerId))
                .forEach(entry -> text.append(entry.datacenterId())
                        .append('\t')
                        .append(entry.workerId())
                        .append('\t')
                        .append(escaped(entry.owner()))
                        .append('\t')
                        .append(entry.reservedUntil())
                        .append('\t')
                        .append(entry.expiresAt())
                        .append('\t')
                        .append(escaped(entry.layout()))
                        .append('\t')
                        .append(escaped(entry.ownerInfo()))
                        .append('\n'));
        String checksum = checksum(text.toString());
        return text.append(CHECKSUM).append(checksum).append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    static List<Entry> parse(byte[] bytes, String namespace) throws Unreadable {
        String text = decoded(bytes);
        if (!text.startsWith(KIND)) {
            throw new Unreadable(text.isEmpty() ? "is empty" : "is none of this library");
        }
        int endOfKind = text.indexOf('\n');
        String version = text.substring(KIND.length(), Math.max(endOfKind, KIND.length()));
        if (endOfKind >= 0 && !version.equals(VERSION)) {
            throw new Unreadable("is of version '%s', this library knows version %s"
                    .formatted(ControlCharacters.escape(version), VERSION));
        }
        int end = text.lastIndexOf(CHECKSUM);
        if (end < 0 || !text.substring(end).equals(CHECKSUM + checksum(text.substring(0, end)) + "\n")) {
            throw new Unreadable("is cut off or was changed: its checksum is missing or wrong");
        }
        List<String> lines = text.substring(0, end).lines().toList();
        if (lines.size() < 2 || !lines.get(1).equals(NAMESPACE + escaped(namespace))) {
            throw new Unreadable("is of another namespace");
        }
        List<Entry> entries = new ArrayList<>();
        for (String line : lines.subList(2, lines.size())) {
            entries.add(entry(line.split("\t", -1)));
        }
        return entries;
    }

    private static String decoded(byte[] bytes) throws Unreadable {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw new Unreadable("is no text");
        }
    }

    private static Entry entry(String[] columns) throws Unreadable {
        try {
            if (columns.length == COLUMNS) {
                return new Entry(
                        Integer.parseInt(columns[0]),
                        Integer.parseInt(columns[1]),
                        plain(columns[2]),
                        plain(columns[6]),
                        Instant.parse(columns[3]),
                        Instant.parse(columns[4]),
                        String.valueOf(plain(columns[5])));
            }
        } catch (NumberFormatException | DateTimeException noEntry) {
            // Said below.
        }
        throw new Unreadable("has a line that is no lease");
    }

    private static String checksum(String text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(checksum.getValue());
    }

    /** As it may stand between tabs; halves of characters, which have no UTF-8, by their number. */
    private static String escaped(@Nullable String text) {
        if (text == null) {
            return NOTHING;
        }
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean pair = i + 1 < text.length() && Character.isSurrogatePair(character, text.charAt(i + 1));
            if (pair) {
                escaped.append(character).append(text.charAt(++i));
            } else if (character == '\\' || Character.isISOControl(character) || Character.isSurrogate(character)) {
                escaped.append("\\u%04x".formatted((int) character));
            } else {
                escaped.append(character);
            }
        }
        return escaped.toString();
    }

    private static @Nullable String plain(String escaped) {
        if (escaped.equals(NOTHING)) {
            return null;
        }
        StringBuilder plain = new StringBuilder(escaped.length());
        int from = 0;
        for (int escape = escaped.indexOf('\\'); escape >= 0; escape = escaped.indexOf('\\', from)) {
            plain.append(escaped, from, escape);
            from = Math.min(escape + 6, escaped.length());
            plain.append((char) Integer.parseInt(escaped.substring(Math.min(escape + 2, from), from), 16));
        }
        return plain.append(escaped, from, escaped.length()).toString();
    }
}
