package io.github.snowflakeid.it.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The examples of docs/json.md. */
@JsonTest(properties = "snowflake.json.ids-as-strings=true")
class JsonPageTests {

    record Order(
            @IdAsString long id,
            @IdAsString List<Long> lines,
            @IdAsString long[] invoices) {}

    @IdAsString
    record CustomerId(long value) implements Serializable {}

    record Invoice(CustomerId customer) {}

    static class Ticket {

        @SnowflakeId
        public Long id = 1541815603606036481L;

        @SnowflakeId("tickets")
        @JsonFormat(shape = JsonFormat.Shape.NUMBER)
        Long ticket;
    }

    static class OrderController {

        @GetMapping("/orders/{id}")
        String order(@PathVariable @IdAsString long id) {
            return "order " + id;
        }
    }

    @Autowired
    private JacksonTester<Order> orders;

    @Autowired
    private JacksonTester<Invoice> invoices;

    @Autowired
    private JacksonTester<Ticket> tickets;

    @Test
    void idsAreWrittenAsStrings() throws Exception {
        Order order = new Order(1541815603606036481L, List.of(1541815603606036482L), new long[] {
            1541815603606036483L, 1541815603606036484L
        });

        assertThat(orders.write(order)).isStrictlyEqualToJson("""
                {"id": "1541815603606036481", "lines": ["1541815603606036482"], "invoices": ["1541815603606036483", "1541815603606036484"]}""");
    }

    @Test
    void typeThatWrapsAnIdIsThatId() throws Exception {
        assertThat(invoices.write(new Invoice(new CustomerId(1541815603606036481L))))
                .isStrictlyEqualToJson("""
                {"customer": "1541815603606036481"}""");
    }

    @Test
    void annotationOfJacksonHasPrecedence() throws Exception {
        Ticket ticket = new Ticket();
        ticket.ticket = 7L;

        assertThat(tickets.write(ticket)).isStrictlyEqualToJson("""
                {"id": "1541815603606036481", "ticket": 7}""");
    }
}
