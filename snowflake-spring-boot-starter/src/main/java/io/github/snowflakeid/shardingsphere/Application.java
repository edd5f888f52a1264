package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdMappingException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * A context whose generators ShardingSphere may use. It is a post-processor of beans only to be there before the {@code DataSource},
 * in whose making ShardingSphere reads its configuration.
 */
final class Application
        implements BeanPostProcessor,
                SmartInitializingSingleton,
                ApplicationListener<ContextClosedEvent>,
                DisposableBean {

    private static final List<Application> ALL = new CopyOnWriteArrayList<>();

    private final ConfigurableListableBeanFactory beans;
    private final IdGenerators generators;
    private final Set<String> needed = ConcurrentHashMap.newKeySet();
    private volatile boolean started;

    Application(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        generators = new IdGenerators(beans);
        ALL.add(this);
    }

    /** @throws IdMappingException if there is none */
    static Application newest() {
        Application newest = null;
        for (Application each : ALL) {
            newest = each;
        }
        if (newest == null) {
            throw new IdMappingException(
                    "Key generator '%s' has neither a 'worker-id' nor a 'url' to lease one at, and there is no Spring application context with a generator of Snowflake ids"
                            .formatted(Keys.TYPE),
                    """
                    Let it lease worker ids in a database that all processes share, in the configuration of ShardingSphere:

                    %s""".formatted(Settings.EXAMPLE));
        }
        return newest;
    }

    boolean isClosed() {
        return !ALL.contains(this);
    }

    /** Sees to it that a name that no generator has fails the start. */
    void needs(String generator) {
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
        generator(generator, "of key generator '" + Keys.TYPE + "'");
    }

    IdGenerator generator(String name, String attribute) {
        try {
            return generators.get(name, attribute);
        } catch (BeanCreationException notMade) {
            if (!notMade.contains(BeanCurrentlyInCreationException.class)) {
                throw notMade;
            }
            throw new IdMappingException(
                    "Attribute %s is to get ids before there is a generator: a script or a migration inserts rows without ids"
                            .formatted(attribute),
                    "Give these rows ids in the script, small numbers such as 1, 2, 3, which no generator makes.");
        } catch (IdMappingException unknown) {
            // Names are written otherwise here.
            throw new IdMappingException(
                    String.valueOf(unknown.getMessage()),
                    unknown.action().replaceAll("@SnowflakeId\\(\"(.*?)\"\\)", "generator: $1"));
        }
    }

    /**
     * Whoever uses the {@code DataSource} may insert rows until it is destroyed, and needs ids for them; the {@code DataSource} itself is
     * needed longer, where the worker id is given back to it.
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
