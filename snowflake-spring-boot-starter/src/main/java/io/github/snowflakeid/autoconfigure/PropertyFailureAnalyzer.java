package io.github.snowflakeid.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Reports a property of ours whose value is not of its type. Comes before Spring Boot's report, which has no example. */
@Order(0)
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        String property = cause.getName().toString();
        Class<?> type = cause.getTarget().getType().resolve(Object.class);
        if (!property.startsWith("snowflake.") || cause.getProperty() == null) {
            return null;
        }
        Kind kind = Kind.of(type);
        return new FailureAnalysis(
                "Property '%s' must be %s, but was '%s' (%s)."
                        .formatted(
                                property,
                                kind.name(),
                                cause.getProperty().getValue(),
                                cause.getProperty().getOrigin()),
                """
                Set %s, for example:

                %s: %s""".formatted(kind.name(), property, kind.example()),
                cause);
    }

    private record Kind(String name, String example) {

        static Kind of(Class<?> type) {
            if (type == Instant.class) {
                return new Kind("an instant in UTC", "2025-01-01T00:00:00Z");
            }
            if (type == Duration.class) {
                return new Kind("a duration", "10ms");
            }
            if (type.isEnum()) {
                String values = Arrays.stream(type.getEnumConstants())
                        .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "));
                return new Kind("one of " + values, values.split(",", 2)[0]);
            }
            return new Kind("a whole number", "1");
        }
    }
}
