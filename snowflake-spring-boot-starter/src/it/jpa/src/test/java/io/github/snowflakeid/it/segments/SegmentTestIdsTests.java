package io.github.snowflakeid.it.segments;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.it.segments.SegmentShop.Invoice;
import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

/** Sequential numbers of named generators are predictable in tests, also in attributes that are an Integer. */
@SpringBootTest(
        classes = SegmentShop.class,
        properties = {
            "spring.jpa.hibernate.ddl-auto=create",
            "snowflake.worker.id=",
            "snowflake.generators.invoices.type=segment",
            "snowflake.generators.tickets.type=segment"
        })
@AutoConfigureTestIds
@Transactional
class SegmentTestIdsTests {

    @Autowired
    private EntityManager entities;

    @RepeatedTest(2)
    void idsAndNumbersAreTheSameInEachTest() {
        Invoice invoice = new Invoice();
        entities.persist(invoice);
        entities.flush();

        assertThat(invoice.id).isEqualTo(1);
        assertThat(invoice.number).isEqualTo(1);
        assertThat(invoice.ticket).isEqualTo("1");
    }
}
