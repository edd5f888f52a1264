package io.github.snowflakeid.it.startup;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jpa.repository.JpaRepository;

/** A small, ordinary application that reports its beans of this library and exits as soon as it has started. */
@SpringBootApplication
public class StartupShop {

    /** Followed by the number of beans. */
    static final String STARTED = "started with beans: ";

    public static void main(String[] arguments) {
        ConfigurableApplicationContext context = SpringApplication.run(StartupShop.class, arguments);
        System.out.println(STARTED
                + Arrays.stream(context.getBeanFactory().getSingletonNames())
                        .filter(bean -> bean.startsWith("snowflake.")
                                || (bean.contains("io.github.snowflakeid.") && !bean.contains(".it.")))
                        .count());
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
