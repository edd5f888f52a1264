package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The generators of an application context by name: Snowflake generators and generators of sequential numbers, from properties and from
 * beans of the application. The unnamed generator is called {@value #DEFAULT}. A bean of the application has the name of its qualifier and
 * its bean name.
 *
 * <p>Inject this bean if the name of a generator is known only at run time; otherwise inject {@code @Qualifier("orders") IdGenerator}.
 * Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class SnowflakeGenerators {

    /** The name of the unnamed generator. */
    public static final String DEFAULT = "default";

    private final ConfigurableListableBeanFactory beans;
    private final IdGenerators generators;

    /**
     * Creates the registry of a context.
     *
     * @param beans of the context, not looked at before a generator is needed
     */
    public SnowflakeGenerators(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.generators = new IdGenerators(beans);
    }

    /**
     * Returns a generator, which is created if it does not exist yet.
     *
     * @param name its name, for example {@code orders} for {@code snowflake.generators.orders}, or {@value #DEFAULT}
     * @return the generator
     * @throws RuntimeException if there is no generator of that name; the message lists the names
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
            throw unknown(name, names(), "");
        }
        return unnamed;
    }

    /** @param reason why the generator is needed; empty if the caller knows */
    static ConfigurationException unknown(String name, SortedSet<String> names, String reason) {
        return Problem.UNKNOWN_GENERATOR.exception(
                "There is no generator '%s'%s; there %s"
                        .formatted(
                                name,
                                reason,
                                names.isEmpty() ? "is none at all" : "are: " + MappingErrors.quoted(names)),
                "Use one of these names, or define the generator:\n\n" + MappingErrors.definition(name));
    }

    /**
     * Returns the names of all generators.
     *
     * @return names, in alphabetical order; a generator may have several
     */
    public SortedSet<String> names() {
        return generators.byName().navigableKeySet();
    }

    /**
     * Returns the generators that exist already and can be closed. None is created for this: a lazy one is included once something has
     * used it.
     *
     * @return generators by name, each once
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
