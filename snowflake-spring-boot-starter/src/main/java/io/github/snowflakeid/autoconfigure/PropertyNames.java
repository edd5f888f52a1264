package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names of our properties, and what happens to names that are nearly one of them: they would have no effect, and
 * nobody would notice.
 *
 * <p>Other products have properties that begin with {@code snowflake.}, too, such as drivers of the data warehouse of that
 * name. So only unknown names in one of our groups fail the start. A name beside them that is close to one of ours is
 * warned of, any other is left alone. So is every environment variable: there is no telling whose it is.
 */
final class PropertyNames {

    static final List<String> KNOWN = List.of(
            "snowflake.enabled",
            "snowflake.type",
            "snowflake.layout",
            "snowflake.epoch",
            "snowflake.tick",
            "snowflake.bits.timestamp",
            "snowflake.bits.datacenter",
            "snowflake.bits.worker",
            "snowflake.bits.sequence",
            "snowflake.worker.strategy",
            "snowflake.worker.id",
            "snowflake.worker.host.source",
            "snowflake.worker.lease.namespace",
            "snowflake.worker.lease.ttl",
            "snowflake.worker.lease.acquire-timeout",
            "snowflake.worker.lease.max-clock-skew",
            "snowflake.worker.jdbc.table-name",
            "snowflake.worker.jdbc.initialize-schema",
            "snowflake.worker.jdbc.url",
            "snowflake.worker.jdbc.username",
            "snowflake.worker.jdbc.password",
            "snowflake.worker.redis.key-prefix",
            "snowflake.worker.redis.assume-new-namespace",
            "snowflake.worker.zookeeper.connect-string",
            "snowflake.worker.zookeeper.root",
            "snowflake.worker.file.directory",
            "snowflake.worker.file.verify-file-system",
            "snowflake.datacenter.id",
            "snowflake.clock.max-drift",
            "snowflake.clock.max-wait",
            "snowflake.sequence.start",
            "snowflake.sequence.start-bound",
            "snowflake.segment.name",
            "snowflake.segment.initial-value",
            "snowflake.segment.max-value",
            "snowflake.segment.min-step",
            "snowflake.segment.max-step",
            "snowflake.segment.target-duration",
            "snowflake.segment.max-wait",
            "snowflake.segment.store",
            "snowflake.segment.jdbc.data-sources",
            "snowflake.segment.jdbc.urls",
            "snowflake.segment.jdbc.username",
            "snowflake.segment.jdbc.password",
            "snowflake.segment.jdbc.table-name",
            "snowflake.segment.jdbc.initialize-schema",
            "snowflake.segment.redis.key-prefix",
            "snowflake.json.ids-as-strings",
            "snowflake.public-ids.keys",
            "snowflake.public-ids.format");

    /** What only generators of that kind have. */
    static final String SEGMENT = "snowflake.segment.";

    private static final String JSON = "snowflake.json.";

    private static final String PUBLIC_IDS = "snowflake.publicids.";

    /** What is set for the whole application, and for no generator of its own. */
    private static final List<String> FOR_ALL = List.of(JSON, PUBLIC_IDS);

    /** Each is ours alone, with all that is below it, in uniform spelling. */
    private static final List<String> GROUPS = List.of(
            "snowflake.bits.",
            "snowflake.worker.",
            "snowflake.datacenter.",
            "snowflake.clock.",
            "snowflake.sequence.",
            SEGMENT,
            JSON,
            PUBLIC_IDS);

    /** An element of a property that is a list. */
    private static final String ELEMENT = "(\\.segment\\.jdbc\\.(?:urls|datasources))\\[\\d+]$";

    static final String PREFIX = "snowflake";

    private static final String BEGINNING = PREFIX + ".";

    /** Names below it are looked at by {@link GeneratorNames}. */
    static final String GENERATORS = "generators";

    /** A name that has more mistakes than that is somebody else's. */
    private static final int MOST_MISTAKES = 2;

    private PropertyNames() {}

    /** @throws ConfigurationException if there is an unknown property in one of our groups, or one without effect */
    static void check(Environment environment) {
        if (environment instanceof ConfigurableEnvironment configurable) {
            for (PropertySource<?> source : configurable.getPropertySources()) {
                if (source instanceof EnumerablePropertySource<?> enumerable
                        && !(source instanceof SystemEnvironmentPropertySource)) {
                    for (String name : enumerable.getPropertyNames()) {
                        if (name.regionMatches(true, 0, BEGINNING, 0, BEGINNING.length())) {
                            if (!KNOWN.contains(name)) {
                                check(name, source);
                            }
                            if (name.regionMatches(true, 0, SEGMENT, 0, SEGMENT.length())) {
                                SegmentProperties.refuseWithoutEffect(name, environment);
                            }
                        }
                    }
                }
            }
        }
    }

    /** @param name not as it is written in {@link #KNOWN}, but perhaps in another spelling */
    private static void check(String name, PropertySource<?> source) {
        if (isKnown(name)) {
            return;
        }
        String uniform = uniform(name);
        String root = root(uniform);
        if (root.equals(GENERATORS)) {
            return;
        }
        for (String group : GROUPS) {
            if (uniform.startsWith(group)) {
                throw unknown(
                        name, group, String.valueOf(PropertySourceOrigin.get(source, name)), source.getProperty(name));
            }
        }
        String near = nearest(uniform, KNOWN);
        if (distance(uniform, uniform(near)) > Math.min(MOST_MISTAKES, (near.length() - BEGINNING.length()) / 4)) {
            if (distance(root, GENERATORS) > MOST_MISTAKES) {
                return;
            }
            near = BEGINNING + GENERATORS + uniform.substring(BEGINNING.length() + root.length());
        }
        LogFactory.getLog(SnowflakeIdGenerator.class)
                .warn("Property '" + name + "' has no effect on Snowflake ids ("
                        + PropertySourceOrigin.get(source, name) + "); did you mean '" + near + "'?");
    }

    /** What follows the prefix, up to the next dot or bracket. */
    static String root(String uniform) {
        int end = BEGINNING.length();
        while (end < uniform.length() && uniform.charAt(end) != '.' && uniform.charAt(end) != '[') {
            end++;
        }
        return uniform.substring(BEGINNING.length(), end);
    }

    /** Whether it is a property of ours, in any spelling. */
    static boolean isKnown(String name) {
        String uniform = withoutIndex(uniform(name));
        for (String known : KNOWN) {
            if (uniform(known).equals(uniform)) {
                return true;
            }
        }
        return false;
    }

    private static String withoutIndex(String uniform) {
        return uniform.endsWith("]")
                ? uniform.replaceFirst(ELEMENT, "$1")
                : uniform.replaceFirst("\\.publicids\\.keys\\[\\d+]\\.(?:name|secret)$", ".publicids.keys");
    }

    /** For environment variables, which may have an underscore in place of a dash, and so a dot too many here. */
    static boolean isKnownWithoutDots(String name) {
        String uniform = uniform(name).replace(".", "").replaceFirst("\\[\\d+]$", "");
        for (String known : KNOWN) {
            if (uniform(known).replace(".", "").equals(uniform)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is set for the whole application only. */
    static boolean isForAll(String name) {
        String uniform = uniform(name) + ".";
        return FOR_ALL.stream().anyMatch(uniform::startsWith);
    }

    /** Whether properties of ours are below it. */
    static boolean isGroup(String name) {
        String beginning = uniform(name) + ".";
        for (String known : KNOWN) {
            if (uniform(known).startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    /** @param group whose names are listed where nothing is near */
    static ConfigurationException unknown(String name, String group, String where, @Nullable Object value) {
        @Nullable String meant = meant(uniform(name), group);
        String description = "Property '%s' is unknown (%s).".formatted(name, where);
        if (meant == null) {
            return Problem.UNKNOWN_PROPERTY.exception(
                    description,
                    "Remove '%s'. Known are: %s."
                            .formatted(
                                    name,
                                    KNOWN.stream()
                                            .filter(known -> uniform(known).startsWith(group))
                                            .map(known -> "'" + known + "'")
                                            .collect(Collectors.joining(", "))));
        }
        return Problem.UNKNOWN_PROPERTY.exception(description + " Did you mean '%s'?".formatted(meant), """
                Replace '%s' with:

                %s: %s""".formatted(
                        name, meant, shown(group.equals(PUBLIC_IDS) ? group : meant, value)));
    }

    /** What may be printed of a value: of public ids none, as whoever mistypes a name may have written a key. */
    static @Nullable Object shown(String name, @Nullable Object value) {
        return name.endsWith("password")
                        || uniform(name).matches(".*urls?(\\[\\d+])?")
                        || uniform(name).contains("publicids.")
                ? "(its value)"
                : value;
    }

    /** The known name that has something added, else the nearest that ends alike, else the nearest that is half equal. */
    private static @Nullable String meant(String uniform, String group) {
        String last = uniform.substring(uniform.lastIndexOf('.') + 1);
        @Nullable String meant = null;
        for (String known : KNOWN) {
            if (uniform.startsWith(uniform(known) + ".")) {
                return known;
            }
            boolean endsAlike =
                    last.length() > 2 && uniform(known).replace(".", "").endsWith(last);
            if (endsAlike && (meant == null || distance(uniform, uniform(known)) < distance(uniform, uniform(meant)))) {
                meant = known;
            }
        }
        if (meant == null) {
            String near = nearest(uniform, KNOWN);
            int compared = uniform.length() - (uniform(near).startsWith(group) ? group : BEGINNING).length();
            meant = 2 * distance(uniform, uniform(near)) <= compared ? near : null;
        }
        return meant;
    }

    /** The one of some names that takes the fewest changes of characters. */
    static String nearest(String name, List<String> names) {
        String nearest = names.get(0);
        for (String candidate : names) {
            if (distance(name, uniform(candidate)) < distance(name, uniform(nearest))) {
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** How Spring Boot compares names: {@code acquire-timeout}, {@code acquireTimeout} and {@code acquire_timeout} are one. */
    static String uniform(String name) {
        StringBuilder uniform = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character != '-' && character != '_') {
                uniform.append(Character.toLowerCase(character));
            }
        }
        return uniform.toString();
    }

    /** How many characters are to be inserted, deleted, changed, or exchanged with the next one. */
    static int distance(String from, String to) {
        int[][] distances = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                distances[i][j] = i == 0 || j == 0 ? i + j : distance(from, i, to, j, distances);
            }
        }
        return distances[from.length()][to.length()];
    }

    private static int distance(String from, int i, String to, int j, int[][] shorter) {
        boolean equal = from.charAt(i - 1) == to.charAt(j - 1);
        int distance =
                Math.min(shorter[i - 1][j - 1] + (equal ? 0 : 1), 1 + Math.min(shorter[i - 1][j], shorter[i][j - 1]));
        boolean exchanged =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return exchanged ? Math.min(distance, shorter[i - 2][j - 2] + 1) : distance;
    }
}
