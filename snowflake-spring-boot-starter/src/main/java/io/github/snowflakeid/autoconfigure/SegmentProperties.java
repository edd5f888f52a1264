package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.core.env.Environment;

/** What can be set of a generator of type {@code segment}, but for its store. */
@ConfigurationProperties("snowflake.segment")
final class SegmentProperties {

    private static final String GROUP = "snowflake.segment";

    private static final int LONGEST_NAME = 100;

    private static final Duration LONGEST = Duration.ofDays(1);

    /** What one counter has, and no other one inherits. */
    private static final List<String> OF_ONE_COUNTER =
            List.of("snowflake.segment.name", "snowflake.segment.initial-value", "snowflake.segment.max-value");

    /** Name of the counter. All processes that take numbers of it must agree on the name. By default the name of the
     * generator, or "default". */
    private @Nullable String name;

    /** First number of the counter. All processes must agree on it. */
    private long initialValue = 1;

    /** Last number of the counter, such as 2147483647 for an INTEGER column. */
    private long maxValue = Long.MAX_VALUE;

    /** Fewest numbers that are taken from the store at once. */
    private long minStep = 100;

    /** Most numbers that are taken from the store at once. A process that is killed loses twice as many at most. */
    private long maxStep = 100_000;

    /** How long the numbers that are taken at once are to last. The step follows from that and from how fast numbers are used. */
    @DurationUnit(ChronoUnit.FOREVER)
    private Duration targetDuration = Duration.ofMinutes(15);

    /** How long a caller waits for a number while the store does not answer. */
    @DurationUnit(ChronoUnit.FOREVER)
    private Duration maxWait = Duration.ofSeconds(5);

    /** Where the counter is kept. By default a SegmentStore bean if there is one, else "jdbc" if there is a DataSource or
     * a url of one. */
    private @Nullable Store store;

    public @Nullable String getName() {
        return name;
    }

    public void setName(@Nullable String name) {
        this.name = name;
    }

    public long getInitialValue() {
        return initialValue;
    }

    public void setInitialValue(long initialValue) {
        this.initialValue = initialValue;
    }

    public long getMaxValue() {
        return maxValue;
    }

    public void setMaxValue(long maxValue) {
        this.maxValue = maxValue;
    }

    public long getMinStep() {
        return minStep;
    }

    public void setMinStep(long minStep) {
        this.minStep = minStep;
    }

    public long getMaxStep() {
        return maxStep;
    }

    public void setMaxStep(long maxStep) {
        this.maxStep = maxStep;
    }

    public Duration getTargetDuration() {
        return targetDuration;
    }

    public void setTargetDuration(Duration targetDuration) {
        this.targetDuration = targetDuration;
    }

    public Duration getMaxWait() {
        return maxWait;
    }

    public void setMaxWait(Duration maxWait) {
        this.maxWait = maxWait;
    }

    public @Nullable Store getStore() {
        return store;
    }

    public void setStore(@Nullable Store store) {
        this.store = store;
    }

    /** Where a counter is kept. */
    enum Store {

        /** In a table of one database or several. */
        JDBC,

        /** In Redis. */
        REDIS;

        /** As it is written in the configuration. */
        String value() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The properties of a generator: its own, else those of the unnamed one, but for what describes the counter.
     *
     * @throws ConfigurationException if they contradict each other, or are for Snowflakes
     */
    static SegmentProperties of(GeneratorName generator, Environment environment) {
        refuseThoseOfSnowflakes(generator, environment);
        SegmentProperties properties = new SegmentProperties();
        bind(GROUP, properties, environment);
        if (generator.isNamed()) {
            SegmentProperties usual = new SegmentProperties();
            properties.name = usual.name;
            properties.initialValue = usual.initialValue;
            properties.maxValue = usual.maxValue;
            bind(generator.property(GROUP), properties, environment);
        }
        if (properties.name == null || properties.name.isEmpty()) {
            properties.name = generator.isNamed() ? generator.name() : "default";
        }
        properties.check();
        return properties;
    }

    static void bind(String group, Object properties, Environment environment) {
        SnowflakeProperties.binder(group, environment).bind(group, Bindable.ofInstance(properties));
    }

    private void check() {
        if (initialValue < 0) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property 'snowflake.segment.initial-value' must not be negative, but was %d."
                            .formatted(initialValue),
                    """
                    Set a number of zero or more:

                    snowflake.segment.initial-value: 1""");
        }
        if (maxValue < initialValue) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property 'snowflake.segment.max-value' must not be below 'snowflake.segment.initial-value', %d, but was %d."
                            .formatted(initialValue, maxValue),
                    """
                    Set the highest number that the column holds, of an INTEGER for example:

                    snowflake.segment.max-value: %d""".formatted(initialValue > Integer.MAX_VALUE ? Long.MAX_VALUE : Integer.MAX_VALUE));
        }
        if (minStep < 1) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property 'snowflake.segment.min-step' must be at least 1, but was %d.".formatted(minStep),
                    """
                    Set how many numbers are taken from the store at once, at least:

                    snowflake.segment.min-step: %d""".formatted(Math.max(1, Math.min(100, maxStep))));
        }
        if (maxStep < minStep) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property 'snowflake.segment.max-step' must not be below 'snowflake.segment.min-step', %d, but was %d."
                            .formatted(minStep, maxStep),
                    """
                    Set both:

                    snowflake.segment.min-step: %d
                    snowflake.segment.max-step: %d""".formatted(Math.max(1, Math.min(minStep, maxStep)), Math.max(1, Math.max(minStep, maxStep))));
        }
        refuseBeyond("target-duration", targetDuration, Duration.ofMillis(1), "15m");
        refuseBeyond("max-wait", maxWait, Duration.ZERO, "5s");
        if (String.valueOf(name).length() > LONGEST_NAME) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property 'snowflake.segment.name' must have at most %d characters, but has %d."
                            .formatted(LONGEST_NAME, String.valueOf(name).length()),
                    """
                    Set a shorter name, for example:

                    snowflake.segment.name: invoices""");
        }
    }

    private static void refuseBeyond(String property, Duration duration, Duration shortest, String usual) {
        if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property 'snowflake.segment.%s' must be from %dms to 1d, but was %s."
                            .formatted(property, shortest.toMillis(), DurationStyle.SIMPLE.print(duration)),
                    """
                    Set a duration in that range, for example:

                    snowflake.segment.%s: %s""".formatted(property, usual));
        }
    }

    /** Those of the unnamed generator may be for named ones. */
    private static void refuseThoseOfSnowflakes(GeneratorName generator, Environment environment) {
        if (!generator.isNamed()) {
            for (GeneratorName other : GeneratorNames.in(environment)) {
                if (!other.isOfSegments(environment)) {
                    return;
                }
            }
        }
        for (String known : PropertyNames.KNOWN) {
            boolean isOfSnowflakes = !known.startsWith(PropertyNames.SEGMENT)
                    && !known.equals("snowflake.type")
                    && !known.equals("snowflake.enabled")
                    && !PropertyNames.isForAll(known);
            String property = generator.property(known);
            if (isOfSnowflakes && !environment.getProperty(property, "").isBlank()) {
                throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                        "Property '%s' is set, but without effect: numbers of type 'segment' have neither layout, worker id nor time."
                                .formatted(property),
                        """
                        Remove '%s', or let the generator make Snowflake ids:

                        %s: snowflake""".formatted(property, generator.property("snowflake.type")));
            }
        }
    }

    /**
     * Whether somebody uses a property of the unnamed generator: that one itself, or a named one that inherits it.
     *
     * @throws ConfigurationException if not
     */
    static void refuseWithoutEffect(String property, Environment environment) {
        if (GeneratorName.NONE.isOfSegments(environment)) {
            return;
        }
        boolean isUsed = false;
        for (GeneratorName generator : GeneratorNames.in(environment)) {
            isUsed |= generator.isOfSegments(environment);
        }
        if (!isUsed) {
            throw withoutEffect(property, GeneratorName.NONE);
        }
        for (String known : OF_ONE_COUNTER) {
            if (PropertyNames.uniform(known).equals(PropertyNames.uniform(property))) {
                throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                        "Property '%s' is set, but without effect: the unnamed generator makes Snowflake ids, and named ones inherit no '%s'."
                                .formatted(property, known.substring(PropertyNames.SEGMENT.length())),
                        """
                        Remove '%s', or set it for a named generator, or let the unnamed one take numbers from segments as well:

                        snowflake.type: segment""".formatted(property));
            }
        }
    }

    /** A property of segments, where ids are Snowflakes. */
    static ConfigurationException withoutEffect(String property, GeneratorName generator) {
        return Problem.PROPERTY_WITHOUT_EFFECT.exception(
                "Property '%s' is set, but without effect: the generator is of type 'snowflake'.".formatted(property),
                """
                Remove '%s', or let the generator take numbers from segments:

                %s: segment""".formatted(property, generator.property("snowflake.type")));
    }
}
