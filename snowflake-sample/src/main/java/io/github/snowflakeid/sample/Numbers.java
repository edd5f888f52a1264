package io.github.snowflakeid.sample;

/** Parses numbers in URLs. */
final class Numbers {

    private Numbers() {}

    static long parse(String name, String text, long min, long max) {
        try {
            long number = Long.parseLong(text.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Handled like a number that is out of range.
        }
        throw new BadRequest("%s must be a whole number from %s to %s, but was '%s'".formatted(name, min, max, text));
    }
}
