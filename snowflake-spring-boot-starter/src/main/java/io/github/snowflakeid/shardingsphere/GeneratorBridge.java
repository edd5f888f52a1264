package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
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
 * Gives ShardingSphere the generators of an application context. It is a post-processor of beans only to exist before the {@code
 * DataSource}: ShardingSphere reads its configuration while that is created.
 */
final class GeneratorBridge
        implements BeanPostProcessor,
                SmartInitializingSingleton,
                ApplicationListener<ContextClosedEvent>,
                DisposableBean {

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
     * Returns a function that gives an attribute the generator of that name in the newest context, and of the newest of the others once that
     * context is closed.
     *
     * @throws ConfigurationException if there is no context with a generator
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
                        "Key generator '%s' has no generator: there is no Spring application context with a generator of Snowflake IDs"
                                .formatted(KeyGenerator.TYPE),
                        "Create the DataSource of ShardingSphere in a Spring Boot application that has the starter."));
    }

    /** Checks once the context has started that there is a generator of that name. */
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
        generator(generator, "of key generator '" + KeyGenerator.TYPE + "'");
    }

    private IdGenerator generator(String name, String attribute) {
        try {
            return generators.get(name, attribute);
        } catch (BeanCreationException e) {
            if (!e.contains(BeanCurrentlyInCreationException.class)) {
                throw e;
            }
            throw Problem.GENERATOR_TOO_EARLY.exception(
                    "Attribute %s needs IDs before there is a generator: a script or a migration inserts rows without IDs"
                            .formatted(attribute),
                    "Set the IDs of these rows in the script, to small numbers such as 1, 2, 3, which no generator issues.");
        }
    }

    /**
     * Beans that use the {@code DataSource} may insert rows until they are destroyed. The {@code DataSource} itself is destroyed later:
     * the lease may be released to it.
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
