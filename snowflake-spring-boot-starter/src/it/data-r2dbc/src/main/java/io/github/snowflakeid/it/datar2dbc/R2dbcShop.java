package io.github.snowflakeid.it.datar2dbc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

@SpringBootApplication
public class R2dbcShop {

    /** Saves as many tickets as the property {@code tickets} says, eight at a time, and prints the ID of each saved ticket. */
    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(R2dbcShop.class, args)) {
            TicketRepository tickets = context.getBean(TicketRepository.class);
            Flux.range(0, context.getEnvironment().getProperty("tickets", Integer.class, 0))
                    .flatMap(seat -> tickets.save(new Ticket(null, "seat " + seat)), 8)
                    .doOnNext(ticket -> System.out.println("saved " + ticket.id()))
                    .blockLast();
        }
    }
}
