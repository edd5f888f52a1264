package io.github.snowflakeid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.internal.failure.Problem;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

class EntityManagerFactoryIdsTests {

    private static final String GENERATOR = "snowflake.generators.default";

    private static final IdGenerator IDS = () -> 1;

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    EntityManagerFactoryIdsTests() {
        beans.setAllowCircularReferences(false);
        beans.addBeanPostProcessor(new EntityManagerFactoryIds(beans));
    }

    @Test
    void generatorOfTheStarterIsCreatedWhenTheFirstIdIsNeeded() {
        factory("first", () -> {});
        beans.registerBeanDefinition(
                GENERATOR,
                BeanDefinitionBuilder.genericBeanDefinition(IdGenerator.class, () -> IDS)
                        .getBeanDefinition());

        Factory first = beans.getBean("&first", Factory.class);

        assertThat(beans.containsSingleton(GENERATOR)).isFalse();
        assertThat(generator(first, SnowflakeSettings.ID_GENERATOR)).isSameAs(IDS);
        assertThat(beans.containsSingleton(GENERATOR)).isTrue();
    }

    @Test
    void generatorOfTheApplicationIsDestroyedAfterTheFactoryAlthoughItIsDefinedLater() {
        List<String> destroyed = new ArrayList<>();
        factory("first", () -> {}, () -> destroyed.add("factory"));
        beans.registerBeanDefinition(
                "ids",
                BeanDefinitionBuilder.genericBeanDefinition(Closeable.class, () -> new Closeable(destroyed))
                        .setDestroyMethodName("close")
                        .getBeanDefinition());

        beans.getBean("&first");
        beans.getBean("ids");
        beans.destroySingletons();

        assertThat(destroyed).containsExactly("factory", "generator");
    }

    @Test
    void generatorThatNeedsTheFactoryIsNotCreatedWhileThatIsCreatedNorIsAnotherFactoryToBlame() {
        factory("first", () -> beans.getBean("ofFirst"));
        // Its unnamed generator is another one.
        factory("second", () -> {})
                .getPropertyValues()
                .add("jpaPropertyMap", Map.of(SnowflakeSettings.ID_GENERATOR, IDS));
        generator("ofFirst", "first").setPrimary(true);
        // Its creation creates the second factory while the first one is created.
        generator("ofSecond", "second");

        assertThatThrownBy(() -> beans.getBean("first"))
                .rootCause()
                .isInstanceOfSatisfying(
                        BeanCurrentlyInCreationException.class,
                        e -> assertThat(e.getBeanName()).isEqualTo("first"));
    }

    @Test
    void factoryIsRejectedIfAListenerWasCreatedWithoutAGeneratorThatNeedsTheFactory() {
        factory("first", () -> catchThrowable(() -> beans.getBean("ids")));
        generator("ids", "first");

        assertThatThrownBy(() -> beans.getBean("first")).hasRootCauseInstanceOf(BeanCurrentlyInCreationException.class);
    }

    @Test
    void factoryIsRejectedIfAListenerWasCreatedWithoutAGeneratorThatCannotLease() {
        FailingRegistry registry = new FailingRegistry();
        registry.before(call -> {
            throw Problem.STORE_LOCKED.exception("no answer", "").unusable();
        });
        factory("first", () -> catchThrowable(() -> beans.getBean(GENERATOR)));
        leasing(registry);

        assertThatThrownBy(() -> beans.getBean("first")).hasRootCauseMessage("no answer");
    }

    @Test
    void factoryThatIsCreatedMeanwhileUsesAGeneratorThatIsCreatedLater() {
        factory("first", () -> {});
        factory("second", () -> {});
        generator("ofFirst", "first").setPrimary(true);
        // Its creation creates the second factory while the first one is created.
        generator("ofSecond", "second");

        beans.getBean("first");

        assertThat(nextId("second", SnowflakeSettings.ID_GENERATOR)).isEqualTo(1);
    }

    @Test
    void generatorThatWrapsALaterOneIsCreatedLaterToo() {
        factory("first", () -> {});
        generator("ids", "first").setPrimary(true);
        // It needs the other generator, which is requested first.
        beans.registerBeanDefinition(
                "wrapping",
                BeanDefinitionBuilder.genericBeanDefinition(Wrapping.class)
                        .addConstructorArgReference("ids")
                        .getBeanDefinition());

        assertThat(nextId("first", SnowflakeSettings.idGenerator("wrapping"))).isEqualTo(2);
    }

    @Test
    void generatorIsCreatedLaterIfTheBeanThatDefinesItNeedsTheFactory() {
        factory("first", () -> {});
        definedByABeanThatNeeds("first", "ids");

        assertThat(nextId("first", SnowflakeSettings.ID_GENERATOR)).isEqualTo(1);
    }

    @Test
    void generatorOfANameIsCreatedLaterIfTheBeanThatDefinesItNeedsTheFactory() {
        factory("first", () -> {});
        definedByABeanThatNeeds("first", "ids");
        beans.registerSingleton("other", IDS);
        beans.getBeanDefinition("ids").setPrimary(true);

        assertThat(nextId("first", SnowflakeSettings.idGenerator("ids"))).isEqualTo(1);
    }

    @Test
    void generatorThatIsDeclaredToDependOnTheFactoryIsCreatedLater() {
        factory("first", () -> {});
        beans.registerBeanDefinition(
                "ids",
                BeanDefinitionBuilder.genericBeanDefinition(IdGenerator.class, () -> IDS)
                        .addDependsOn("first")
                        .getBeanDefinition());

        assertThat(nextId("first", SnowflakeSettings.ID_GENERATOR)).isEqualTo(1);
    }

    @Test
    void factoryIsCreatedAtTheSecondAttemptIfNothingRequestsTheGeneratorThen() {
        AtomicInteger attempts = new AtomicInteger();
        factory("failing", () -> {
            if (attempts.incrementAndGet() == 1) {
                assertThatThrownBy(() -> beans.getBean("ids"))
                        .hasRootCauseInstanceOf(BeanCurrentlyInCreationException.class);
                throw new IllegalStateException("no database");
            }
        });
        generator("ids", "failing");
        assertThatThrownBy(() -> beans.getBean("failing")).hasRootCauseMessage("no database");

        assertThat(beans.getBean("&failing")).isInstanceOf(Factory.class);
    }

    @Test
    void nextFactoryIsCreatedAlthoughAGeneratorWasRequestedTooEarlyByOneThatFailed() {
        factory("failing", () -> {
            assertThatThrownBy(() -> beans.getBean("ids"))
                    .hasRootCauseInstanceOf(BeanCurrentlyInCreationException.class);
            throw new IllegalStateException("no database");
        });
        generator("ids", "failing");
        assertThatThrownBy(() -> beans.getBean("failing")).hasRootCauseMessage("no database");
        factory("next", () -> {});

        beans.removeBeanDefinition("ids");
        beans.registerSingleton("ids", IDS);

        assertThat(generator(beans.getBean("&next", Factory.class), SnowflakeSettings.ID_GENERATOR))
                .isSameAs(IDS);
    }

    @Test
    void factoryGetsTheGeneratorItselfIfTheFactoryThatItNeedsExists() {
        factory("first", () -> {});
        factory("second", () -> {});
        generator("ids", "first");
        beans.getBean("first");

        Factory second = beans.getBean("&second", Factory.class);

        assertThat(generator(second, SnowflakeSettings.idGenerator("ids"))).isSameAs(beans.getBean("ids"));
    }

    private void leasing(FailingRegistry registry) {
        LeaseTerms terms = LeaseTerms.of(registry).withAcquireTimeout(Duration.ofMinutes(1));
        beans.registerBeanDefinition(
                GENERATOR,
                BeanDefinitionBuilder.genericBeanDefinition(
                                SnowflakeIdGenerator.class,
                                () -> SnowflakeIdGenerator.builder()
                                        .lease(terms)
                                        .build())
                        .setDestroyMethodName("close")
                        .getBeanDefinition());
    }

    @SuppressWarnings("unchecked")
    private static IdGenerator generator(Factory factory, String setting) {
        Function<String, Supplier<IdGenerator>> needed = (Function<String, Supplier<IdGenerator>>)
                Objects.requireNonNull(factory.getJpaPropertyMap().get(setting));
        return needed.apply("attribute").get();
    }

    /** Returns an ID of the generator in a setting of a factory. */
    private long nextId(String factory, String setting) {
        return generator(beans.getBean("&" + factory, Factory.class), setting).nextId();
    }

    private BeanDefinition factory(String name, Runnable whileMade) {
        return factory(name, whileMade, () -> {});
    }

    private BeanDefinition factory(String name, Runnable whileMade, Runnable whileDestroyed) {
        BeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition(
                        Factory.class, () -> new Factory(whileMade, whileDestroyed))
                .getBeanDefinition();
        beans.registerBeanDefinition(name, definition);
        return definition;
    }

    private BeanDefinition generator(String name, String factory) {
        BeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition(NeedsAFactory.class)
                .addConstructorArgReference(factory)
                .getBeanDefinition();
        beans.registerBeanDefinition(name, definition);
        return definition;
    }

    private void definedByABeanThatNeeds(String factory, String generator) {
        beans.registerBeanDefinition(
                "configuration",
                BeanDefinitionBuilder.genericBeanDefinition(Configuration.class)
                        .addConstructorArgReference(factory)
                        .getBeanDefinition());
        beans.registerBeanDefinition(
                generator,
                BeanDefinitionBuilder.genericBeanDefinition()
                        .setFactoryMethodOnBean("ids", "configuration")
                        .getBeanDefinition());
    }

    static final class Configuration {

        Configuration(@Nullable EntityManagerFactory factory) {}

        public IdGenerator ids() {
            return IDS;
        }
    }

    static final class Wrapping implements IdGenerator {
        private final IdGenerator ids;

        Wrapping(IdGenerator ids) {
            this.ids = ids;
        }

        @Override
        public long nextId() {
            return ids.nextId() + 1;
        }
    }

    static final class NeedsAFactory implements IdGenerator {

        NeedsAFactory(@Nullable EntityManagerFactory factory) {}

        @Override
        public long nextId() {
            return 1;
        }
    }

    record Closeable(List<String> destroyed) implements IdGenerator {

        @Override
        public long nextId() {
            return 1;
        }

        public void close() {
            destroyed.add("generator");
        }
    }

    /** Creates no factory: only the order of creation matters. */
    @SuppressWarnings("serial")
    private static final class Factory extends AbstractEntityManagerFactoryBean {
        private final transient Runnable whileMade;
        private final transient Runnable whileDestroyed;

        Factory(Runnable whileMade, Runnable whileDestroyed) {
            this.whileMade = whileMade;
            this.whileDestroyed = whileDestroyed;
        }

        @Override
        public void afterPropertiesSet() {
            whileMade.run();
        }

        @Override
        protected EntityManagerFactory createNativeEntityManagerFactory() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void destroy() {
            whileDestroyed.run();
        }
    }
}
