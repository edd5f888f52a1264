package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.annotation.Order;

/**
 * Reports a {@link ConfigurationException} without the exceptions that Spring and mappers wrap around it, and an injection point that
 * names a generator that does not exist. Each report links to the documentation of this version.
 */
@Order(0)
final class ConfigurationFailureAnalyzer implements FailureAnalyzer {

    private final BeanFactory beans;

    ConfigurationFailureAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            ConfigurationException reported =
                    cause instanceof ConfigurationException exception ? exception : unknownQualifier(cause);
            if (reported != null) {
                String action = reported.action().orElse("Correct the configuration.");
                return new FailureAnalysis(
                        reported.description(), action + "\n\n" + reference(reported.anchor()), cause);
            }
        }
        return null;
    }

    private @Nullable ConfigurationException unknownQualifier(Throwable failure) {
        if (failure.getCause() instanceof NoSuchBeanDefinitionException missing
                && missing.getBeanType() == IdGenerator.class
                && failure instanceof UnsatisfiedDependencyException dependency
                && beans instanceof ConfigurableListableBeanFactory all) {
            InjectionPoint point = dependency.getInjectionPoint();
            Qualifier qualifier = point == null ? null : point.getAnnotation(Qualifier.class);
            if (qualifier != null) {
                return SnowflakeGenerators.unknown(
                        qualifier.value(),
                        new IdGenerators(all).byName().navigableKeySet(),
                        ", which " + point + " requires");
            }
        }
        return null;
    }

    /** Classes outside of the jar have no version. */
    private static String reference(String anchor) {
        String version = ConfigurationFailureAnalyzer.class.getPackage().getImplementationVersion();
        boolean isReleased = version != null && !version.endsWith("-SNAPSHOT");
        return "More about this%s: https://github.com/snowflakeid/snowflake/blob/%s/docs/troubleshooting.md#%s"
                .formatted(
                        version == null ? "" : " (Snowflake " + version + ")",
                        isReleased ? "v" + version : "main",
                        anchor);
    }
}
