package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

class JpaContextTests {

    @Test
    void twoContextsOfOneWorkerInOneJvmMakeDifferentIds() {
        try (ConfigurableApplicationContext one = start();
                ConfigurableApplicationContext other = start()) {
            Supplier<long[]> first = () -> one.getBean(IdGenerator.class).nextIds(200_000);
            Supplier<long[]> second = () -> other.getBean(IdGenerator.class).nextIds(200_000);
            CompletableFuture<long[]> concurrently = CompletableFuture.supplyAsync(second);

            List<Long> ids = new ArrayList<>();
            for (long id : first.get()) {
                ids.add(id);
            }
            for (long id : concurrently.join()) {
                ids.add(id);
            }
            ids.addAll(JpaShop.save(one.getBean(EntityManagerFactory.class), 10));
            ids.addAll(JpaShop.save(other.getBean(EntityManagerFactory.class), 10));

            assertThat(ids).hasSize(400_040).doesNotHaveDuplicates();
        }
    }

    @Test
    void entityManagerFactoriesThatTheApplicationDefinesShareTheGenerator() {
        try (ConfigurableApplicationContext context = start(TwoFactories.class)) {
            List<Long> ids = new ArrayList<>();
            for (EntityManagerFactory factory :
                    context.getBeansOfType(EntityManagerFactory.class).values()) {
                ids.addAll(JpaShop.save(factory, 10));
            }

            assertThat(ids).hasSize(40).doesNotHaveDuplicates().isSorted();
            assertThat(ids)
                    .allSatisfy(id -> assertThat(context.getBean(SnowflakeIdGenerator.class)
                                    .layout()
                                    .decode(id)
                                    .workerId())
                            .isEqualTo(7));
        }
    }

    @Test
    void childContextsHaveIdsOfTheirParent() {
        try (ConfigurableApplicationContext parent = new SpringApplicationBuilder(Counting.class)
                        .web(WebApplicationType.NONE)
                        .run();
                ConfigurableApplicationContext child = new SpringApplicationBuilder(JpaShop.class)
                        .parent(parent)
                        .web(WebApplicationType.NONE)
                        .run()) {
            assertThat(JpaShop.save(child.getBean(EntityManagerFactory.class), 1))
                    .containsExactly(1L, 2L);
        }
    }

    static class Counting {

        @Bean
        IdGenerator counting() {
            return new AtomicLong()::incrementAndGet;
        }
    }

    @Test
    void worksWhenScriptsRunAfterHibernate() {
        try (ConfigurableApplicationContext context = start(
                "spring.jpa.defer-datasource-initialization=true", "spring.sql.init.data-locations=deferred.sql")) {
            EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
            List<Long> ids = JpaShop.save(factory, 1);

            EntityManager entities = factory.createEntityManager();
            assertThat(entities.createQuery("select id from LongId order by id", Long.class)
                            .getResultList())
                    .containsExactly(1L, ids.get(0));
            entities.close();
        }
    }

    @Test
    void beansCanSaveEntitiesWhileTheyAreDestroyed() {
        ConfigurableApplicationContext context = start(SavesLate.class);
        SavesLate.Saver saver = context.getBean(SavesLate.Saver.class);
        SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);

        context.close();

        assertThat(saver.ids).hasSize(2);
        assertThatThrownBy(generator::nextId).hasMessage("No ID issued: the generator is closed");
    }

    private static ConfigurableApplicationContext start(String... properties) {
        return start(JpaShop.class, properties);
    }

    private static ConfigurableApplicationContext start(Class<?> source, String... properties) {
        return new SpringApplicationBuilder(JpaShop.class, source)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .run();
    }

    static class TwoFactories {

        @Bean
        @Primary
        LocalContainerEntityManagerFactoryBean entityManagerFactory() {
            return factory("orders");
        }

        @Bean
        LocalContainerEntityManagerFactoryBean archive() {
            return factory("archive");
        }

        private static LocalContainerEntityManagerFactoryBean factory(String name) {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(name));
            HibernateJpaVendorAdapter hibernate = new HibernateJpaVendorAdapter();
            hibernate.setGenerateDdl(true);
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setPersistenceUnitName(name);
            factory.setDataSource(database);
            factory.setJpaVendorAdapter(hibernate);
            factory.setPackagesToScan(JpaEntities.class.getPackageName());
            return factory;
        }
    }

    static class SavesLate {

        @Bean(destroyMethod = "save")
        Saver saver(EntityManagerFactory factory) {
            return new Saver(factory);
        }

        static class Saver {
            private final EntityManagerFactory factory;
            private List<Long> ids = List.of();

            Saver(EntityManagerFactory factory) {
                this.factory = factory;
            }

            void save() {
                ids = JpaShop.save(factory, 1);
            }
        }
    }
}
