package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.store.GeneratorStores;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the beans of the unnamed generator, which is called {@code default}, and of the generators of {@code
 * snowflake.generators}. For each generator it registers the generator, with its name as qualifier, its plan and its
 * store. Injection points without a qualifier get the unnamed generator, because the others are not default candidates.
 * A generator is not registered if the application defines a generator with the same qualifier or bean name. The
 * unnamed generator is not registered either if the application defines a generator that is injected without a
 * qualifier.
 *
 * <p>If there are named generators, the unnamed generator is lazy: an application that uses only named generators holds
 * no lease for it.
 */
record GeneratorRegistrar(Environment environment, BeanFactory context) implements ImportBeanDefinitionRegistrar {

    @Override
    public void registerBeanDefinitions(AnnotationMetadata autoConfiguration, BeanDefinitionRegistry registry) {
        ConfigurableListableBeanFactory beans = (ConfigurableListableBeanFactory) context;
        GeneratorProperties properties = GeneratorProperties.of(beans, environment);
        List<GeneratorBeans> generators = properties
                .all()
                .map(each -> new GeneratorBeans(each, properties, beans))
                .filter(each -> !isDefined(each))
                .toList();
        boolean areSomeNamed = generators.stream().anyMatch(each -> each.id().isNamed());
        for (GeneratorBeans each : generators) {
            GeneratorName generator = each.id();
            boolean isOfSegments = properties.isOfSegments(generator);
            Class<?> factory = isOfSegments ? SegmentGeneratorFactory.class : SnowflakeGeneratorFactory.class;
            Class<?> type = isOfSegments ? SegmentIdGenerator.class : SnowflakeIdGenerator.class;
            if (!isOfSegments) {
                registry.registerBeanDefinition(
                        each.planBean(), createdBy(GeneratorPlanner.class, "plan", GeneratorPlan.class, generator));
            }
            registry.registerBeanDefinition(
                    each.storeBean(), createdBy(factory, "store", GeneratorStores.class, generator));
            RootBeanDefinition definition = createdBy(factory, "generator", type, generator);
            definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, generator.qualifier()));
            definition.setDefaultCandidate(!generator.isNamed());
            definition.setLazyInit(areSomeNamed && !generator.isNamed());
            registry.registerBeanDefinition(each.beanName(), definition);
        }
    }

    /**
     * Returns whether the application defines a generator. The unnamed generator is defined by any bean, perhaps of a
     * parent context, that is injected without a qualifier.
     */
    private static boolean isDefined(GeneratorBeans generator) {
        return generator.id().isNamed()
                ? generator.nameOf(IdGenerator.class) != null
                : !Stream.of(generator.namesOf(IdGenerator.class))
                        .allMatch(bean -> needsQualifier(bean, generator.beans()));
    }

    private static boolean needsQualifier(String bean, ConfigurableListableBeanFactory beans) {
        return beans.containsBeanDefinition(bean)
                && beans.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                && !(definition.isDefaultCandidate() && definition.isAutowireCandidate());
    }

    private static RootBeanDefinition createdBy(
            Class<?> factory, String method, Class<?> type, GeneratorName generator) {
        RootBeanDefinition definition = new RootBeanDefinition(factory);
        definition.setTargetType(type);
        definition.setFactoryMethodName(method);
        definition.setDefaultCandidate(false);
        definition.setLazyInit(true);
        definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        // GeneratorLifecycle closes it.
        definition.setDestroyMethodName("");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, generator.name());
        return definition;
    }
}
