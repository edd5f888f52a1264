package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.mapping.IdGenerators;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
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
 * The generators of {@code snowflake.generators}. Each is a bean with its name as qualifier, and no default candidate: who asks
 * for an {@link IdGenerator} without a qualifier gets the unnamed one. Gives way to a generator of the application that has
 * the name as qualifier or as bean name; so do layout, assigner and registry of each.
 */
final class NamedGenerators implements ImportBeanDefinitionRegistrar {

    static final String REGISTRY_SUFFIX = ".workerRegistry";

    private final Environment environment;
    private final ConfigurableListableBeanFactory beans;

    /** The beans that were there before those registered here. While beans are still defined, Spring looks at all for each answer. */
    private final Map<Class<?>, String[]> definedBefore = new HashMap<>();

    NamedGenerators(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = (ConfigurableListableBeanFactory) beans;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata autoConfiguration, BeanDefinitionRegistry registry) {
        if (GeneratorName.NONE.isOfSegments(environment)
                && registry.containsBeanDefinition(SnowflakeAutoConfiguration.GENERATOR)) {
            registry.removeBeanDefinition(SnowflakeAutoConfiguration.GENERATOR);
            registry.registerBeanDefinition(
                    SnowflakeAutoConfiguration.GENERATOR,
                    SegmentGenerators.register(GeneratorName.NONE, registry, beans.getBeanClassLoader()));
        }
        for (GeneratorName generator : GeneratorNames.in(environment)) {
            if (isDefinedFor(generator, IdGenerator.class)) {
                continue;
            }
            if (!registry.containsBeanDefinition(IdGenerators.LIFECYCLE)) {
                registry.registerBeanDefinition(
                        IdGenerators.LIFECYCLE,
                        madeBy(
                                SnowflakeAutoConfiguration.class,
                                "snowflakeGeneratorLifecycle",
                                GeneratorLifecycle.class));
            }
            if (generator.isOfSegments(environment)) {
                registry.registerBeanDefinition(
                        generator.prefix(),
                        qualified(
                                generator,
                                SegmentGenerators.register(generator, registry, beans.getBeanClassLoader())));
                continue;
            }
            if (leasesInAStore(generator)) {
                registry.registerBeanDefinition(
                        generator.prefix() + REGISTRY_SUFFIX,
                        qualified(
                                generator,
                                madeBy(
                                        SnowflakeAutoConfiguration.class,
                                        "snowflakeNamedWorkerRegistry",
                                        WorkerRegistry.class)));
            }
            registry.registerBeanDefinition(
                    generator.prefix(),
                    qualified(
                            generator,
                            madeBy(
                                    SnowflakeAutoConfiguration.class,
                                    "snowflakeNamedIdGenerator",
                                    SnowflakeIdGenerator.class)));
        }
    }

    private boolean leasesInAStore(GeneratorName generator) {
        return LeaseStores.of(generator, environment, beans) != null
                && !isDefinedFor(generator, WorkerRegistry.class)
                && !isDefinedFor(generator, WorkerIdAssigner.class)
                && !isDefinedForAll(WorkerRegistry.class)
                && (saysWhichWorker(generator, environment) || !isDefinedForAll(WorkerIdAssigner.class));
    }

    private boolean isDefinedFor(GeneratorName generator, Class<?> type) {
        return nameOf(definedBefore(type), generator, beans) != null;
    }

    private String[] definedBefore(Class<?> type) {
        String[] names = definedBefore.get(type);
        if (names == null) {
            names = namesOf(type, beans);
            definedBefore.put(type, names);
        }
        return names;
    }

    private @Nullable String localBean(Class<?> type) {
        for (String bean : definedBefore(type)) {
            if (beans.containsLocalBean(bean)) {
                return bean;
            }
        }
        return null;
    }

    /** Whether the application has a bean of a type that serves every generator. */
    private boolean isDefinedForAll(Class<?> type) {
        for (String bean : definedBefore(type)) {
            boolean isForOne = beans.containsBeanDefinition(bean)
                    && beans.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                    && !definition.isDefaultCandidate();
            if (!isForOne && beans.containsLocalBean(bean) && !bean.startsWith(IdGenerators.OURS)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the properties of a generator's own say where its worker id comes from. */
    private static boolean saysWhichWorker(GeneratorName generator, Environment environment) {
        return ConfiguredWorker.isIdSet(generator, environment)
                || environment.containsProperty(generator.property("snowflake.worker.strategy"));
    }

    private RootBeanDefinition madeBy(Class<?> autoConfiguration, String method, Class<?> type) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(type);
        definition.setFactoryBeanName(localBean(autoConfiguration));
        definition.setFactoryMethodName(method);
        definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        definition.setLazyInit(false);
        return definition;
    }

    /** With the name as argument. The context does not end it: {@link GeneratorLifecycle} does. */
    private static RootBeanDefinition qualified(GeneratorName generator, RootBeanDefinition definition) {
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, generator.name());
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, generator.name()));
        definition.setDefaultCandidate(false);
        definition.setDestroyMethodName("");
        return definition;
    }

    /** The name of the bean that has a generator's name as qualifier or as bean name, or null. */
    private static @Nullable String nameOf(String[] candidates, GeneratorName generator, ListableBeanFactory beans) {
        for (String bean : candidates) {
            if (BeanFactoryAnnotationUtils.isQualifierMatch(generator.name()::equals, bean, beans)) {
                return bean;
            }
        }
        return null;
    }

    private static String[] namesOf(Class<?> type, ListableBeanFactory beans) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
    }

    static <T> @Nullable T qualified(Class<T> type, GeneratorName generator, ListableBeanFactory beans) {
        String bean = nameOf(namesOf(type, beans), generator, beans);
        return bean == null ? null : beans.getBean(bean, type);
    }

    /** @param assigners those that serve every generator */
    static SnowflakeIdGenerator make(
            GeneratorName generator,
            IdLayout inheritedLayout,
            ObjectProvider<WorkerIdAssigner> assigners,
            GeneratorLifecycle lifecycle) {
        SnowflakeProperties properties = lifecycle.properties(generator, inheritedLayout);
        return ConfiguredGenerator.of(
                properties,
                layout(properties, lifecycle.context().getBeanFactory()),
                assigner(properties, assigners, lifecycle),
                lifecycle);
    }

    static IdLayout layout(SnowflakeProperties properties, ListableBeanFactory beans) {
        IdLayout ofApplication = qualified(IdLayout.class, properties.generator(), beans);
        try {
            return ofApplication == null ? ConfiguredLayout.of(properties) : ofApplication;
        } catch (StartupFailure impossible) {
            throw properties.explain(impossible);
        }
    }

    private static WorkerIdAssigner assigner(
            SnowflakeProperties properties, ObjectProvider<WorkerIdAssigner> assigners, GeneratorLifecycle lifecycle) {
        WorkerIdAssigner ofApplication = qualified(
                WorkerIdAssigner.class,
                properties.generator(),
                lifecycle.context().getBeanFactory());
        if (ofApplication == null
                && !saysWhichWorker(properties.generator(), lifecycle.context().getEnvironment())) {
            ofApplication = assigners.getIfUnique();
        }
        return ofApplication == null || ofApplication instanceof ConfiguredWorker
                ? ConfiguredWorker.of(properties)
                : ofApplication;
    }
}
