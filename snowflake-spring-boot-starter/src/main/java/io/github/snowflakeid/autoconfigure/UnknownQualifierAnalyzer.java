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
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Lists the generators if an injection point asks for a generator by a name that none has. */
@Order(0)
final class UnknownQualifierAnalyzer extends AbstractFailureAnalyzer<UnsatisfiedDependencyException> {

    private final BeanFactory beans;

    UnknownQualifierAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnsatisfiedDependencyException cause) {
        if (cause.getCause() instanceof UnsatisfiedDependencyException inner) {
            return analyze(rootFailure, inner);
        }
        InjectionPoint point = cause.getInjectionPoint();
        Qualifier qualifier = point == null ? null : point.getAnnotation(Qualifier.class);
        if (qualifier == null
                || !(cause.getCause() instanceof NoSuchBeanDefinitionException missing)
                || missing.getBeanType() == null
                || !IdGenerator.class.isAssignableFrom(missing.getBeanType())
                || !(beans instanceof ConfigurableListableBeanFactory all)) {
            return null;
        }
        ConfigurationException unknown = SnowflakeGenerators.unknown(
                qualifier.value(), new IdGenerators(all).byName().navigableKeySet());
        return new FailureAnalysis(
                unknown.description() + " It is required by " + point + ".",
                unknown.action().orElseThrow(),
                cause);
    }
}
