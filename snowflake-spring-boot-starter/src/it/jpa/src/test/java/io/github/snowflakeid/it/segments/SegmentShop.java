package io.github.snowflakeid.it.segments;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with Snowflake IDs and with sequential numbers of two counters. */
@SpringBootApplication
public class SegmentShop {

    /** Option that sets the last number of invoices; by default the greatest that an Integer holds. */
    static final String END = "--snowflake.generators.invoices.segment.max-value=";

    static ConfigurableApplicationContext start(String database, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1",
                "--spring.jpa.hibernate.ddl-auto=update",
                "--snowflake.generators.invoices.type=segment",
                "--snowflake.generators.tickets.type=segment",
                "--snowflake.generators.tickets.segment.initial-value=1000"));
        arguments.addAll(List.of(more));
        if (arguments.stream().noneMatch(argument -> argument.startsWith(END))) {
            arguments.add(END + Integer.MAX_VALUE);
        }
        return new SpringApplicationBuilder(SegmentShop.class)
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(new String[0]));
    }

    static List<Invoice> save(ConfigurableApplicationContext context, int count) {
        List<Invoice> saved = new ArrayList<>();
        EntityManager entities = context.getBean(EntityManagerFactory.class).createEntityManager();
        entities.getTransaction().begin();
        for (int i = 0; i < count; i++) {
            Invoice invoice = new Invoice();
            entities.persist(invoice);
            entities.persist(new Ticket());
            saved.add(invoice);
        }
        entities.getTransaction().commit();
        entities.close();
        return saved;
    }

    /** Has a number for people, and an ID for machines. */
    @Entity(name = "invoices")
    static class Invoice {

        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId("invoices")
        Integer number;

        @SnowflakeId("tickets")
        String ticket;
    }

    /** Has a sequential number as its ID. */
    @Entity(name = "tickets")
    static class Ticket {

        @Id
        @SnowflakeId("invoices")
        int id;

        @SnowflakeId("tickets")
        long number;
    }
}
