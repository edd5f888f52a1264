package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text of a lease file: a header, the namespace, a line of columns for each worker ID, and a last line.
 *
 * <pre>
 * snowflake worker ids, version 2
 * namespace	default
 * 0	7	5e0c...	2026-11-21T09:32:00.321Z	2026-11-21T09:31:00.321Z	41+5+5+12 bits of ...	shop, pid 4711
 * end
 * </pre>
 *
 * The columns are datacenter ID, worker ID, owner, reserved until, expires at, layout, and the description of the
 * owner. The columns are separated by tabs.
 */
final class LeaseText {

    private static final String KIND = "snowflake worker ids, version ";
    private static final String VERSION = "2";
    private static final String END = "end\n";
    private static final int FIRST_ENTRY = 2;

    private static final String NULL = "\\-";

    /** Control characters, which include the separators, and unpaired surrogates, which have no encoding in UTF-8. */
    private static final Pattern ESCAPED = Pattern.compile("[\\\\\\p{Cc}\\p{Cs}]");

    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    private static final Comparator<Entry> ORDER =
            Comparator.comparingInt(Entry::datacenterId).thenComparingInt(Entry::workerId);

    private LeaseText() {}

    static String of(String namespace, List<Entry> entries) {
        Set<Entry> sorted = new TreeSet<>(ORDER);
        sorted.addAll(entries);
        String header = KIND + VERSION + "\nnamespace\t" + escape(namespace) + "\n";
        return sorted.stream().map(LeaseText::line).collect(Collectors.joining("", header, END));
    }

    private static String line(Entry entry) {
        return "%s\t%s\t%s\t%s\t%s\t%s\t%s\n"
                .formatted(
                        entry.datacenterId(),
                        entry.workerId(),
                        escape(entry.owner()),
                        entry.reservedUntil(),
                        entry.expiresAt(),
                        escape(entry.layout()),
                        escape(entry.ownerInfo()));
    }

    /**
     * Reads the entries. Accepts only a text that equals the text which this class writes for the entries.
     *
     * @throws IllegalArgumentException for any other text; the message contains the reason, as the end of a sentence
     */
    static List<Entry> parse(String text, String namespace) {
        if (!text.startsWith(KIND)) {
            throw new IllegalArgumentException(text.isEmpty() ? "is empty" : "was not written by this library");
        }
        List<String> lines = text.lines().toList();
        String version = lines.get(0).substring(KIND.length());
        if (lines.size() > 1 && !version.equals(VERSION)) {
            throw new IllegalArgumentException("has version '%s', but this library reads version %s"
                    .formatted(ControlCharacters.escape(version), VERSION));
        }
        List<Entry> entries = new ArrayList<>();
        for (int i = FIRST_ENTRY; i < lines.size() - 1; i++) {
            entries.add(entry(lines.get(i)));
        }
        if (!of(namespace, entries).equals(text)) {
            throw new IllegalArgumentException("is truncated, was changed by hand, or belongs to another namespace");
        }
        return entries;
    }

    private static Entry entry(String line) {
        String[] columns = line.split("\t", -1);
        try {
            return new Entry(
                    Integer.parseInt(columns[0]),
                    Integer.parseInt(columns[1]),
                    plain(columns[2]),
                    plain(columns[6]),
                    Instant.parse(columns[3]),
                    Instant.parse(columns[4]),
                    String.valueOf(plain(columns[5])));
        } catch (NumberFormatException | IndexOutOfBoundsException | DateTimeException e) {
            throw new IllegalArgumentException("has a line that is not a lease: " + ControlCharacters.escape(line), e);
        }
    }

    private static String escape(@Nullable String text) {
        return text == null
                ? NULL
                : ESCAPED.matcher(text)
                        .replaceAll(found -> "\\\\u"
                                + HexFormat.of().toHexDigits(found.group().charAt(0)));
    }

    private static @Nullable String plain(String text) {
        return text.equals(NULL)
                ? null
                : ESCAPE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
    }

    private static String character(String hexadecimal) {
        return String.valueOf((char) Integer.parseInt(hexadecimal, 16));
    }
}
