package io.github.snowflakeid.startup.row.snowflake;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.startup.row.FirstRow;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** An application with JPA whose rows have Snowflake IDs. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class SnowflakeRowShop {

    /** A row. */
    @Entity
    static class Invoice {

        @Id
        @SnowflakeId
        Long id;
    }

    /** Saves rows. */
    interface Invoices extends JpaRepository<Invoice, Long> {}

    /** Starts, saves a row, reports the time, ends. */
    public static void main(String[] arguments) {
        FirstRow.run(SnowflakeRowShop.class, context -> {
            context.getBean(Invoices.class).save(new Invoice());
        });
    }
}
