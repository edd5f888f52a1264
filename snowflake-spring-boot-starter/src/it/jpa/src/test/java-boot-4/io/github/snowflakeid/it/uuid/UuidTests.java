package io.github.snowflakeid.it.uuid;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.UUID;
import org.hibernate.annotations.UuidGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

/** The entity of docs/comparison.md. */
@SpringBootTest(
        classes = UuidTests.Shop.class,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:uuid",
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.sql.init.mode=never"
        })
class UuidTests {

    @EnableAutoConfiguration
    static class Shop {}

    @Entity
    static class Purchase {

        @Id
        @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
        UUID id;
    }

    @Autowired
    private EntityManagerFactory factory;

    @Test
    void hibernateGeneratesVersion7() {
        try (EntityManager entities = factory.createEntityManager()) {
            Purchase first = new Purchase();
            Purchase second = new Purchase();
            entities.persist(first);
            entities.persist(second);

            assertThat(first.id.version()).isEqualTo(7);
            assertThat(second.id).isGreaterThan(first.id);
        }
    }
}
