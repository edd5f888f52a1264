package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.text.PublicIds;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Analyzes startup failures because a bean needs {@link PublicIds}, but no key is configured. */
@Order(0)
record MissingPublicIdsAnalyzer(Environment environment) implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause : Causes.of(failure)) {
            if (cause instanceof UnsatisfiedDependencyException dependency && isForKey(dependency)) {
                ConfigurationException noKey =
                        PublicIdErrors.noKey("PublicIds in bean '%s'".formatted(dependency.getBeanName()));
                return new FailureAnalysis(
                        noKey.description(), noKey.action().orElseThrow() + "\n\n" + noKey.reference(), failure);
            }
        }
        return null;
    }

    private boolean isForKey(UnsatisfiedDependencyException dependency) {
        return dependency.getCause() instanceof NoSuchBeanDefinitionException missing
                && !(missing instanceof NoUniqueBeanDefinitionException)
                && missing.getBeanType() == PublicIds.class
                && dependency.getInjectionPoint() != null
                && dependency.getInjectionPoint().getAnnotation(Qualifier.class) == null
                && GeneratorProperties.origin(environment, PublicIdProperties.PREFIX + ".keys")
                        .isEmpty();
    }
}
