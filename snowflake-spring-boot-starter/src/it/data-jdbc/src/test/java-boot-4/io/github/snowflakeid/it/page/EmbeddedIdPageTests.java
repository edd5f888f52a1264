package io.github.snowflakeid.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Embedded.OnEmpty;
import org.springframework.data.repository.ListCrudRepository;

/** The embedded IDs of docs/spring-data.md. */
@SpringBootTest(
        classes = SpringDataPageTests.Shop.class,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:page-embedded",
            "spring.sql.init.schema-locations=classpath:page-embedded.sql"
        })
class EmbeddedIdPageTests {

    @SnowflakeId
    record OrderId(Long value) {}

    record Order(@Id @Embedded(onEmpty = OnEmpty.USE_NULL) OrderId id, String customer) {}

    interface Orders extends ListCrudRepository<Order, OrderId> {}

    record InvoiceId(String tenant, @SnowflakeId Long number) {}

    record Invoice(@Id @Embedded(onEmpty = OnEmpty.USE_NULL) InvoiceId id, int amount) {}

    @Autowired
    private Orders orders;

    @Autowired
    private JdbcAggregateTemplate jdbcAggregateTemplate;

    @Test
    void embeddedIdIsSet() {
        Order saved = orders.save(new Order(null, "Ada"));

        assertThat(orders.findById(saved.id())).contains(saved);
    }

    @Test
    void otherAttributesOfAnEmbeddedIdAreKept() {
        Invoice inserted = jdbcAggregateTemplate.insert(new Invoice(new InvoiceId("acme", null), 3));

        assertThat(inserted.id().tenant()).isEqualTo("acme");
        assertThat(inserted.id().number()).isPositive();
    }
}
