package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/** Callbacks of the application run between the two callbacks that set IDs. */
@SpringBootTest
class CallbackTests {

    @Autowired
    private DataJdbcOrderRepository orders;

    @Autowired
    private DataJdbcTicketRepository tickets;

    @Test
    void seeTheIdAndAddObjectsThatGetOne() {
        DataJdbcOrder order = orders.save(new DataJdbcOrder("Ada"));

        assertThat(order.customer).isEqualTo("customer of " + order.id);
        assertThat(order.lines).extracting(line -> line.id).hasSize(1).doesNotContainNull();
        assertThat(orders.findById(order.id).orElseThrow().lines).isEqualTo(order.lines);
    }

    @Test
    void seeTheIdOfARecordUnlessTheyRunFirst() {
        DataJdbcTicket ticket = tickets.save(new DataJdbcTicket(null, "Hamlet"));

        assertThat(ticket.title()).isEqualTo("Hamlet, first null, then " + ticket.id());
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Callbacks {

        @Bean
        BeforeConvertCallback<DataJdbcOrder> addsALine() {
            return order -> {
                if (order.lines.isEmpty()) {
                    order.customer = "customer of " + order.id;
                    order.lines.add(new DataJdbcOrder.Line("tea"));
                }
                return order;
            };
        }

        @Bean
        BeforeConvertCallback<DataJdbcTicket> withoutOrder() {
            return ticket -> new DataJdbcTicket(ticket.id(), ticket.title() + ", then " + ticket.id());
        }

        @Bean
        First first() {
            return new First();
        }
    }

    static class First implements BeforeConvertCallback<DataJdbcTicket>, Ordered {

        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public DataJdbcTicket onBeforeConvert(DataJdbcTicket ticket) {
            return new DataJdbcTicket(ticket.id(), ticket.title() + ", first " + ticket.id());
        }
    }
}
