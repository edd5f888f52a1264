package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.ClassUtils;

/**
 * A store of this library, whether or not the application uses it. Only failures need descriptions. They are read from
 * the class files of the auto-configurations, because a class that a store needs may be missing.
 *
 * @param configuration the name of the auto-configuration
 * @param annotations its annotations, among them {@link ConditionalOnStore}
 */
public record StoreDescription(String configuration, MergedAnnotations annotations) {

    /**
     * Lists all stores.
     *
     * @param loader the class loader of the application
     * @return the stores, in the order of the file of auto-configurations
     */
    public static List<StoreDescription> all(@Nullable ClassLoader loader) {
        List<StoreDescription> stores = new ArrayList<>();
        SimpleMetadataReaderFactory classes = new SimpleMetadataReaderFactory(loader);
        try {
            for (String each : ImportCandidates.load(AutoConfiguration.class, loader)) {
                if (each.startsWith("io.github.snowflakeid.")) {
                    MergedAnnotations annotations = classes.getMetadataReader(each)
                            .getAnnotationMetadata()
                            .getAnnotations();
                    if (annotations.isPresent(ConditionalOnStore.class)) {
                        stores.add(new StoreDescription(each, annotations));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return stores;
    }

    private String attribute(String name) {
        return annotations.get(ConditionalOnStore.class).getString(name);
    }

    /**
     * Returns the name of the store.
     *
     * @return the value of {@code snowflake.worker.strategy} or {@code snowflake.segment.store}
     */
    public String name() {
        return attribute("value");
    }

    private boolean keepsCounters() {
        return annotations.get(ConditionalOnStore.class).getBoolean("counters");
    }

    /**
     * Returns whether the classes that the store needs are on the class path.
     *
     * @param loader the class loader of the application
     * @return false if a library is missing
     */
    public boolean isComplete(@Nullable ClassLoader loader) {
        return annotations.get(ConditionalOnClass.class).getValue("value", String[].class).stream()
                .flatMap(Stream::of)
                .allMatch(type -> ClassUtils.isPresent(type, loader));
    }

    /**
     * Returns the exception for a store without a bean.
     *
     * @param name the name of the store
     * @param property the property that selects it, as in messages
     * @param others names that the property accepts and that need no bean
     * @param counters whether the property selects a store of counters
     * @param loader the class loader of the application
     * @return the exception, which says what is missing
     */
    public static ConfigurationException missing(
            String name, String property, List<String> others, boolean counters, @Nullable ClassLoader loader) {
        List<StoreDescription> stores = all(loader).stream()
                .filter(each -> each.keepsCounters() || !counters)
                .toList();
        for (StoreDescription each : stores) {
            if (each.name().equals(name)) {
                return each.isComplete(loader) ? each.notImported(property) : each.withoutLibrary(property, counters);
            }
        }
        String names = Stream.concat(others.stream(), stores.stream().map(StoreDescription::name))
                .collect(Collectors.joining(", "));
        return Problem.INVALID_PROPERTY.exception(
                "Property '%s' must be one of %s, but was '%s'.".formatted(property, names, name),
                "Set one of %s, or remove '%s'.".formatted(names, property));
    }

    private ConfigurationException withoutLibrary(String property, boolean isForCounter) {
        return Problem.MISSING_LIBRARY.exception(
                "Property '%s' is '%s', but %s is not on the class path."
                        .formatted(property, name(), attribute("library")),
                "Add the dependency:\n\n" + attribute("dependency")
                        + (isForCounter
                                ? "\n\nor keep the counter in a database:\n\n%s: jdbc".formatted(property)
                                : ""));
    }

    private ConfigurationException notImported(String property) {
        return Problem.MISSING_STORE.exception(
                "The application uses the store '%s', but not its auto-configuration %s."
                        .formatted(name(), ClassUtils.getShortName(configuration)),
                """
                If the application or a test imports auto-configurations one by one, import this one as well:

                @ImportAutoConfiguration(%s.class)

                Otherwise, remove it from 'spring.autoconfigure.exclude', or use another store than '%s' in '%s'.""".formatted(configuration, name(), property));
    }
}
