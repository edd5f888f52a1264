package io.github.snowflakeid.internal.properties;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Creates a {@link PropertyGroup} without binding if none of its properties is set: to bind the two groups that every
 * application has would add 20 ms to startup. Imported by the auto-configuration that has the group.
 *
 * @param <T> the type of the group
 */
public abstract class UnsetGroup<T> implements ImportBeanDefinitionRegistrar {

    private final Environment environment;
    private final Class<T> type;
    private final Supplier<T> defaults;

    /**
     * Creates the registrar of a group.
     *
     * @param environment the environment of the context
     * @param type the type of the group
     * @param defaults creates the group as Spring Boot would bind it from no properties
     */
    protected UnsetGroup(Environment environment, Class<T> type, Supplier<T> defaults) {
        this.environment = environment;
        this.type = type;
        this.defaults = defaults;
    }

    /** Decides when the group is created: beans may add properties after the definitions of beans. */
    @Override
    public void registerBeanDefinitions(AnnotationMetadata autoConfiguration, BeanDefinitionRegistry registry) {
        String prefix = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class))
                .value();
        AbstractBeanDefinition group =
                (AbstractBeanDefinition) registry.getBeanDefinition(prefix + "-" + type.getName());
        Supplier<?> bound = Objects.requireNonNull(group.getInstanceSupplier());
        group.setInstanceSupplier(() ->
                GeneratorProperties.mayBeSet(environment, prefix) || areSomeElsewhere((ListableBeanFactory) registry)
                        ? bound.get()
                        : defaults.get());
    }

    /** Returns whether there are properties that Spring Boot binds although they are not in the environment. */
    private static boolean areSomeElsewhere(ListableBeanFactory beans) {
        return beans.getBeansOfType(PropertySourcesPlaceholderConfigurer.class, false, false).values().stream()
                .flatMap(each -> each.getAppliedPropertySources().stream())
                .map(PropertySource::getSource)
                .anyMatch(each -> !(each instanceof Environment) && !Map.of().equals(each));
    }
}
