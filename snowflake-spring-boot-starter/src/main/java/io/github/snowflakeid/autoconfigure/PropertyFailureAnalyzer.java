package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;

/**
 * Reports a property of ours whose value is not of its type. Comes before Spring Boot's report, which has no example. Is
 * silent about properties of others, whatever their names begin with.
 */
@Order(0)
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final Map<String, Range> DURATIONS = Map.of(
            "snowflake.tick", new Range("1ms", "1ms", "1h"),
            "snowflake.clock.max-drift", new Range("1s", "0s", "36500d"),
            "snowflake.clock.max-wait", new Range("1s", "0s", "36500d"),
            "snowflake.worker.lease.ttl", new Range("60s", "1s", "1d"),
            "snowflake.worker.lease.acquire-timeout", new Range("10s", "1ms", "1d"),
            "snowflake.worker.lease.max-clock-skew", new Range("10s", "0s", "1d"),
            "snowflake.segment.target-duration", new Range("15m", "1ms", "1d"),
            "snowflake.segment.max-wait", new Range("5s", "0s", "1d"));

    private static final Map<String, Integer> NUMBERS = Map.of(
            "snowflake.bits.timestamp",
            IdLayout.DEFAULT.timestampBits(),
            "snowflake.bits.datacenter",
            IdLayout.DEFAULT.datacenterBits(),
            "snowflake.bits.worker",
            IdLayout.DEFAULT.workerBits(),
            "snowflake.bits.sequence",
            IdLayout.DEFAULT.sequenceBits(),
            "snowflake.sequence.start-bound",
            ConfiguredGenerator.USUAL_BOUND,
            "snowflake.segment.max-value",
            Integer.MAX_VALUE,
            "snowflake.segment.min-step",
            100,
            "snowflake.segment.max-step",
            100_000);

    private static final long MORE_LIKELY_MILLIS = 1000;

    private record Range(String usual, String shortest, String longest) {

        boolean contains(Duration duration) {
            return duration.compareTo(DurationStyle.SIMPLE.parse(shortest)) >= 0
                    && duration.compareTo(DurationStyle.SIMPLE.parse(longest)) <= 0;
        }
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (isOfUnnamed(rootFailure, cause)) {
            return analyze(cause, cause.getName().toString());
        }
        ConfigurationPropertyName name = cause.getName();
        if (!GeneratorNames.ALL.isAncestorOf(name) || name.getNumberOfElements() <= GeneratorNames.PARTS) {
            return null;
        }
        FailureAnalysis analysis = analyze(cause, PropertyNames.PREFIX + "." + name.subName(GeneratorNames.PARTS));
        GeneratorName generator = new GeneratorName(name.getElement(GeneratorNames.PARTS - 1, Form.ORIGINAL));
        return analysis == null
                ? null
                : new FailureAnalysis(
                        generator.inPlaceOfUnnamed(analysis.getDescription()),
                        generator.inPlaceOfUnnamed(String.valueOf(analysis.getAction())),
                        cause);
    }

    /** Named generators inherit from the unnamed one, and may be the first to bind its properties. */
    private boolean isOfUnnamed(Throwable failure, BindException cause) {
        ConfigurationPropertiesBindException binding = findCause(failure, ConfigurationPropertiesBindException.class);
        return binding == null
                ? PropertyNames.isKnown(cause.getName().toString())
                : binding.getBeanType() == SnowflakeProperties.class;
    }

    /** @param property as the unnamed generator has it */
    private @Nullable FailureAnalysis analyze(BindException failure, String property) {
        Class<?> type = failure.getTarget().getType().resolve(Object.class);
        if (type.getName().startsWith(SnowflakeProperties.class.getName()) && !type.isEnum()) {
            return group(property, failure);
        }
        if (failure.getProperty() == null) {
            return null;
        }
        @Nullable ConversionFailedException conversion = findCause(failure, ConversionFailedException.class);
        Object converted = conversion == null ? null : conversion.getValue();
        String value = String.valueOf(converted == null ? failure.getProperty().getValue() : converted);
        if (type == Instant.class && ConfiguredLayout.isNumber(value)) {
            ConfigurationException number =
                    ConfiguredLayout.epochNumber(value, failure.getProperty().getOrigin());
            return new FailureAnalysis(number.getMessage(), number.action().orElseThrow(), failure);
        }
        @Nullable String unset = unsetPlaceholder(value);
        return new FailureAnalysis(
                "Property '%s' must be %s, but was '%s' (%s)%s."
                        .formatted(
                                property,
                                rule(type),
                                value,
                                failure.getProperty().getOrigin(),
                                unset == null ? "" : ", and '" + unset + "' is not set"),
                unset == null ? action(property, type, value) : setPlaceholder(property, type, unset),
                failure);
    }

    private static FailureAnalysis group(String property, Throwable cause) {
        String members = PropertyNames.KNOWN.stream()
                .filter(known -> known.startsWith(property + "."))
                .map(known -> "'" + known + "'")
                .collect(Collectors.joining(", "));
        return new FailureAnalysis(
                "Property '%s' has a value, but it is a group of properties.".formatted(property),
                "Remove '%s', or set what is in the group: %s.".formatted(property, members),
                cause);
    }

    private static String rule(Class<?> type) {
        if (type == Instant.class) {
            return "an instant in UTC";
        }
        if (type == Duration.class) {
            return "a duration with its unit (ms, s, m, h or d)";
        }
        if (type.isEnum()) {
            return "one of " + values(type);
        }
        return type == Boolean.class ? "true or false" : "a whole number";
    }

    private static String action(String property, Class<?> type, String value) {
        if (type == Instant.class) {
            return "Set an instant in UTC, for example:\n\n" + line(property, IdLayout.DEFAULT.epoch());
        }
        if (type == Duration.class) {
            return duration(property, value);
        }
        if (type.isEnum()) {
            return property.equals("snowflake.worker.strategy")
                    ? """
                    Remove '%s', and the worker id is leased if there is a DataSource. Or set one of %s, for example:

                    %s""".formatted(property, values(type), line(property, "jdbc"))
                    : "Set one of %s, for example:\n\n%s"
                            .formatted(values(type), line(property, values(type).split(",", 2)[0]));
        }
        if (property.equals("snowflake.worker.id")) {
            return workerId(value);
        }
        if (property.equals("snowflake.datacenter.id")) {
            return ConfiguredWorker.setDatacenterId("Set a whole number");
        }
        if (type == Boolean.class) {
            return "Set one of the two, for example:\n\n" + line(property, true);
        }
        return "Set a whole number, for example:\n\n" + line(property, NUMBERS.getOrDefault(property, 1));
    }

    private static String duration(String property, String value) {
        Range range = DURATIONS.getOrDefault(property, new Range("1s", "0s", "1d"));
        if (ConfiguredLayout.isNumber(value) && value.length() < 10) {
            long number = Long.parseLong(value);
            boolean millisFirst = property.equals("snowflake.tick") || number >= MORE_LIKELY_MILLIS;
            for (String unit : millisFirst ? List.of("ms", "s") : List.of("s", "ms")) {
                if (range.contains(DurationStyle.SIMPLE.parse(number + unit))) {
                    return """
                            Add the unit that is meant, %s for example:

                            %s""".formatted(
                            unit.equals("s") ? "s for seconds" : "ms for milliseconds", line(property, number + unit));
                }
            }
        }
        return "Set a duration with its unit, for example:\n\n" + line(property, range.usual());
    }

    private static String workerId(String value) {
        String numbers = ConfiguredWorker.setWorkerId("");
        if (!Character.isLetter(value.isEmpty() ? ' ' : value.charAt(0))) {
            return numbers;
        }
        return numbers + """


                If that is a host name with a number at its end, as in a Kubernetes StatefulSet, replace 'snowflake.worker.id' with:

                snowflake.worker.strategy: host
                snowflake.worker.host.source: name

                Datacenter id and worker id are then that number: in the default layout, 'orders-0' to 'orders-1023' differ. \
                A name without a number is hashed, and may give two processes the same ids: in the default layout, the odds are \
                4.3 % among 10 processes, 53.8 % among 40.""";
    }

    private static @Nullable String unsetPlaceholder(String value) {
        int start = value.indexOf("${");
        int end = value.indexOf('}', start);
        return start < 0 || end < 0 ? null : value.substring(start + 2, end);
    }

    private static String setPlaceholder(String property, Class<?> type, String unset) {
        String rule = rule(type);
        if (property.equals("snowflake.worker.id")) {
            rule += ", a different one for each process that runs at the same time";
        }
        return "Set the environment variable or property '%s' to %s.".formatted(unset, rule);
    }

    private static String values(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    private static String line(String property, Object value) {
        return property + ": " + value;
    }
}
