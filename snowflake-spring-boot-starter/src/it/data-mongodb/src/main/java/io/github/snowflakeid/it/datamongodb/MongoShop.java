package io.github.snowflakeid.it.datamongodb;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
public class MongoShop {

    /** Saves a document with a typed ID, blocking, and one reactively. */
    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(MongoShop.class, args)) {
            MongoOrderRepository orders = context.getBean(MongoOrderRepository.class);
            MongoOrder order = orders.save(new MongoOrder("Ada"));
            System.out.println("found " + orders.findById(order.id).isPresent());
            ReactiveMongoTicketRepository tickets = context.getBean(ReactiveMongoTicketRepository.class);
            System.out.println("saved "
                    + (tickets.save(new MongoTicket(null, "Hamlet")).block().id() > 0));
        }
    }
}
