package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Gives ShardingSphere access to the generators of an application context. It is a {@link BeanPostProcessor} only so
 * that it is created before the {@code DataSource}: ShardingSphere reads its configuration while the {@code DataSource}
 * is created.
 */
final class GeneratorBridge
        implements BeanPostProcessor,
                SmartInitializingSingleton,
                ApplicationListener<ContextClosedEvent>,
                DisposableBean {

    /** The type of the key generator. ShardingSphere itself provides a key generator SNOWFLAKE. */
    static final String TYPE = "SNOWFLAKEID";

    private static final List<GeneratorBridge> ALL = new CopyOnWriteArrayList<>();

    private final ConfigurableListableBeanFactory beans;
    private final IdGenerators generators;
    private final Set<String> needed = ConcurrentHashMap.newKeySet();
    private volatile boolean started;

    GeneratorBridge(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        generators = new IdGenerators(beans);
        ALL.add(this);
    }

    /**
     * Returns a function from an attribute, for messages, to the generator with the given name. It uses the context
     * that is newest now; after that context is closed, it uses the newest remaining context.
     *
     * @throws ConfigurationException if no context has a generator
     */
    static Function<String, IdGenerator> source(String generator) {
        GeneratorBridge first = newest();
        first.require(generator);
        AtomicReference<GeneratorBridge> context = new AtomicReference<>(first);
        return attribute -> context.updateAndGet(current -> ALL.contains(current) ? current : newest())
                .generator(generator, attribute);
    }

    private static GeneratorBridge newest() {
        return ALL.stream()
                .reduce((older, newer) -> newer)
                .orElseThrow(() -> Problem.MISSING_GENERATOR.exception(
                        "Key generator '%s' cannot issue IDs: there is no Spring application context with an IdGenerator bean"
                                .formatted(TYPE),
                        "Create the DataSource of ShardingSphere in a Spring Boot application that has the starter."));
    }

    /** Checks that a generator with that name exists: now if the context has started, otherwise after its start. */
    private void require(String generator) {
        needed.add(generator);
        if (started) {
            check(generator);
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        needed.forEach(this::check);
    }

    private void check(String generator) {
        generator(generator, "of key generator '" + TYPE + "'");
    }

    private IdGenerator generator(String name, String attribute) {
        try {
            return generators.get(name, attribute);
        } catch (BeanCreationException e) {
            if (!e.contains(BeanCurrentlyInCreationException.class)) {
                throw e;
            }
            throw Problem.GENERATOR_TOO_EARLY.exception(
                    "No IDs are available yet for attribute %s: a script or a migration inserts rows without IDs before the generator is created"
                            .formatted(attribute),
                    "Set the IDs of these rows in the script, to small numbers such as 1, 2, 3, which no generator issues.");
        }
    }

    /**
     * Keeps generators open until the beans that use the {@code DataSource} are destroyed, because these may insert
     * rows until then. The {@code DataSource} itself is destroyed after the generators, because a lease may be released
     * to it.
     */
    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        for (String dataSource : beans.getBeanNamesForType(DataSource.class, true, false)) {
            for (String user : beans.getDependentBeans(dataSource)) {
                if (!user.equals(IdGenerators.LIFECYCLE)) {
                    generators.endAfter(user);
                }
            }
        }
    }

    @Override
    public void destroy() {
        ALL.remove(this);
    }
}
