package io.github.snowflakeid.sample;

/** Numbers from a URL. */
final class Numbers {

    private Numbers() {}

    static long parse(String name, String text, long min, long max) {
        try {
            long number = Long.parseLong(text.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same answer
        }
        throw new BadRequest("%s must be a whole number from %d to %d, but was '%s'".formatted(name, min, max, text));
    }
}
