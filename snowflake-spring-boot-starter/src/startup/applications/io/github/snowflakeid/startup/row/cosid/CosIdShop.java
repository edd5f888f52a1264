package io.github.snowflakeid.startup.row.cosid;

import io.github.snowflakeid.startup.row.FirstRow;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import me.ahoo.cosid.provider.IdGeneratorProvider;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.domain.Persistable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** An application with JPA whose rows have IDs of CosId, which has no adapter for JPA. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class CosIdShop {

    /** A row. Without {@link Persistable}, Spring Data would look for a row with its ID first. */
    @Entity
    static class Invoice implements Persistable<Long> {

        @Id
        Long id;

        @Override
        public Long getId() {
            return id;
        }

        @Override
        public boolean isNew() {
            return true;
        }
    }

    /** Saves rows. */
    interface Invoices extends JpaRepository<Invoice, Long> {}

    /** Starts, saves a row, reports the time, ends. */
    public static void main(String[] arguments) {
        FirstRow.run(CosIdShop.class, context -> {
            Invoice invoice = new Invoice();
            invoice.id = context.getBean(IdGeneratorProvider.class).getShare().generate();
            context.getBean(Invoices.class).save(invoice);
        });
    }
}
