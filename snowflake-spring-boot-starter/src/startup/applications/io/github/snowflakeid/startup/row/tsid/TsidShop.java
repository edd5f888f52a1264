package io.github.snowflakeid.startup.row.tsid;

import io.github.snowflakeid.startup.row.FirstRow;
import io.hypersistence.utils.hibernate.id.Tsid;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** An application with JPA whose rows have TSIDs. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class TsidShop {

    /** A row. */
    @Entity
    static class Invoice {

        @Id
        @Tsid
        Long id;
    }

    /** Saves rows. */
    interface Invoices extends JpaRepository<Invoice, Long> {}

    /** Starts, saves a row, reports the time, ends. */
    public static void main(String[] arguments) {
        FirstRow.run(TsidShop.class, context -> {
            context.getBean(Invoices.class).save(new Invoice());
        });
    }
}
