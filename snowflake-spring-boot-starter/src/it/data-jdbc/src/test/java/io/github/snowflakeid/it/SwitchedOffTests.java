package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.mapping.IdMappingException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;

class SwitchedOffTests {

    @Test
    void withoutAGeneratorARowWithoutIdIsNotSaved() {
        try (ConfigurableApplicationContext context = start(Shop.class)) {
            Tickets tickets = context.getBean(Tickets.class);
            context.getBean(JdbcAggregateTemplate.class).insert(new Ticket(4711L, "imported"));

            assertThatExceptionOfType(IdMappingException.class)
                    .isThrownBy(() -> tickets.save(new Ticket(null, "Hamlet")))
                    .withMessage(
                            "No Snowflake ids for attribute 'id' of io.github.snowflakeid.it.Ticket: there is no IdGenerator bean")
                    .satisfies(refused -> assertThat(refused.action()).isEqualTo("""
                            Let there be one:

                            snowflake.enabled: true

                            or set the attribute before the object is saved."""));
            assertThat(tickets.findAll()).extracting(Ticket::id).containsExactly(4711L);
        }
    }

    @Test
    void generatorOfTheApplicationIsAsked() {
        try (ConfigurableApplicationContext context = start(OwnGenerator.class)) {
            Ticket saved = context.getBean(Tickets.class).save(new Ticket(null, "Hamlet"));

            assertThat(saved.id()).isEqualTo(42);
        }
    }

    @Import(Shop.class)
    static class OwnGenerator {

        @Bean
        @Primary
        IdGenerator ids() {
            return () -> 42;
        }

        @Bean
        @Qualifier("tickets")
        IdGenerator ofTickets() {
            return () -> 43;
        }
    }

    private static ConfigurableApplicationContext start(Class<?> application) {
        return SpringApplication.run(
                application,
                "--snowflake.enabled=false",
                "--spring.datasource.url=jdbc:h2:mem:" + application.getSimpleName());
    }
}
