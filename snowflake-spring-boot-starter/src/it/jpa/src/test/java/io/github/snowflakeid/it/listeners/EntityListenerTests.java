package io.github.snowflakeid.it.listeners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import jakarta.annotation.PostConstruct;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PrePersist;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** Entity listeners with an injected generator. Spring creates them while Hibernate builds its factory. */
@ExtendWith(OutputCaptureExtension.class)
class EntityListenerTests {

    private static final String DEFERRED = "--spring.jpa.defer-datasource-initialization=true";

    private static final String REFUSED_SOON = "--snowflake.worker.lease.acquire-timeout=1s";

    private static final String ASKED_TOO_EARLY = """
            Description:

            No worker ID can be leased before bean 'entityManagerFactory' is created, but an entity listener, an attribute converter or another bean that 'entityManagerFactory' needs requires the generator.

            Action:

            Inject the generator lazily there:

            OrderListener(@Lazy IdGenerator ids) { ... }

            or, if worker IDs are leased late only because scripts run after Hibernate, run them before:

            spring.jpa.defer-datasource-initialization: false
            """;

    @Test
    void listenersHaveIds() {
        assertThat(numberOfASavedRow(Injected.class, "injected")).isPositive();
        assertThat(numberOfASavedRow(Wired.class, "wired")).isPositive();
    }

    @Test
    void listenersHaveIdsLazilyIfScriptsRunAfterHibernate() {
        assertThat(numberOfASavedRow(LazilyInjected.class, "lazy", DEFERRED)).isPositive();
    }

    @Test
    void listenerThatAsksTooEarlyIsToldTheWayOut(CapturedOutput output) {
        assertThatThrownBy(() -> start(Injected.class, "injected_early", DEFERRED))
                .isNotNull();

        assertThat(output).contains(ASKED_TOO_EARLY);
    }

    @Test
    void listenerThatSpringCreatesWithoutIdsIsReportedWithASolution(CapturedOutput output) {
        assertThatThrownBy(() -> start(Wired.class, "wired_early", DEFERRED)).isNotNull();

        assertThat(output).contains(ASKED_TOO_EARLY);
    }

    /** Spring would create them without their dependencies if there was no ID for them. */
    @Test
    void listenersHaveIdsAsSoonAsTheyAreCreatedHoweverLateTheLeaseIs() {
        assertThat(numberOfASavedRow(Counting.class, "counting", "--lease=late"))
                .isPositive();
    }

    @Test
    void leaseThatIsRejectedIsReportedIfListenersAreCreatedMeanwhile(CapturedOutput output) {
        assertThatThrownBy(() -> start(Counting.class, "counting_refused", "--lease=refused", REFUSED_SOON))
                .isNotNull();

        assertThat(output).contains("Start the store, and check that this process can reach it.");
    }

    @Test
    void leaseThatIsRejectedIsReportedIfHibernateFailsInTheBackground(CapturedOutput output) {
        assertThatThrownBy(() ->
                        start(Number.class, "background", "--lease=refused", REFUSED_SOON, "--hibernate=background"))
                .isNotNull();

        assertThat(output).contains("Start the store, and check that this process can reach it.");
    }

    private static long numberOfASavedRow(Class<? extends Row> type, String database, String... arguments) {
        try (ConfigurableApplicationContext context = start(type, database, arguments)) {
            EntityManager entities = context.getBean(EntityManagerFactory.class).createEntityManager();
            entities.getTransaction().begin();
            Row row = type.getDeclaredConstructor().newInstance();
            entities.persist(row);
            entities.getTransaction().commit();
            entities.close();
            return row.number();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static ConfigurableApplicationContext start(Class<?> entity, String database, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--spring.datasource.url=jdbc:h2:mem:" + database);
        all.add("--snowflake.worker.id=");
        all.add("--snowflake.clock.max-wait=100ms");
        all.add("--entity=" + entity.getName());
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(all.toArray(new String[0]));
    }

    @EnableAutoConfiguration
    static class Application {

        @Bean
        PersistenceManagedTypes types(Environment environment) {
            return PersistenceManagedTypes.of(environment.getRequiredProperty("entity"));
        }

        @Bean
        @ConditionalOnProperty("lease")
        WorkerRegistry registry(DataSource database, @Value("${lease}") String how) {
            WorkerRegistry registry =
                    new JdbcWorkerRegistry(database, "leases", "listeners").initializeSchema(InitializeSchema.ALWAYS);
            return (WorkerRegistry) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {WorkerRegistry.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("read")) {
                            Thread.sleep(500);
                            if (how.equals("refused")) {
                                throw new IllegalStateException("nobody there");
                            }
                        }
                        return method.invoke(registry, arguments);
                    });
        }

        @Bean
        @ConditionalOnProperty("hibernate")
        static BeanPostProcessor inTheBackground() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    if (bean instanceof AbstractEntityManagerFactoryBean factory) {
                        factory.setBootstrapExecutor(new SimpleAsyncTaskExecutor());
                    }
                    return bean;
                }
            };
        }
    }

    public interface Row {
        long number();
    }

    @Entity(name = "Injected")
    @EntityListeners(Injected.Listener.class)
    public static class Injected implements Row {
        @Id
        @SnowflakeId
        Long id;

        Long number;

        @Override
        public long number() {
            return number;
        }

        public static class Listener {
            private final IdGenerator ids;

            public Listener(IdGenerator ids) {
                this.ids = ids;
            }

            @PrePersist
            void fill(Injected row) {
                row.number = ids.nextId();
            }
        }
    }

    @Entity(name = "Lazily")
    @EntityListeners(LazilyInjected.Listener.class)
    public static class LazilyInjected implements Row {
        @Id
        @SnowflakeId
        Long id;

        Long number;

        @Override
        public long number() {
            return number;
        }

        public static class Listener {
            private final IdGenerator ids;

            public Listener(@Lazy IdGenerator ids) {
                this.ids = ids;
            }

            @PrePersist
            void fill(LazilyInjected row) {
                row.number = ids.nextId();
            }
        }
    }

    @Entity(name = "Wired")
    @EntityListeners(Wired.Listener.class)
    public static class Wired implements Row {
        @Id
        @SnowflakeId
        Long id;

        Long number;

        @Override
        public long number() {
            return number;
        }

        public static class Listener {
            @Autowired
            private IdGenerator ids;

            @PrePersist
            void fill(Wired row) {
                row.number = ids.nextId();
            }
        }
    }

    @Entity(name = "Counting")
    @EntityListeners(Counting.Listener.class)
    public static class Counting implements Row {
        @Id
        @SnowflakeId
        Long id;

        Long number;

        @Override
        public long number() {
            return number;
        }

        public static class Listener {
            @Autowired
            private IdGenerator ids;

            private long first;

            @PostConstruct
            void begin() {
                first = ids.nextId();
            }

            @PrePersist
            void fill(Counting row) {
                row.number = first + ids.nextId();
            }
        }
    }
}
