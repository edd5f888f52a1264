package io.github.snowflakeid.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.it.datamongodb.MongoServer;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;
import org.springframework.test.context.ContextConfiguration;

/** The code of docs/mongodb.md. */
@SpringBootTest(classes = MongoPageTests.Shop.class)
@ContextConfiguration(initializers = MongoServer.class)
class MongoPageTests {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableMongoRepositories(considerNestedRepositories = true)
    static class Shop {}

    @Document
    record Ticket(@Id @SnowflakeId Long id, String title) {}

    interface Tickets extends MongoRepository<Ticket, Long> {}

    @Document
    static class Order {

        @Id
        @SnowflakeId
        Long id;

        List<Line> lines;

        record Line(@Id @SnowflakeId Long id, String product) {}
    }

    @SnowflakeId
    record TicketId(Long value) implements Serializable {}

    @Document
    record TypedTicket(@Id TicketId id, TicketId replaces, String title) {}

    interface TypedTickets extends MongoRepository<TypedTicket, TicketId> {

        List<TypedTicket> findByReplaces(TicketId id);
    }

    @Autowired
    private Tickets tickets;

    @Autowired
    private TypedTickets typedTickets;

    @Autowired
    private MongoTemplate template;

    @Autowired
    private IdGenerator ids;

    @Test
    void savedTicketHasAnId() {
        Ticket saved = tickets.save(new Ticket(null, "Hamlet"));

        assertThat(saved.id()).isPositive();
        assertThat(tickets.findById(saved.id())).contains(saved);
    }

    @Test
    void linesHaveIds() {
        Order order = new Order();
        order.lines = List.of(new Order.Line(null, "tea"));
        template.insert(order);

        assertThat(template.findById(order.id, Order.class).lines.get(0).id()).isPositive();
    }

    @Test
    void upsertSaysTheId() {
        Query query = Query.query(Criteria.where("title").is("none"));
        template.upsert(query, new Update().set("title", "Macbeth").setOnInsert("id", ids.nextId()), Ticket.class);

        assertThat(template.findOne(Query.query(Criteria.where("title").is("Macbeth")), Ticket.class)
                        .id())
                .isPositive();
    }

    @Test
    void typedTicketIsFoundByItsIdAndByAReference() {
        TypedTicket first = typedTickets.save(new TypedTicket(null, null, "Hamlet"));
        TypedTicket second = typedTickets.save(new TypedTicket(null, first.id(), "Macbeth"));

        assertThat(typedTickets.findById(first.id())).contains(first);
        assertThat(typedTickets.findByReplaces(first.id())).containsExactly(second);
    }
}
