package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import reactor.core.publisher.Mono;

@SpringBootTest
class R2dbcCallbackTests {

    @Autowired
    private TicketRepository tickets;

    @Test
    void callbackOfTheApplicationSeesTheId() {
        Ticket saved = tickets.save(new Ticket(null, "Hamlet")).block();

        assertThat(saved.title()).isEqualTo("Hamlet " + saved.id());
        assertThat(tickets.findById(saved.id()).block()).isEqualTo(saved);
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Callbacks {

        @Bean
        BeforeConvertCallback<Ticket> appendsTheId() {
            return (ticket, table) -> Mono.just(new Ticket(ticket.id(), ticket.title() + " " + ticket.id()));
        }
    }
}
