package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.Locale;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What is said where an attribute names a generator that is not there. */
public final class UnknownGenerator {

    /** Names with more characters between what they begin and end with alike mean different generators. */
    private static final int MOST_MISTAKES = 2;

    private UnknownGenerator() {}

    /**
     * The error.
     *
     * @param generator the name that is not there
     * @param attribute that names it
     * @param names those that are there
     * @param elsewhere what else can be done, empty for nothing
     * @return an exception with advice: the name that was meant, or a generator to define
     */
    public static ConfigurationException of(
            String generator, String attribute, SortedSet<String> names, String elsewhere) {
        @Nullable String meant = nearest(generator, names);
        String definition = ":\n\n" + property(generator) + (elsewhere.isEmpty() ? "" : "\n\n" + elsewhere);
        return Problem.UNKNOWN_GENERATOR.exception(
                "Attribute %s is to get ids of generator '%s', but there is none%s"
                        .formatted(
                                attribute,
                                generator,
                                names.isEmpty() ? " by name" : "; there are: '" + String.join("', '", names) + "'"),
                meant == null ? "Define the generator" + definition : """
                        Correct the name:

                        @SnowflakeId("%s")

                        or define the generator%s""".formatted(meant, definition));
    }

    private static @Nullable String nearest(String generator, SortedSet<String> names) {
        @Nullable String nearest = null;
        for (String name : names) {
            int mistakes = difference(generator, name);
            if (mistakes <= MOST_MISTAKES
                    && 2 * mistakes < name.length()
                    && (nearest == null || mistakes < difference(generator, nearest))) {
                nearest = name;
            }
        }
        return nearest;
    }

    /** How many characters lie between what two names begin and end with alike. */
    private static int difference(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        int start = 0;
        while (start < shorter && one.charAt(start) == other.charAt(start)) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && one.charAt(one.length() - 1 - end) == other.charAt(other.length() - 1 - end)) {
            end++;
        }
        return Math.max(one.length(), other.length()) - start - end;
    }

    /**
     * The line that defines a generator.
     *
     * @param generator a name; one with other characters than lower-case letters and digits is corrected
     * @return a property, and the annotation for it where the name was corrected
     */
    public static String property(String generator) {
        String name = generator.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]|^[0-9]+", "");
        if (name.equals(generator)) {
            return "snowflake.generators." + name + ".layout: default";
        }
        return "snowflake.generators.%s.layout: default\n\n@SnowflakeId(\"%1$s\")"
                .formatted(name.isEmpty() ? "orders" : name);
    }
}
