package io.github.snowflakeid.it;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
public class Shop {

    /** Saves as many tickets as the property {@code tickets} says, with eight threads, and prints the id of each that is saved. */
    public static void main(String[] args) throws InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
            Tickets tickets = context.getBean(Tickets.class);
            int each = context.getEnvironment().getProperty("tickets", Integer.class, 0) / 8;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Thread thread = new Thread(() -> {
                    for (int saved = 0; saved < each; saved++) {
                        System.out.println("saved "
                                + tickets.save(new Ticket(null, "seat")).id());
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
