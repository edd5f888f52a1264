package io.github.snowflakeid.it;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

@SpringBootApplication
public class Shop {

    /** Saves as many tickets as the property {@code tickets} says, eight at a time, and prints the id of each that is saved. */
    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
            Tickets tickets = context.getBean(Tickets.class);
            Flux.range(0, context.getEnvironment().getProperty("tickets", Integer.class, 0))
                    .flatMap(seat -> tickets.save(new Ticket(null, "seat " + seat)), 8)
                    .doOnNext(ticket -> System.out.println("saved " + ticket.id()))
                    .blockLast();
        }
    }
}
