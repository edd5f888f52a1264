package io.github.snowflakeid.it.datamongodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.test.context.ContextConfiguration;

@DataMongoSlice
@AutoConfigureTestIds
@ContextConfiguration(initializers = MongoServer.class)
class MongoSliceTests {

    @Autowired
    private MongoTicketRepository tickets;

    @Autowired
    private MongoOrderRepository orders;

    @Autowired
    private MongoTemplate template;

    @RepeatedTest(2)
    void documentsHaveTheSameIdsInEachTest() {
        tickets.deleteAll();
        orders.deleteAll();

        assertThat(tickets.save(new MongoTicket(null, "first")).id()).isEqualTo(1);
        assertThat(orders.save(new MongoOrder("Ada")).id).isEqualTo(new MongoOrderId(2));
    }

    record Numbered(@Id @SnowflakeId Integer id, Integer previous) {}

    @SnowflakeId
    record BigId(BigInteger value) {}

    @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
    record TextId(String value) {}

    record Big(@Id BigId id, List<TextId> texts) {}

    record Text(@Id TextId id, TextId previous) {}

    @Test
    void integersAndTypesOfOtherComponentsAreIds() {
        Numbered numbered = template.insert(new Numbered(null, null));
        assertThat(template.findById(numbered.id(), Numbered.class)).isEqualTo(numbered);

        Text text = template.insert(new Text(null, null));
        Text next = template.insert(new Text(null, text.id()));
        assertThat(text.id().value()).hasSize(13);
        assertThat(template.findById(text.id(), Text.class)).isEqualTo(text);
        assertThat(template.find(Query.query(Criteria.where("previous").is(text.id())), Text.class))
                .containsExactly(next);

        Big big = template.insert(new Big(null, List.of(text.id())));
        assertThat(template.findById(big.id(), Big.class)).isEqualTo(big);
        assertThat(template.find(Query.query(Criteria.where("id").in(big.id(), new BigId(BigInteger.TWO))), Big.class))
                .contains(big);
    }

    static class Invoice {

        @Id
        InvoiceId id;
    }

    record InvoiceId(String tenant, @SnowflakeId Long number) {}

    @Test
    void idMayBeAnObject() {
        Invoice invoice = new Invoice();
        invoice.id = new InvoiceId("acme", null);
        template.save(invoice);

        assertThat(invoice.id.number()).isPositive();
        assertThat(template.findById(invoice.id, Invoice.class).id).isEqualTo(invoice.id);
    }
}
