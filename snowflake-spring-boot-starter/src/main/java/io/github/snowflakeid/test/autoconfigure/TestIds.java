package io.github.snowflakeid.test.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.numbers.DocumentNumbers;
import io.github.snowflakeid.numbers.TestDocumentNumbers;
import io.github.snowflakeid.test.TestIdGenerator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/**
 * Replaces the generators of test contexts if the test class has {@link AutoConfigureTestIds}, and resets them before
 * each test method.
 */
final class TestIds implements ContextCustomizerFactory, TestExecutionListener {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        AutoConfigureTestIds annotation = annotation(testClass);
        return annotation == null ? null : new Customizer(annotation.resetBeforeEachTest());
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        AutoConfigureTestIds annotation = annotation(test.getTestClass());
        if (annotation != null && annotation.resetBeforeEachTest()) {
            BeanFactoryUtils.beansOfTypeIncludingAncestors(test.getApplicationContext(), TestIdGenerator.class)
                    .values()
                    .forEach(TestIdGenerator::reset);
            BeanFactoryUtils.beansOfTypeIncludingAncestors(test.getApplicationContext(), TestDocumentNumbers.class)
                    .values()
                    .forEach(TestDocumentNumbers::reset);
        }
    }

    private static @Nullable AutoConfigureTestIds annotation(Class<?> testClass) {
        return TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureTestIds.class);
    }

    private static void replaceGenerators(ConfigurableListableBeanFactory beans) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beans;
        IdGenerators generators = new IdGenerators(beans);
        for (String name : beans.getBeanNamesForType(IdGenerator.class, true, false)) {
            if (registry.containsBeanDefinition(name)
                    && beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition original
                    && !beans.isTypeMatch(name, TestIdGenerator.class)) {
                RootBeanDefinition replacement = new RootBeanDefinition(TestIdGenerator.class);
                // The qualifier comes after the name of the bean and its aliases, which the replacement has anyway.
                generators.namesOf(name).stream()
                        .reduce((first, last) -> last)
                        .map(qualifier -> new AutowireCandidateQualifier(Qualifier.class, qualifier))
                        .ifPresent(replacement::addQualifier);
                replacement.setPrimary(original.isPrimary());
                replacement.setFallback(original.isFallback());
                replacement.setAutowireCandidate(original.isAutowireCandidate());
                replacement.setDefaultCandidate(original.isDefaultCandidate());
                registry.removeBeanDefinition(name);
                registry.registerBeanDefinition(name, replacement);
            }
        }
    }

    /** Replaces the series of {@code snowflake.numbers}, which keep their formats. */
    private static void replaceSeries(ConfigurableListableBeanFactory beans) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beans;
        for (String name : beans.getBeanNamesForType(DocumentNumbers.class, true, false)) {
            String format = beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class)
                    .getProperty(name + ".format");
            if (format != null && beans.getBeanDefinition(name) instanceof AbstractBeanDefinition original) {
                RootBeanDefinition replacement = new RootBeanDefinition(TestDocumentNumbers.class);
                replacement.getConstructorArgumentValues().addIndexedArgumentValue(0, format);
                replacement.copyQualifiersFrom(original);
                registry.removeBeanDefinition(name);
                registry.registerBeanDefinition(name, replacement);
            }
        }
    }

    /**
     * A record, because Spring caches one context for equal customizers: test classes share a context only if they
     * agree on resetting IDs.
     */
    private record Customizer(boolean resets) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            context.addBeanFactoryPostProcessor(TestIds::replaceGenerators);
            context.addBeanFactoryPostProcessor(TestIds::replaceSeries);
        }
    }
}
