package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;

class DataJdbcDisabledTests {

    @Test
    void withoutAGeneratorARowWithoutIdIsNotSaved() {
        try (ConfigurableApplicationContext context = start(DataJdbcShop.class)) {
            DataJdbcTicketRepository tickets = context.getBean(DataJdbcTicketRepository.class);
            context.getBean(JdbcAggregateTemplate.class).insert(new DataJdbcTicket(4711L, "imported"));

            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> tickets.save(new DataJdbcTicket(null, "Hamlet")))
                    .withMessage(
                            "No Snowflake ID for attribute 'id' of io.github.snowflakeid.it.datajdbc.DataJdbcTicket: there is no IdGenerator bean")
                    .satisfies(refused ->
                            assertThat(refused.action().orElseThrow()).isEqualTo("""
                            Enable the generator:

                            snowflake.enabled: true

                            or set the attribute before the object is saved."""));
            assertThat(tickets.findAll()).extracting(DataJdbcTicket::id).containsExactly(4711L);
        }
    }

    @Test
    void generatorOfTheApplicationIsAsked() {
        try (ConfigurableApplicationContext context = start(OwnGenerator.class)) {
            DataJdbcTicket saved =
                    context.getBean(DataJdbcTicketRepository.class).save(new DataJdbcTicket(null, "Hamlet"));

            assertThat(saved.id()).isEqualTo(42);
        }
    }

    @Import(DataJdbcShop.class)
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
