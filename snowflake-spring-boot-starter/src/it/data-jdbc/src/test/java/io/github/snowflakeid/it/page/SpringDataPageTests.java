package io.github.snowflakeid.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.repository.ListCrudRepository;

/** The code of docs/spring-data.md. */
@SpringBootTest(
        classes = SpringDataPageTests.Shop.class,
        properties = {"spring.datasource.url=jdbc:h2:mem:page", "spring.sql.init.schema-locations=classpath:page.sql"})
class SpringDataPageTests {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableJdbcRepositories(basePackageClasses = Shop.class, considerNestedRepositories = true)
    static class Shop {}

    record Ticket(@Id @SnowflakeId Long id, String title) {}

    interface Tickets extends ListCrudRepository<Ticket, Long> {}

    static class Order {

        @Id
        @SnowflakeId
        Long id;

        Set<Line> lines;
        List<Note> notes;

        record Line(@Id @SnowflakeId Long id, String product) {}

        record Note(@Id @SnowflakeId Long id, String text) {}
    }

    @Autowired
    private Tickets tickets;

    @Autowired
    private IdGenerator ids;

    @Autowired
    private JdbcAggregateTemplate jdbcAggregateTemplate;

    @Test
    void rowIsInsertedWithAnId() {
        Ticket saved = tickets.save(new Ticket(null, "Hamlet"));

        assertThat(tickets.findById(saved.id())).contains(saved);
    }

    @Test
    void everyLevelOfAnAggregateGetsIds() {
        Order order = new Order();
        order.lines = Set.of(new Order.Line(null, "tea"), new Order.Line(null, "cups"));
        order.notes = List.of(new Order.Note(null, "ring twice"));

        Order saved = jdbcAggregateTemplate.save(order);

        assertThat(saved.id).isPositive();
        assertThat(saved.lines).extracting(Order.Line::id).doesNotContainNull().hasSize(2);
        assertThat(saved.notes).extracting(Order.Note::id).doesNotContainNull().hasSize(1);
    }

    @Test
    void saveWithAnIdThatWasSetByHandIsAnError() {
        Throwable thrown = catchThrowable(() -> {
            tickets.save(new Ticket(ids.nextId(), "Hamlet"));
        });

        assertThat(NestedExceptionUtils.getMostSpecificCause(thrown))
                .isInstanceOf(IncorrectUpdateSemanticsDataAccessException.class);
    }

    @Test
    void insertKeepsAnId() {
        jdbcAggregateTemplate.insert(new Ticket(4711L, "imported"));

        assertThat(tickets.findById(4711L)).isPresent();
    }
}
