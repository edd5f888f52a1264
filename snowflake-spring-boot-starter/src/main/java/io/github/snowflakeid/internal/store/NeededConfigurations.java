package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.internal.properties.GeneratorProperties;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
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

/**
 * Passes over auto-configurations of this library that the application does not need. Spring would take 2 to 8 ms to
 * parse each of them, even if a condition of the class does not match. Runs after Spring Boot's filters, which pass over
 * the auto-configurations of missing libraries.
 */
final class NeededConfigurations implements AutoConfigurationImportFilter, BeanFactoryAware, EnvironmentAware {

    private static final String OURS = "io.github.snowflakeid.";

    private static final String PUBLIC_IDS = OURS + "publicid.";

    /** The names of stores, which are also the names of their packages. */
    private static final Set<String> STORES =
            Set.of("jdbc", "redis", "zookeeper", "etcd", "consul", "kubernetes", "file");

    private @Nullable ConfigurableListableBeanFactory beans;
    private @Nullable Environment environment;

    /**
     * Whether there is a library that shows IDs to clients. The first call, which has all candidates, decides it: later,
     * Spring also asks about each class alone.
     */
    private @Nullable Boolean showsIds;

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
        if (showsIds == null) {
            showsIds = classes.length == 1 || Stream.of(classes).anyMatch(NeededConfigurations::showsIds);
        }
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
        if (configuration.equals(PUBLIC_IDS + "SnowflakePublicIdAutoConfiguration")) {
            // An application that is built ahead of time may have keys only when it runs.
            return SpringProperties.getFlag(AbstractAotProcessor.AOT_PROCESSING)
                    || GeneratorProperties.mayBeSet(properties, "snowflake.public-ids")
                    || Boolean.TRUE.equals(showsIds);
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

    /** Returns whether an auto-configuration is for a library that shows IDs to clients. */
    private static boolean showsIds(@Nullable String configuration) {
        return configuration != null
                && (configuration.startsWith(OURS + "json.")
                        || (configuration.startsWith(PUBLIC_IDS)
                                && configuration.indexOf('.', PUBLIC_IDS.length()) > 0));
    }
}
