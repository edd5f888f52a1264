package io.github.snowflakeid.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.repository.ListCrudRepository;

/** The typed IDs of docs/spring-data.md. */
@SpringBootTest(
        classes = SpringDataPageTests.Shop.class,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:page-typed",
            "spring.sql.init.schema-locations=classpath:page.sql"
        })
class TypedIdPageTests {

    record TicketId(Long value) implements Serializable {}

    record Ticket(@Id @SnowflakeId TicketId id, TicketId replaces, String title) {}

    interface Tickets extends ListCrudRepository<Ticket, TicketId> {

        List<Ticket> findByReplaces(TicketId id);
    }

    @Autowired
    private Tickets tickets;

    @Test
    void rowIsFoundByItsIdAndByAForeignKey() {
        Ticket first = tickets.save(new Ticket(null, null, "Hamlet"));
        Ticket second = tickets.save(new Ticket(null, first.id(), "Macbeth"));

        assertThat(tickets.findById(first.id())).contains(first);
        assertThat(tickets.findByReplaces(first.id())).containsExactly(second);
    }
}
