package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.hibernate.SnowflakeSettings;
import io.github.snowflakeid.mapping.IdGenerators;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerRegistry;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

class EntityManagerFactoryIdsTests {

    private static final IdGenerator IDS = () -> 1;

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    EntityManagerFactoryIdsTests() {
        beans.setAllowCircularReferences(false);
        beans.addBeanPostProcessor(new EntityManagerFactoryIds(beans));
    }

    @Test
    void generatorThatIsAskedForTooEarlyIsToldWhereAnotherFactoryIsMadeMeanwhile() {
        factory("first", () -> beans.getBean("ofFirst"));
        // It has ids of its own where no name is given.
        factory("second", () -> {})
                .getPropertyValues()
                .add("jpaPropertyMap", Map.of(SnowflakeSettings.ID_GENERATOR, IDS));
        generator("ofFirst", "first").setPrimary(true);
        // It makes the second factory while the first one is made.
        generator("ofSecond", "second");

        assertThatThrownBy(() -> beans.getBean("first"))
                .hasRootCauseInstanceOf(StartupFailure.class)
                .rootCause()
                .hasMessageStartingWith(
                        "IdGenerator 'ofFirst' is made after EntityManagerFactory 'first', which it needs, but");
    }

    @Test
    void generatorThatIsAskedForTooEarlyIsToldWhereAnotherFactoryHasFailedBefore() {
        factory("failing", () -> {
            throw new IllegalStateException("no database");
        });
        generator("ids", "failing");
        assertThatThrownBy(() -> beans.getBean("failing")).hasRootCauseMessage("no database");
        factory("next", () -> beans.getBean("ids"));
        generator("ids", "next");

        assertThatThrownBy(() -> beans.getBean("next"))
                .hasRootCauseInstanceOf(StartupFailure.class)
                .rootCause()
                .hasMessageStartingWith(
                        "IdGenerator 'ids' is made after EntityManagerFactory 'next', which it needs, but");
    }

    @Test
    void factoryThatIsMadeMeanwhileTakesIdsOfAGeneratorThatIsMadeLater() {
        factory("first", () -> {});
        factory("second", () -> {});
        generator("ofFirst", "first").setPrimary(true);
        // It makes the second factory while the first one is made.
        generator("ofSecond", "second");

        beans.getBean("first");

        assertThat(nextId("second", SnowflakeSettings.ID_GENERATOR)).isEqualTo(1);
    }

    @Test
    void generatorThatWrapsOneThatIsMadeLaterIsMadeLaterToo() {
        factory("first", () -> {});
        generator("ids", "first").setPrimary(true);
        // It needs the other generator, which is asked for first.
        beans.registerBeanDefinition(
                "wrapping",
                BeanDefinitionBuilder.genericBeanDefinition(Wrapping.class)
                        .addConstructorArgReference("ids")
                        .getBeanDefinition());

        assertThat(nextId("first", SnowflakeSettings.idGenerator("wrapping"))).isEqualTo(2);
    }

    @Test
    void generatorIsMadeLaterWhereTheBeanThatDefinesItNeedsTheFactory() {
        factory("first", () -> {});
        definedByABeanThatNeeds("first", "ids");

        assertThat(nextId("first", SnowflakeSettings.ID_GENERATOR)).isEqualTo(1);
    }

    @Test
    void generatorOfANameIsMadeLaterWhereTheBeanThatDefinesItNeedsTheFactory() {
        factory("first", () -> {});
        definedByABeanThatNeeds("first", "ids");
        beans.registerSingleton("other", IDS);
        beans.getBeanDefinition("ids").setPrimary(true);

        assertThat(nextId("first", SnowflakeSettings.idGenerator("ids"))).isEqualTo(1);
    }

    @Test
    void generatorThatIsDeclaredToDependOnTheFactoryIsMadeLater() {
        factory("first", () -> {});
        beans.registerBeanDefinition(
                "ids",
                BeanDefinitionBuilder.genericBeanDefinition(IdGenerator.class, () -> IDS)
                        .addDependsOn("first")
                        .getBeanDefinition());

        assertThat(nextId("first", SnowflakeSettings.ID_GENERATOR)).isEqualTo(1);
    }

    @Test
    void factoryThatIsMadeAgainIsNotToldWhatItWasRefusedBefore() {
        AtomicInteger attempts = new AtomicInteger();
        factory("failing", () -> {
            if (attempts.incrementAndGet() == 1) {
                assertThatThrownBy(() -> beans.getBean("ids")).hasRootCauseInstanceOf(StartupFailure.class);
                throw new IllegalStateException("no database");
            }
        });
        generator("ids", "failing");
        assertThatThrownBy(() -> beans.getBean("failing")).hasRootCauseMessage("no database");

        assertThat(beans.getBean("&failing")).isInstanceOf(Factory.class);
    }

    @Test
    void nextFactoryIsNotToldWhatOneThatFailedWasRefused() {
        factory("failing", () -> {
            assertThatThrownBy(() -> beans.getBean("ids")).hasRootCauseInstanceOf(StartupFailure.class);
            throw new IllegalStateException("no database");
        });
        generator("ids", "failing");
        assertThatThrownBy(() -> beans.getBean("failing")).hasRootCauseMessage("no database");
        factory("next", () -> {});

        beans.removeBeanDefinition("ids");
        beans.registerSingleton("ids", IDS);

        assertThat(beans.getBean("&next", Factory.class).getJpaPropertyMap())
                .containsEntry(SnowflakeSettings.ID_GENERATOR, IDS);
    }

    @Test
    void factoryHasTheGeneratorItselfWhereTheOneThatItNeedsIsMade() {
        factory("first", () -> {});
        factory("second", () -> {});
        generator("ids", "first");
        beans.getBean("first");

        Factory second = beans.getBean("&second", Factory.class);

        assertThat(second.getJpaPropertyMap())
                .containsEntry(SnowflakeSettings.idGenerator("ids"), beans.getBean("ids"));
    }

    @Test
    void factoryIsNotMadeWhereOneThatWasMadeMeanwhileFailedForWantOfAGenerator() {
        FailingRegistry registry = new FailingRegistry();
        registry.fail(true);
        generatorOpenedInTheBackground(registry);
        // As Hibernate goes on without a listener that cannot be made.
        factory("first", () -> assertThatThrownBy(() -> beans.getBean("second")).hasRootCauseMessage("no answer"));
        factory("second", () -> {});

        assertThatThrownBy(() -> beans.getBean("first")).hasRootCauseMessage("no answer");
    }

    @Test
    void beanThatTheRegistryNeedsIsMadeWhileTheFactoryWaitsForTheLease() {
        FailingRegistry registry = new FailingRegistry();
        CountDownLatch waits = new CountDownLatch(1);
        registry.before(call -> {
            waits.await();
            beans.getBean("neededFirstByTheRegistry");
        });
        beans.registerBeanDefinition(
                "neededFirstByTheRegistry",
                BeanDefinitionBuilder.genericBeanDefinition(StringBuilder.class)
                        .setScope(BeanDefinition.SCOPE_PROTOTYPE)
                        .getBeanDefinition());
        generatorOpenedInTheBackground(registry);
        factory("first", waits::countDown);

        beans.getBean("&first");

        try (SnowflakeIdGenerator ids = beans.getBean(SnowflakeIdGenerator.class)) {
            assertThat(ids.lease().orElseThrow().state()).isEqualTo(WorkerLease.State.HELD);
        }
    }

    private void generatorOpenedInTheBackground(FailingRegistry registry) {
        GeneratorLifecycle lifecycle = new GeneratorLifecycle(
                new GenericApplicationContext(beans),
                beans.getBeanProvider(WorkerRegistry.class),
                beans.getBeanProvider(IdLayout.class));
        beans.registerSingleton(IdGenerators.LIFECYCLE, lifecycle);
        beans.registerBeanDefinition(
                "ids",
                BeanDefinitionBuilder.genericBeanDefinition(SnowflakeIdGenerator.class, () -> {
                            SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                                    .lease(LeaseTerms.of(registry).shared(false).acquireTimeout(Duration.ofSeconds(2)))
                                    .start();
                            lifecycle.opens(new ConfiguredGenerator(
                                    generator,
                                    new SnowflakeProperties(),
                                    Duration.ZERO,
                                    Duration.ZERO,
                                    registry,
                                    Instant.EPOCH));
                            return generator;
                        })
                        .getBeanDefinition());
    }

    /** Of the generator that a factory was given in a setting. */
    private long nextId(String factory, String setting) {
        Map<String, Object> settings =
                beans.getBean("&" + factory, Factory.class).getJpaPropertyMap();
        return ((IdGenerator) settings.get(setting)).nextId();
    }

    private BeanDefinition factory(String name, Runnable whileMade) {
        BeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition(
                        Factory.class, () -> new Factory(whileMade))
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

    /** Makes none: all that counts is when it would. */
    @SuppressWarnings("serial")
    private static final class Factory extends AbstractEntityManagerFactoryBean {
        private final transient Runnable whileMade;

        Factory(Runnable whileMade) {
            this.whileMade = whileMade;
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
            // There is nothing to close.
        }
    }
}
