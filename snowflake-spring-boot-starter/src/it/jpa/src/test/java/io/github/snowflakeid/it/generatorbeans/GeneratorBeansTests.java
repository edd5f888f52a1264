package io.github.snowflakeid.it.generatorbeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

@ExtendWith(OutputCaptureExtension.class)
class GeneratorBeansTests {

    @Test
    void entitiesThatNeedIdsNeedAPrimaryGenerator(CapturedOutput output) {
        for (Class<?> entity : List.of(Annotated.class, Named.class)) {
            assertThatThrownBy(() -> start(entity, Application.class)).isNotNull();
        }

        assertThat(output.getOut().split("Description:")).hasSize(3);
        assertThat(output)
                .contains("No Snowflake ID for attribute 'id' of " + Annotated.class.getName() + ": there are 2")
                .contains("No Snowflake ID for attribute 'id' of " + Named.class.getName() + ": there are 2")
                .contains("""
                : there are 2 IdGenerator beans, and none of them is primary: 'orders', 'invoices'.

                Action:

                Mark the generator for entities as primary:

                @Bean
                @Primary
                IdGenerator ids() { ... }
                """);
    }

    @Test
    void entitiesGetIdsOfThePrimaryGenerator() {
        try (ConfigurableApplicationContext context = start(Annotated.class, Application.class, Main.class)) {
            Annotated row = new Annotated();
            save(context, row);

            assertThat(row.id).isEqualTo(3);
        }
    }

    @Test
    void applicationWhoseEntitiesNeedNoIdsStarts() {
        try (ConfigurableApplicationContext context = start(Unrelated.class, Application.class)) {
            Unrelated row = new Unrelated();
            save(context, row);

            assertThat(row.id).isNotNull();
        }
    }

    @Test
    void generatorThatNeedsTheFactoryIsCreatedLater() {
        try (ConfigurableApplicationContext context = start(Annotated.class, Types.class, FromEntities.class)) {
            Annotated row = new Annotated();
            save(context, row);

            assertThat(row.id).isEqualTo(5);
        }
    }

    @Test
    void entitiesNameBeansOfTheApplicationByQualifierOrBeanName() {
        try (ConfigurableApplicationContext context = start(ByName.class, Application.class, Main.class)) {
            ByName row = new ByName();
            save(context, row);

            assertThat(row.id).isEqualTo(3);
            assertThat(row.byQualifier).isEqualTo(3);
            assertThat(row.byBeanName).isEqualTo(2);
        }
    }

    @Test
    void generatorThatNeedsTheFactoryIsCreatedLaterByItsNameToo() {
        try (ConfigurableApplicationContext context =
                start(ByName.class, Types.class, Main.class, FromCustomers.class)) {
            ByName row = new ByName();
            save(context, row);

            assertThat(row.byBeanName).isEqualTo(7);
        }
    }

    @Test
    void unknownNameFailsStartupAndListsThoseThatExist(CapturedOutput output) {
        assertThatThrownBy(() -> start(Misspelled.class, Application.class, Main.class))
                .isNotNull();

        assertThat(output)
                .contains(
                        "Attribute 'id' of io.github.snowflakeid.it.generatorbeans.GeneratorBeansTests$Misspelled refers to generator 'oders', which does not exist; existing generators: 'invoices', 'main', 'orders', 'principal'.")
                .contains("snowflake.generators.oders.layout: default");
    }

    private static void save(ConfigurableApplicationContext context, Object row) {
        EntityManager entities = context.getBean(EntityManagerFactory.class).createEntityManager();
        entities.getTransaction().begin();
        entities.persist(row);
        entities.getTransaction().commit();
        entities.close();
    }

    private static ConfigurableApplicationContext start(Class<?> entity, Class<?>... sources) {
        return new SpringApplicationBuilder(sources)
                .web(WebApplicationType.NONE)
                .run("--entity=" + entity.getName());
    }

    @EnableAutoConfiguration
    static class Types {

        @Bean
        PersistenceManagedTypes types(Environment environment) {
            return PersistenceManagedTypes.of(environment.getRequiredProperty("entity"));
        }
    }

    static class Application extends Types {

        @Bean
        IdGenerator orders() {
            return () -> 1;
        }

        @Bean
        IdGenerator invoices() {
            return () -> 2;
        }
    }

    static class Main {

        @Bean
        @Primary
        @Qualifier("principal")
        IdGenerator main() {
            return () -> 3;
        }
    }

    static class FromEntities {

        @Bean
        IdGenerator counting(EntityManagerFactory factory) {
            return () -> {
                EntityManager entities = factory.createEntityManager();
                long rows = entities.createQuery("select count(*) from Annotated", Long.class)
                        .getSingleResult();
                entities.close();
                return 5 + rows;
            };
        }
    }

    @Entity(name = "Annotated")
    public static class Annotated {
        @Id
        @SnowflakeId
        Long id;
    }

    static class FromCustomers {

        @Bean
        IdGenerator invoices(EntityManagerFactory factory) {
            return () -> factory.isOpen() ? 7 : 8;
        }
    }

    @Entity(name = "ByName")
    public static class ByName {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId("principal")
        Long byQualifier;

        @SnowflakeId("invoices")
        Long byBeanName;
    }

    @Entity(name = "Misspelled")
    public static class Misspelled {
        @Id
        @SnowflakeId("oders")
        Long id;
    }

    @Entity(name = "Named")
    public static class Named {
        @Id
        @GeneratedValue(generator = "snowflake")
        Long id;
    }

    @Entity(name = "Unrelated")
    public static class Unrelated {
        @Id
        @GeneratedValue
        Long id;
    }
}
