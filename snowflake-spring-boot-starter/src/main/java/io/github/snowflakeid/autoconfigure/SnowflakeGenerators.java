package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The generators of an application context by name: Snowflake generators and generators of sequential numbers,
 * auto-configured or defined by the application. The unnamed generator is called {@value #DEFAULT}. A generator bean of
 * the application is found by its qualifier and by its bean name.
 *
 * <p>Inject this bean if the name of a generator is known only at run time. Otherwise, inject
 * {@code @Qualifier("orders") IdGenerator}. Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class SnowflakeGenerators {

    /** The name of the unnamed generator. */
    public static final String DEFAULT = "default";

    private final ConfigurableListableBeanFactory beans;
    private final IdGenerators generators;

    /**
     * Creates the view of the generators of a context.
     *
     * @param beans the beans of the context; not accessed before a generator is needed
     */
    public SnowflakeGenerators(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.generators = new IdGenerators(beans);
    }

    /**
     * Returns a generator. Creates it if it does not exist yet.
     *
     * @param name its name, for example {@code orders} for {@code snowflake.generators.orders}, or {@value #DEFAULT}
     * @return the generator
     * @throws RuntimeException if there is no generator with that name; the message lists the existing names
     */
    public IdGenerator get(String name) {
        String bean = generators.byName().get(name);
        if (bean != null) {
            return beans.getBean(bean, IdGenerator.class);
        }
        // The application may define the generator that is injected without a qualifier.
        IdGenerator unnamed =
                name.equals(DEFAULT) ? beans.getBeanProvider(IdGenerator.class).getIfUnique() : null;
        if (unnamed == null) {
            throw MappingErrors.unknownGenerator(name, "The application", names(), "");
        }
        return unnamed;
    }

    /**
     * Returns the names of all generators.
     *
     * @return the names in alphabetical order; a generator may have several names
     */
    public SortedSet<String> names() {
        return generators.byName().navigableKeySet();
    }

    /**
     * Returns the generators that already exist and that can be closed. Creates no generator: a lazy generator is
     * included once it was used.
     *
     * @return the generators by name, each of them once
     */
    public Map<String, ManagedIdGenerator> managed() {
        Map<String, ManagedIdGenerator> managed = new LinkedHashMap<>();
        for (String bean : beans.getBeanNamesForType(ManagedIdGenerator.class, false, false)) {
            if (beans.containsSingleton(bean)) {
                String name = generators.namesOf(bean).stream().findFirst().orElse(bean);
                ManagedIdGenerator generator = beans.getBean(bean, ManagedIdGenerator.class);
                if (managed.putIfAbsent(name, generator) != null) {
                    managed.put(bean, generator);
                }
            }
        }
        return managed;
    }
}
