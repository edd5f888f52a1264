package io.github.snowflakeid.internal.properties;

import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Creates a {@link PropertyGroup} without binding if the environment has none of its properties: to bind the two groups
 * that every application has would add 20 ms to startup. Imported by the auto-configuration that has the group.
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

    @Override
    public void registerBeanDefinitions(AnnotationMetadata autoConfiguration, BeanDefinitionRegistry registry) {
        String prefix = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class))
                .value();
        if (!GeneratorProperties.mayBeSet(environment, prefix)
                && registry.getBeanDefinition(prefix + "-" + type.getName()) instanceof AbstractBeanDefinition group) {
            group.setInstanceSupplier(defaults);
        }
    }
}
