package io.github.snowflakeid.several;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.annotation.Transactional;

/** Checks the blocks of docs/layouts.md about several generators. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "spring.datasource.generate-unique-name=true",
            "spring.jpa.hibernate.ddl-auto=create",
            "snowflake.public-ids.keys=",
            "snowflake.generators.orders.epoch=2026-01-01T00:00:00Z",
            "snowflake.generators.tickets.layout=javascript-safe"
        })
class SeveralGeneratorsTests {

    private static final IdLayout ORDERS = IdLayout.DEFAULT.toBuilder()
            .epoch(Instant.parse("2026-01-01T00:00:00Z"))
            .build();

    @Autowired
    private ApplicationContext context;

    @Autowired
    private EntityManager entities;

    @Autowired
    private Checkout checkout;

    @Test
    @Transactional
    void entitiesAndBeansHaveIdsOfTheGeneratorTheyName() {
        Purchase purchase = new Purchase();
        entities.persist(purchase);
        entities.flush();

        assertThat(ORDERS.decode(purchase.id).timestamp())
                .isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(IdLayout.JAVASCRIPT_SAFE.decode(purchase.ticket).timestamp())
                .isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(checkout.next()).isGreaterThan(purchase.id);
        assertThat(context.getBeansOfType(IdGenerator.class)).hasSize(3);
        assertThat(context.getBean(IdGenerator.class).nextId()).isGreaterThan(checkout.next());
    }
}
