package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.autoconfigure.SegmentProperties.Store;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.store.Causes;
import io.github.snowflakeid.store.SegmentSettings;
import io.github.snowflakeid.store.SegmentStores;
import io.github.snowflakeid.store.StoreException;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The beans of generators of kind {@code segment}. Nothing of this is loaded where there are none. */
@ImportRuntimeHints(SegmentGenerators.Hints.class)
final class SegmentGenerators {

    private static final String DATABASE = "io.github.snowflakeid.jdbc.JdbcSegmentStores";
    private static final String REDIS = "io.github.snowflakeid.redis.RedisSegmentStores";

    private static final String SAME =
            "Use the stores and the start that other processes use for this counter, in the same order";

    private SegmentGenerators() {}

    /** The stores of one generator. A bean of its own, since it comes after the initialization of databases. */
    record Opened(List<SegmentStore> stores) {

        Opened {
            stores = List.copyOf(stores);
        }
    }

    /**
     * Registers what a generator needs.
     *
     * @return the generator, to be registered
     */
    static RootBeanDefinition register(
            GeneratorName generator, BeanDefinitionRegistry registry, @Nullable ClassLoader libraries) {
        if (ClassUtils.isPresent("javax.sql.DataSource", libraries)) {
            registerKind(Store.JDBC, DATABASE, registry);
        }
        if (ClassUtils.isPresent("org.springframework.data.redis.connection.RedisConnectionFactory", libraries)) {
            registerKind(Store.REDIS, REDIS, registry);
        }
        RootBeanDefinition stores = madeBy("stores", Opened.class, generator);
        stores.setDefaultCandidate(false);
        registry.registerBeanDefinition(generator.prefix() + SegmentStores.OF_GENERATOR, stores);
        return madeBy("generator", SegmentIdGenerator.class, generator);
    }

    private static void registerKind(Store kind, String stores, BeanDefinitionRegistry registry) {
        String name = SegmentStores.BEAN + kind.value();
        if (!registry.containsBeanDefinition(name)) {
            RootBeanDefinition definition = new RootBeanDefinition();
            definition.setBeanClassName(stores);
            definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
            definition.setLazyInit(true);
            registry.registerBeanDefinition(name, definition);
        }
    }

    private static RootBeanDefinition madeBy(String method, Class<?> type, GeneratorName generator) {
        RootBeanDefinition definition = new RootBeanDefinition(SegmentGenerators.class);
        definition.setTargetType(type);
        definition.setFactoryMethodName(method);
        definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, generator.name());
        definition.setLazyInit(false);
        definition.setDestroyMethodName("");
        return definition;
    }

    /** A factory method. */
    static Opened stores(String name, ObjectProvider<SegmentStore> ofApplication, GeneratorLifecycle lifecycle) {
        GeneratorName generator = new GeneratorName(name);
        Environment environment = lifecycle.context().getEnvironment();
        ConfigurableListableBeanFactory beans = lifecycle.context().getBeanFactory();
        try {
            Store kind = SegmentProperties.of(generator, environment).getStore();
            SegmentStore qualified =
                    kind == null ? NamedGenerators.qualified(SegmentStore.class, generator, beans) : null;
            List<SegmentStore> own = qualified != null
                    ? List.of(qualified)
                    : kind == null ? ofApplication.orderedStream().toList() : List.of();
            if (!own.isEmpty()) {
                own.forEach(store -> GeneratorLifecycle.endsBefore(store, SegmentStore.class, beans));
                return new Opened(own);
            }
            List<SegmentStore> opened = beans.getBean(bean(kind, generator, environment, beans), SegmentStores.class)
                    .open(new Settings(generator, environment, beans));
            opened.forEach(lifecycle::closesAfterGenerators);
            return new Opened(opened);
        } catch (StoreException inTheWay) {
            throw explain(
                    new StartupFailure(
                            inTheWay.getMessage() + ".",
                            inTheWay.action().orElse("Correct the configuration."),
                            inTheWay),
                    generator,
                    environment);
        } catch (StartupFailure failure) {
            throw explain(failure, generator, environment);
        }
    }

    private static String bean(
            @Nullable Store asked,
            GeneratorName generator,
            Environment environment,
            ConfigurableListableBeanFactory beans) {
        if (asked == null && !hasDatabase(generator, environment, beans)) {
            throw new StartupFailure(
                    "Generator '%s' is of kind 'segment', but there is neither a DataSource nor a url of a database, and no SegmentStore bean."
                            .formatted(generator.isNamed() ? generator.name() : "default"),
                    """
                    Add the driver of your database, and set where it is:

                    snowflake.segment.jdbc.url: jdbc:postgresql://localhost/shop

                    or keep the counter in Redis, with Spring Data Redis on the class path:

                    snowflake.segment.store: redis""");
        }
        Store kind = asked == null ? Store.JDBC : asked;
        String bean = SegmentStores.BEAN + kind.value();
        if (!beans.containsBean(bean)) {
            throw new StartupFailure(
                    "Property 'snowflake.segment.store' is 'redis', but Spring Data Redis is not on the class path.",
                    "Add it:\n\n" + SnowflakeProperties.Strategy.REDIS.dependency()
                            + "\n\nor keep the counter in a database:\n\nsnowflake.segment.store: jdbc");
        }
        return bean;
    }

    private static boolean hasDatabase(
            GeneratorName generator, Environment environment, ConfigurableListableBeanFactory beans) {
        if (!beans.containsBean(SegmentStores.BEAN + Store.JDBC.value())) {
            return false;
        }
        for (String property : List.of("snowflake.segment.jdbc.url", "snowflake.segment.jdbc.url[0]")) {
            if (!LeaseStores.inherited(property, generator, environment).isBlank()) {
                return true;
            }
        }
        return LeaseStores.hasDataSource(beans);
    }

    /** A factory method. */
    static SegmentIdGenerator generator(String name, GeneratorLifecycle lifecycle) {
        GeneratorName generator = new GeneratorName(name);
        Environment environment = lifecycle.context().getEnvironment();
        try {
            SegmentProperties properties = SegmentProperties.of(generator, environment);
            List<SegmentStore> stores = lifecycle
                    .context()
                    .getBeanFactory()
                    .getBean(generator.prefix() + SegmentStores.OF_GENERATOR, Opened.class)
                    .stores();
            SegmentIdGenerator made = build(properties, stores, generator.label(several(environment)));
            return lifecycle.endsSegments(made);
        } catch (StartupFailure failure) {
            throw explain(failure, generator, environment);
        }
    }

    private static boolean several(Environment environment) {
        return !GeneratorNames.in(environment).isEmpty();
    }

    private static StartupFailure explain(StartupFailure failure, GeneratorName generator, Environment environment) {
        return generator.explain(failure, several(environment));
    }

    private static SegmentIdGenerator build(SegmentProperties properties, List<SegmentStore> stores, String label) {
        String counter = Objects.requireNonNull(properties.getName());
        try {
            SegmentIdGenerator made = SegmentIdGenerator.builder()
                    .name(counter)
                    .stores(stores)
                    .start(properties.getStart())
                    .end(properties.getEnd())
                    .minStep(properties.getMinStep())
                    .maxStep(properties.getMaxStep())
                    .lasting(properties.getLasting())
                    .maxWait(properties.getMaxWait())
                    .listener(new SegmentLog(counter, label, Clock.systemUTC()))
                    .build();
            StringBuilder from = new StringBuilder();
            stores.forEach(store -> from.append(from.isEmpty() ? "" : ", ").append(store.description()));
            LogFactory.getLog(SegmentIdGenerator.class)
                    .info("%sNumbers of counter '%s' from %d to %d, in segments of %d to %d, from %s"
                            .formatted(
                                    label,
                                    counter,
                                    properties.getStart(),
                                    properties.getEnd(),
                                    properties.getMinStep(),
                                    properties.getMaxStep(),
                                    from));
            return made;
        } catch (NumbersUnavailableException none) {
            throw new StartupFailure(none.getMessage() + ".", whatToDo(none, properties, stores), none);
        } catch (IllegalArgumentException invalid) {
            throw new StartupFailure(
                    "Invalid 'snowflake.segment': " + invalid.getMessage() + ".",
                    "Correct what is set below 'snowflake.segment'.",
                    invalid);
        }
    }

    private static String whatToDo(
            NumbersUnavailableException none, SegmentProperties properties, List<SegmentStore> stores) {
        for (Throwable cause : Causes.of(none)) {
            if (cause instanceof StoreException store && store.action().isPresent()) {
                return store.action().get();
            }
        }
        return switch (none.reason()) {
            case STORE_UNREACHABLE ->
                "Start the store that the counter is kept in, and check that this process can reach it.";
            case STORE_UNUSABLE -> "Mend the store that the counter is kept in.";
            case EXHAUSTED -> """
                    Where the column holds more, let the numbers go on:

                    snowflake.segment.end: %d

                    or, if nothing keeps the old numbers any more, begin again with another counter:

                    snowflake.segment.name: %s2""".formatted(Long.MAX_VALUE, properties.getName());
            case COUNTER_MISMATCH -> agreement(properties, stores);
            case COUNTER_MOVED_BACK -> "Set the counter in the store beyond the highest number that any row has.";
        };
    }

    /** What makes this process agree with the others, as far as the stores say. */
    private static String agreement(SegmentProperties properties, List<SegmentStore> stores) {
        String counter = Objects.requireNonNull(properties.getName());
        String agreement = SAME + ",\n";
        try {
            Set<SegmentStore.Counter> counters = new HashSet<>();
            for (int i = 0; i < stores.size(); i++) {
                SegmentStore store = stores.get(i);
                SegmentStore.Counter there = store.read(counter);
                if (there != null && !counters.add(there)) {
                    return "Two of the stores are one, %s: name each store once.".formatted(store.description());
                }
                agreement = there == null
                        ? agreement
                        : agreementWith(there, store, i, properties.getStart(), stores.size(), agreement);
            }
        } catch (RuntimeException unreachable) {
            // Less can be said then.
        }
        return """
                %sor take another counter:

                snowflake.segment.name: %s2""".formatted(agreement, counter);
    }

    private static String agreementWith(
            SegmentStore.Counter there, SegmentStore store, int index, long start, int increment, String otherwise) {
        if (there.increment() != increment) {
            return otherwise;
        }
        long beyond = (there.last() - there.start()) % increment;
        if (there.start() == start + index) {
            return beyond == 0
                    ? otherwise
                    : "Set the counter in %s to %d; add %d to that until it is beyond the highest number that any row has;\n"
                            .formatted(store.description(), there.last() + increment - beyond, increment);
        }
        boolean isOfAnotherStore = start <= there.start() && there.start() < start + increment;
        return isOfAnotherStore
                ? otherwise
                : "%s:\n\nsnowflake.segment.start: %d\n\n".formatted(SAME, there.start() - index);
    }

    /** What the properties tell the stores of a generator. */
    private record Settings(GeneratorName generator, Environment environment, ConfigurableListableBeanFactory beans)
            implements SegmentSettings {

        @Override
        public <T> T properties(String group, T defaults) {
            SegmentProperties.bind("snowflake.segment." + group, defaults, environment);
            if (generator.isNamed()) {
                SegmentProperties.bind(generator.property("snowflake.segment." + group), defaults, environment);
            }
            return defaults;
        }

        @Override
        public <T> T own(String group, T defaults) {
            SegmentProperties.bind(generator.property("snowflake.segment." + group), defaults, environment);
            return defaults;
        }

        @Override
        public <T> void endBefore(T bean, Class<T> type) {
            GeneratorLifecycle.endsBefore(bean, type, beans);
        }
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(SegmentProperties.class).registerHints(hints);
        }
    }
}
