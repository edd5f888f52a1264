package io.github.snowflakeid.numbers;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The format of document numbers, such as <code>INV-{yyyy}-{00000}</code>. Immutable.
 *
 * @param pattern text with fields in braces: <code>{yyyy}</code>, <code>{yy}</code>, <code>{MM}</code>,
 *     <code>{dd}</code> or several of these together, such as <code>{yyyyMM}</code>; <code>{tenant}</code>; and the
 *     number, with as many zeros as it has digits at least
 * @param width the minimum number of digits
 * @param precision how many characters of an ISO date name its period: 10 for a day, 7 for a month, 4 for a year, 0 if
 *     there is no date
 */
record NumberFormat(String pattern, int width, int precision) {

    private static final int LONGEST = 100;
    private static final String FIRST_DAY = "0000-01-01";
    private static final Map<Integer, ChronoUnit> UNITS =
            Map.of(10, ChronoUnit.DAYS, 7, ChronoUnit.MONTHS, 4, ChronoUnit.YEARS);
    private static final Pattern FIELD =
            Pattern.compile("\\{(?!\\w*(y{5}|M{3}|d{3}))(tenant|0{1,18}|(yyyy|yy|MM|dd)+)}");
    private static final Pattern NUMBER = Pattern.compile("\\{(0+)}");

    /** Digits only between a tenant and the number: then the tenant's own digits could be the number's, and vice versa. */
    private static final Pattern AMBIGUOUS_TENANT =
            Pattern.compile("\\{tenant}(\\d|\\{[yMd]+})*\\{0|\\{0+}(\\d|\\{[yMd]+})*\\{tenant}");

    private static final Pattern DATE = Pattern.compile("\\{([yMd]+)}");

    /**
     * A period of numbers.
     *
     * @param period the beginning that the ISO dates of all its days share
     * @param from the first millisecond since 1970 at which its numbers may be taken
     * @param until the millisecond after the last one
     * @param now the current time
     */
    record Span(String period, long from, long until, long now) {}

    /**
     * @throws IllegalArgumentException if the pattern has an unknown field, not exactly one number, or an ambiguous
     *     date
     */
    static NumberFormat of(String pattern) {
        Matcher number = NUMBER.matcher(pattern);
        String rest = FIELD.matcher(pattern).replaceAll("");
        if (rest.contains("{") || rest.contains("}") || !number.find() || pattern.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "format '%s' must have at most %s characters, one number such as {00000}, and no other fields than {yyyy}, {yy}, {MM}, {dd} and {tenant}"
                            .formatted(pattern, LONGEST));
        }
        int width = number.group(1).length();
        String date = DATE.matcher(pattern).results().map(MatchResult::group).collect(Collectors.joining());
        int precision = date.contains("d") ? 10 : date.contains("M") ? 7 : date.contains("y") ? 4 : 0;
        if (number.find() || (precision > 4 && !date.contains("M")) || (precision > 0 && !date.contains("y"))) {
            throw new IllegalArgumentException(
                    "format '%s' is ambiguous: it must have one number only, a day needs a month, and a month needs a year"
                            .formatted(pattern));
        }
        if (AMBIGUOUS_TENANT.matcher(pattern).find()) {
            throw new IllegalArgumentException(
                    "format '%s' is ambiguous: a digit could belong to {tenant} or to the number. Put a separator between them, such as {tenant}-{00000}"
                            .formatted(pattern));
        }
        return new NumberFormat(pattern, width, precision);
    }

    /** @throws IllegalArgumentException if the tenant is invalid for this format */
    void check(@Nullable String tenant) {
        if (tenant == null
                || tenant.length() > LONGEST
                || !tenant.equals(tenant.strip())
                || (tenant.isEmpty() && pattern.contains("{tenant}"))) {
            throw new IllegalArgumentException(
                    "A tenant must have at most %s characters, at least one for {tenant}, and no white space at its ends, but was %s. Without tenants, it is \"\""
                            .formatted(LONGEST, tenant == null ? "null" : "'" + tenant + "'"));
        }
    }

    /** Returns the period of a date, whose numbers may be taken at any time. */
    Span of(LocalDate date) {
        if (date.getYear() < 1000 || date.getYear() > 9999) {
            throw new IllegalArgumentException("The year must have four digits, but the date was " + date);
        }
        return new Span(date.toString().substring(0, precision), Long.MIN_VALUE, Long.MAX_VALUE, 0);
    }

    /** Returns the period of a time. */
    Span at(long now, ZoneId zone) {
        String period = of(LocalDate.ofInstant(Instant.ofEpochMilli(now), zone)).period();
        LocalDate first = firstDay(period);
        LocalDate next = first.plus(precision == 0 ? 9_999 : 1, UNITS.getOrDefault(precision, ChronoUnit.YEARS));
        return new Span(period, millis(first, zone), millis(next, zone), now);
    }

    /**
     * Returns the first day of a period; for a format without a date, any day.
     *
     * @throws IllegalArgumentException if the text is not a period of this format
     */
    LocalDate firstDay(String period) {
        try {
            if (period.length() == precision) {
                return LocalDate.parse(period + FIRST_DAY.substring(precision));
            }
        } catch (DateTimeParseException e) {
            // The rule says what is wrong.
        }
        throw new IllegalArgumentException("'%s' is not a period of format '%s'".formatted(period, pattern));
    }

    private static long millis(LocalDate date, ZoneId zone) {
        return date.atStartOfDay(zone).toInstant().toEpochMilli();
    }

    /** Returns whether a number is the first one that uses more than 90 % of the width. */
    boolean isNearlyFull(long number) {
        return Long.toString(number).equals("9" + "0".repeat(width - 1));
    }

    /** Formats a number. */
    DocumentNumber format(String tenant, String period, long number) {
        LocalDate date = firstDay(period);
        String zeros = "0".repeat(Math.max(0, width - Long.toString(number).length()));
        String text = DATE.matcher(pattern)
                .replaceAll(field ->
                        DateTimeFormatter.ofPattern(field.group(1), Locale.ROOT).format(date))
                .replace("{" + "0".repeat(width) + "}", zeros + number)
                .replace("{tenant}", tenant);
        return new DocumentNumber(text, tenant, period, number);
    }
}
