package io.github.snowflakeid.started;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.jpa.repository.JpaRepository;

/** A small application as people have it, which starts and ends at once. */
@SpringBootApplication
public class StartedShop {

    public static void main(String[] arguments) {
        SpringApplication.run(StartedShop.class, arguments);
        System.out.println("started");
        // What it takes to stop is not asked.
        Runtime.getRuntime().halt(0);
    }

    /** An order. */
    @Entity(name = "PurchaseOrder")
    static class Order {

        @Id
        @SnowflakeId
        Long id;

        String customer;
    }

    /** A line of an order. */
    @Entity(name = "OrderLine")
    static class Line {

        @Id
        @SnowflakeId
        Long id;

        @ManyToOne
        Order order;
    }

    /** Orders. */
    interface Orders extends JpaRepository<Order, Long> {}
}
