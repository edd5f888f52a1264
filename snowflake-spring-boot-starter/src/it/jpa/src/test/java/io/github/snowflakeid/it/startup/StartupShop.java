package io.github.snowflakeid.it.startup;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.jpa.repository.JpaRepository;

/** A small, ordinary application that exits as soon as it has started. */
@SpringBootApplication
public class StartupShop {

    public static void main(String[] arguments) {
        SpringApplication.run(StartupShop.class, arguments);
        System.out.println("started");
        // Only startup is measured, not shutdown.
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
