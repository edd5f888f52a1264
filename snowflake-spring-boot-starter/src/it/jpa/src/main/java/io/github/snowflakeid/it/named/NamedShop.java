package io.github.snowflakeid.it.named;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with an unnamed generator and two named ones, each with another layout. */
@SpringBootApplication
public class NamedShop {

    /** Returns the properties of an application that leases three worker IDs in a database. */
    static String[] leasing(String url, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=sa",
                "--spring.jpa.hibernate.ddl-auto=update",
                "--snowflake.worker.id=",
                "--snowflake.worker.jdbc.initialize-schema=always",
                "--snowflake.generators.orders.tick=10ms",
                "--snowflake.generators.tickets.layout=javascript-safe"));
        arguments.addAll(List.of(more));
        return arguments.toArray(new String[0]);
    }

    static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(NamedShop.class)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }

    /** Saves rows until its input ends, then shuts down. */
    public static void main(String[] arguments) throws Exception {
        SpringApplication application = new SpringApplication(NamedShop.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
            save(factory, 10);
            System.out.println("saves");
            while (System.in.available() == 0) {
                save(factory, 10);
            }
        }
        System.out.println("stopped");
    }

    static List<Order> save(EntityManagerFactory factory, int count) {
        List<Order> saved = new ArrayList<>();
        EntityManager entities = factory.createEntityManager();
        entities.getTransaction().begin();
        for (int i = 0; i < count; i++) {
            Order order = new Order();
            entities.persist(order);
            entities.persist(new Customer());
            saved.add(order);
        }
        entities.getTransaction().commit();
        entities.close();
        return saved;
    }

    /** Has IDs of the unnamed generator. */
    @Entity(name = "Customers")
    public static class Customer {

        @Id
        @SnowflakeId
        public Long id;
    }

    /** Has IDs of two named generators. */
    @Entity(name = "Orders")
    public static class Order {

        @Id
        @SnowflakeId("orders")
        public Long id;

        @SnowflakeId("tickets")
        public long ticket;
    }
}
