package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

class DataJdbcShutdownTests {

    /** It has no generator injected, only the repository. */
    static final class Closing implements DisposableBean {

        private final DataJdbcTicketRepository tickets;
        private DataJdbcTicket saved;

        Closing(DataJdbcTicketRepository tickets) {
            this.tickets = tickets;
        }

        @Override
        public void destroy() {
            saved = tickets.save(new DataJdbcTicket(null, "last one"));
        }
    }

    @Import(DataJdbcShop.class)
    static class ClosingShop {

        @Bean
        Closing closing(DataJdbcTicketRepository tickets) {
            return new Closing(tickets);
        }
    }

    @Test
    void beanSavesRowsWhileItIsDestroyed() {
        Closing closing;
        SnowflakeIdGenerator generator;
        try (ConfigurableApplicationContext context = SpringApplication.run(ClosingShop.class)) {
            closing = context.getBean(Closing.class);
            generator = context.getBean(SnowflakeIdGenerator.class);
            assertThat(generator.lease()).isPresent();
        }

        assertThat(closing.saved.id()).isPositive();
        assertThat(generator.tryNextId()).isEmpty();
    }
}
