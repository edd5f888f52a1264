package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.internal.properties.GeneratorProperties;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Passes over auto-configurations of this library that the application does not need. Spring would take 2 to 8 ms to
 * parse each of them, even if a condition of the class does not match. Runs after Spring Boot's filters, which pass
 * over the auto-configurations of missing libraries.
 */
final class NeededConfigurations implements AutoConfigurationImportFilter, BeanFactoryAware, EnvironmentAware {

    private static final String OURS = "io.github.snowflakeid.";

    private static final String PUBLIC_IDS = OURS + "publicid.text.SnowflakePublicIdAutoConfiguration";

    /** The names of stores, which are also the names of their packages. */
    private static final Set<String> STORES =
            Set.of("jdbc", "redis", "zookeeper", "etcd", "consul", "kubernetes", "file");

    /** Classes of the libraries that show IDs to clients. */
    static final List<String> SHOW_IDS = List.of(
            "com.fasterxml.jackson.databind.Module",
            "tools.jackson.databind.JacksonModule",
            "org.springframework.web.service.annotation.HttpExchange",
            "org.springframework.graphql.data.method.annotation.support.AnnotatedControllerConfigurer",
            "org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler",
            "org.springframework.boot.actuate.endpoint.SanitizingFunction");

    private @Nullable ConfigurableListableBeanFactory beans;
    private @Nullable Environment environment;

    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = (ConfigurableListableBeanFactory) beans;
    }

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        boolean[] needed = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            needed[i] = name == null || !name.startsWith(OURS) || isNeeded(name);
        }
        return needed;
    }

    private boolean isNeeded(String configuration) {
        Environment properties = Objects.requireNonNull(environment);
        String part = configuration.substring(OURS.length(), configuration.indexOf('.', OURS.length()));
        if (configuration.equals(PUBLIC_IDS)) {
            // An application that is built ahead of time may have keys only when it runs.
            return SpringProperties.getFlag(AbstractAotProcessor.AOT_PROCESSING)
                    || GeneratorProperties.mayBeSet(properties, "snowflake.public-ids")
                    || showsIds();
        }
        if (part.equals("numbers")) {
            return GeneratorProperties.mayBeSet(properties, "snowflake.numbers");
        }
        boolean isStore = STORES.contains(part);
        return !(isStore || part.equals("autoconfigure"))
                || (GeneratorProperties.isEnabled(properties, "snowflake.enabled")
                        && (!isStore
                                || GeneratorProperties.of(beans, properties)
                                        .stores()
                                        .contains(part)));
    }

    /** The candidates do not tell: Spring also asks about each of them alone, and a test slice has few of them. */
    private boolean showsIds() {
        ClassLoader loader = beans == null ? null : beans.getBeanClassLoader();
        return SHOW_IDS.stream().anyMatch(library -> ClassUtils.isPresent(library, loader));
    }
}
