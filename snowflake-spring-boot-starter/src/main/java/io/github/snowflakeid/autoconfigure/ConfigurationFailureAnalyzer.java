package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Analyzes startup failures: a {@link ConfigurationException}, without the exceptions that Spring and persistence
 * libraries wrap around it, and an injection point that requires a missing generator. Each analysis links to the
 * documentation of this version.
 */
@Order(0)
record ConfigurationFailureAnalyzer(BeanFactory beans, Environment environment) implements FailureAnalyzer {

    /** The first property that a description names, up to the end of the clause about it. */
    private static final Pattern NAMED =
            Pattern.compile("(?s)'((?:management\\.health\\.)?snowflake\\.[^']+)'.*?(?=, but (?!was)|: |\\. |[.?]?$)");

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause : Causes.of(failure)) {
            ConfigurationException reported =
                    cause instanceof ConfigurationException exception ? exception : missingBean(cause);
            if (reported != null) {
                String action = reported.action().orElse("Correct the configuration.");
                return new FailureAnalysis(
                        withOrigin(reported.description()), action + "\n\n" + reported.reference(), failure);
            }
        }
        return null;
    }

    /** Returns a description with the place where the property that it names is set. */
    private String withOrigin(String description) {
        return NAMED.matcher(description).replaceFirst(named -> {
            String origin = GeneratorProperties.origin(environment, named.group(1));
            return Matcher.quoteReplacement(description.contains(origin) ? named.group() : named.group() + origin);
        });
    }

    /** Returns the exception for an injection point without a generator; null for any other failure. */
    private @Nullable ConfigurationException missingBean(Throwable failure) {
        if (!(failure instanceof UnsatisfiedDependencyException dependency)
                || !(dependency.getCause() instanceof NoSuchBeanDefinitionException missing)
                || missing instanceof NoUniqueBeanDefinitionException
                || missing.getBeanType() == null
                || !IdGenerator.class.isAssignableFrom(missing.getBeanType())
                || dependency.getInjectionPoint() == null) {
            return null;
        }
        InjectionPoint point = dependency.getInjectionPoint();
        if (!GeneratorProperties.isEnabled(environment, "snowflake.enabled")) {
            return Problem.MISSING_GENERATOR.exception(
                    "There is no ID generator, because 'snowflake.enabled' is 'false'. It is required by " + point,
                    "Enable generators, or define an IdGenerator bean:\n\nsnowflake.enabled: true");
        }
        Qualifier qualifier = point.getAnnotation(Qualifier.class);
        return qualifier != null && beans instanceof ConfigurableListableBeanFactory all
                ? MappingErrors.unknownGenerator(
                        qualifier.value(),
                        StringUtils.capitalize(point.toString()),
                        new IdGenerators(all).byName().navigableKeySet(),
                        "")
                : null;
    }
}
