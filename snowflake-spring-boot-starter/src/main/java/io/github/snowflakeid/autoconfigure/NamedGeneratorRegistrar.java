package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.OpenedStore;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.util.ArrayList;
import java.util.List;
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
 * Registers the unnamed generator, which is called {@code default}, and those of {@code snowflake.generators}. Each is a bean that has its
 * name as qualifier, beside a bean that is its store. Injection points without a qualifier get the unnamed one, since the others are no
 * default candidates. A generator is not registered if the application defines one with that qualifier or bean name, nor is the unnamed
 * one if the application defines a generator that is injected without a qualifier.
 *
 * <p>If there are named generators, the unnamed one is created only when something needs it: an application that uses only named
 * generators has no lease for it.
 */
final class NamedGeneratorRegistrar implements ImportBeanDefinitionRegistrar {

    private final GeneratorProperties properties;
    private final GeneratorBeans beans;

    NamedGeneratorRegistrar(Environment environment, BeanFactory beans) {
        this.properties = new GeneratorProperties(environment);
        this.beans = new GeneratorBeans((ConfigurableListableBeanFactory) beans);
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata autoConfiguration, BeanDefinitionRegistry registry) {
        List<GeneratorName> generators = new ArrayList<>();
        for (GeneratorName named : properties.names()) {
            refuseDefault(named);
            if (!beans.isDefinedFor(named, IdGenerator.class)) {
                generators.add(named);
            }
        }
        boolean areSomeNamed = !generators.isEmpty();
        if (!beans.isDefinedForAll(IdGenerator.class)) {
            generators.add(GeneratorName.NONE);
        }
        for (GeneratorName generator : generators) {
            register(generator, areSomeNamed && !generator.isNamed(), registry);
        }
    }

    private static void refuseDefault(GeneratorName generator) {
        if (generator.name().equals(SnowflakeGenerators.DEFAULT)) {
            throw Problem.GENERATOR_NAME.exception(
                    "Generator 'default' is the one without a name, but there are properties below '%s'."
                            .formatted(generator.prefix()),
                    "Move what is below '%s' to 'snowflake', or give the generator another name."
                            .formatted(generator.prefix()));
        }
    }

    private void register(GeneratorName generator, boolean lazy, BeanDefinitionRegistry registry) {
        boolean isOfSegments = properties.isOfSegments(generator);
        Class<?> factory = isOfSegments ? SegmentGeneratorFactory.class : SnowflakeGeneratorFactory.class;
        RootBeanDefinition store = createdBy(factory, "store", OpenedStore.class, generator);
        store.setDefaultCandidate(false);
        store.setLazyInit(true);
        registry.registerBeanDefinition(GeneratorBeans.store(generator), store);

        RootBeanDefinition definition = createdBy(
                factory, "generator", isOfSegments ? SegmentIdGenerator.class : SnowflakeIdGenerator.class, generator);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, GeneratorBeans.qualifier(generator)));
        definition.setDefaultCandidate(!generator.isNamed());
        definition.setLazyInit(lazy);
        registry.registerBeanDefinition(GeneratorBeans.generator(generator), definition);
    }

    private static RootBeanDefinition createdBy(
            Class<?> factory, String method, Class<?> type, GeneratorName generator) {
        RootBeanDefinition definition = new RootBeanDefinition(factory);
        definition.setTargetType(type);
        definition.setFactoryMethodName(method);
        definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        // GeneratorLifecycle closes it.
        definition.setDestroyMethodName("");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, generator.name());
        return definition;
    }
}
