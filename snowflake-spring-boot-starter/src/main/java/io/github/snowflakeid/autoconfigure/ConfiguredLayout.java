package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/** The layout that the properties describe: a preset, and what is set otherwise. */
final class ConfiguredLayout {

    private static final String EPOCH = "snowflake.epoch";

    private ConfiguredLayout() {}

    static IdLayout of(SnowflakeProperties properties) {
        IdLayout preset =
                properties.getLayout() == null ? properties.inheritedLayout() : preset(properties.getLayout());
        SnowflakeProperties.Bits bits = properties.getBits();
        IdLayout.Builder layout = preset.toBuilder();
        if (properties.getEpoch() != null) {
            layout.epoch(properties.getEpoch());
        }
        if (properties.getTick() != null) {
            layout.tick(properties.getTick());
        }
        if (bits.getTimestamp() != null) {
            layout.timestampBits(bits.getTimestamp());
        }
        if (bits.getDatacenter() != null) {
            layout.datacenterBits(bits.getDatacenter());
        }
        if (bits.getWorker() != null) {
            layout.workerBits(bits.getWorker());
        }
        if (bits.getSequence() != null) {
            layout.sequenceBits(bits.getSequence());
        }
        try {
            return layout.build();
        } catch (IllegalArgumentException impossible) {
            throw Problem.INVALID_LAYOUT.exception(
                    impossible, """
                    Change the epoch, the tick or the bits. Those of %s are:

                    %s""".formatted(nameOf(properties), resetTo(preset, properties)));
        }
    }

    private static String nameOf(SnowflakeProperties properties) {
        if (properties.getLayout() != null) {
            return "layout '" + properties.getLayout() + "'";
        }
        return properties.generator().isNamed() ? "the unnamed generator" : "layout 'default'";
    }

    private static IdLayout preset(String name) {
        String key = name.toLowerCase(Locale.ROOT).replace('_', '-');
        @Nullable IdLayout preset = IdLayout.presets().get(key);
        if (preset == null) {
            List<String> names = List.copyOf(IdLayout.presets().keySet());
            String near = PropertyNames.nearest(key, names);
            throw Problem.INVALID_LAYOUT.exception(
                    "Property 'snowflake.layout' names no layout: '%s'.".formatted(name),
                    """
                    Use one of %s, for example:

                    snowflake.layout: %s""".formatted(String.join(", ", names), PropertyNames.distance(key, near) <= 2 ? near : "default"));
        }
        return preset;
    }

    /** Whether a layout is the one that the properties describe, rather than a bean of the application. */
    static boolean isOf(SnowflakeProperties properties, IdLayout layout) {
        try {
            return of(properties).equals(layout);
        } catch (ConfigurationException describesNone) {
            return false;
        }
    }

    /** For advice: those of the properties that are set now, with the values of a preset. */
    static String resetTo(IdLayout preset, SnowflakeProperties properties) {
        SnowflakeProperties.Bits bits = properties.getBits();
        List<String> lines = new ArrayList<>();
        List<String> all = all(preset).lines().toList();
        Object[] set = {
            properties.getEpoch(),
            properties.getTick(),
            bits.getTimestamp(),
            bits.getDatacenter(),
            bits.getWorker(),
            bits.getSequence()
        };
        for (int i = 0; i < all.size(); i++) {
            if (set[i] != null) {
                lines.add(all.get(i));
            }
        }
        return String.join("\n", lines);
    }

    /** The layout that its {@link IdLayout#toString()} begins with, as registries keep it; null if it is none. */
    static @Nullable IdLayout parse(String text) {
        Matcher words = Pattern.compile("(\\d+)\\+(\\d+)\\+(\\d+)\\+(\\d+) bits of (\\d+) (ms|s) from (\\S+)")
                .matcher(text);
        if (!words.matches()) {
            return null;
        }
        IdLayout layout = IdLayout.builder()
                .timestampBits(Integer.parseInt(words.group(1)))
                .datacenterBits(Integer.parseInt(words.group(2)))
                .workerBits(Integer.parseInt(words.group(3)))
                .sequenceBits(Integer.parseInt(words.group(4)))
                .tick(DurationStyle.SIMPLE.parse(words.group(5) + words.group(6)))
                .epoch(Instant.parse(words.group(7)))
                .build();
        return layout.toString().startsWith(text) ? layout : null;
    }

    /** For advice: the properties of a layout. */
    static String all(IdLayout layout) {
        return """
                snowflake.epoch: %s
                snowflake.tick: %s
                snowflake.bits.timestamp: %d
                snowflake.bits.datacenter: %d
                snowflake.bits.worker: %d
                snowflake.bits.sequence: %d""".formatted(
                        layout.epoch(),
                        DurationStyle.SIMPLE.print(layout.tick()),
                        layout.timestampBits(),
                        layout.datacenterBits(),
                        layout.workerBits(),
                        layout.sequenceBits());
    }

    /**
     * Spring takes a number as milliseconds since 1970, also where it counts seconds.
     *
     * @throws ConfigurationException if the epoch is a number
     */
    static void refuseEpochNumber(Environment environment, GeneratorName generator) {
        String property = generator.property(EPOCH);
        @Nullable Object value = environment.getProperty(property, Object.class);
        if (value instanceof Number || (value instanceof String text && isNumber(text.strip()))) {
            throw generator.explain(epochNumber(value.toString().strip(), originOf(property, environment)), true);
        }
    }

    static boolean isNumber(String text) {
        int start = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() > start;
    }

    private static @Nullable Origin originOf(String property, Environment environment) {
        if (environment instanceof ConfigurableEnvironment configurable) {
            for (PropertySource<?> source : configurable.getPropertySources()) {
                if (source.containsProperty(property)) {
                    return PropertySourceOrigin.get(source, property);
                }
            }
        }
        return null;
    }

    static ConfigurationException epochNumber(String number, @Nullable Origin origin) {
        String seconds = instant(number, true);
        String millis = instant(number, false);
        // Of so many digits, seconds end in the far future, and milliseconds not long after 1970.
        boolean areMillis = number.length() > 11;
        return Problem.INVALID_PROPERTY.exception(
                "Property '%s' must be an instant in UTC, but was the number %s%s. As seconds since 1970 that is %s, as milliseconds %s."
                        .formatted(EPOCH, number, origin == null ? "" : " (" + origin + ")", seconds, millis),
                """
                Set the instant instead. If the number counts %s:

                %s: %s""".formatted(areMillis ? "milliseconds" : "seconds", EPOCH, areMillis ? millis : seconds));
    }

    private static String instant(String number, boolean seconds) {
        try {
            long value = Long.parseLong(number);
            return (seconds ? Instant.ofEpochSecond(value) : Instant.ofEpochMilli(value)).toString();
        } catch (NumberFormatException | DateTimeException tooLarge) {
            return "no time at all";
        }
    }
}
