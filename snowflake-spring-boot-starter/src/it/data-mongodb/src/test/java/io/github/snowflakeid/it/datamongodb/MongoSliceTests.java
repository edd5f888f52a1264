package io.github.snowflakeid.it.datamongodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ContextConfiguration;

@DataMongoSlice
@AutoConfigureTestIds
@ContextConfiguration(initializers = MongoServer.class)
class MongoSliceTests {

    @Autowired
    private MongoTicketRepository tickets;

    @Autowired
    private MongoOrderRepository orders;

    @RepeatedTest(2)
    void documentsHaveTheSameIdsInEachTest() {
        tickets.deleteAll();
        orders.deleteAll();

        assertThat(tickets.save(new MongoTicket(null, "first")).id()).isEqualTo(1);
        assertThat(orders.save(new MongoOrder("Ada")).id).isEqualTo(new MongoOrderId(2));
    }
}
