package io.github.snowflakeid.it.mybatisflex;

import static org.assertj.core.api.Assertions.assertThat;

import com.mybatisflex.annotation.KeyType;
import com.mybatisflex.core.keygen.KeyGeneratorFactory;
import com.mybatisflex.core.keygen.KeyGenerators;
import com.mybatisflex.core.keygen.impl.FlexIDKeyGenerator;
import com.mybatisflex.core.row.Db;
import com.mybatisflex.core.row.Row;
import com.mybatisflex.core.row.RowKey;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest(classes = {FlexShop.class, FlexFactory.class})
class FlexTests {

    @Autowired
    private FlexOrderMapper orders;

    @Autowired
    private FlexTicketMapper tickets;

    @Autowired
    private FlexVisitMapper visits;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private SnowflakeIdGenerator ids;

    @Autowired
    @Qualifier("numbers")
    private SnowflakeIdGenerator numbers;

    private void assertIsOurs(long id) {
        assertThat(IdLayout.DEFAULT.decode(id).workerId())
                .isEqualTo(ids.lease().orElseThrow().workerId());
    }

    @Test
    void namedKeyGeneratorSetsIds() {
        FlexOrder order = new FlexOrder(null, "Ada");
        orders.insert(order);

        assertIsOurs(order.getId());
        assertThat(order.insertions()).isEqualTo(1);
        assertThat(orders.selectOneById(order.getId()).getCustomer()).isEqualTo("Ada");
    }

    @Test
    void allWaysToInsertSetIds() {
        List<FlexOrder> all = List.of(new FlexOrder(null, "a"), new FlexOrder(null, "b"), new FlexOrder(null, "c"));
        orders.insertBatch(all.subList(0, 2));
        orders.insertSelective(all.get(2));
        FlexOrder saved = new FlexOrder(null, "d");
        orders.insertOrUpdate(saved);

        assertThat(all).extracting(FlexOrder::getId).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(saved.getId()).isPositive();
        assertThat(orders.selectListByIds(all.stream().map(FlexOrder::getId).toList()))
                .hasSize(3);
        Row row = Row.ofKey(RowKey.of("id", KeyType.Generator, "snowflake")).set("customer", "row");
        Db.insert("orders", row);
        assertIsOurs(jdbc.queryForObject("select id from orders where customer = 'row'", Long.class));
    }

    @Test
    void idsThatAreSetAreKept() {
        orders.insert(new FlexOrder(4711L, "imported"));

        assertThat(orders.selectOneById(4711L)).isNotNull();
    }

    @Test
    void annotationSetsTypedIdsAndOtherColumns() {
        FlexTicket ticket = new FlexTicket();
        ticket.setTitle("Hamlet");
        tickets.insert(ticket);

        assertIsOurs(ticket.getId().value());
        assertThat(IdLayout.JAVASCRIPT_SAFE.decode(ticket.getNumber()).workerId())
                .isEqualTo(numbers.lease().orElseThrow().workerId());
        FlexTicket found = tickets.selectOneById(ticket.getId());
        assertThat(found.getId()).isEqualTo(ticket.getId());
        assertThat(found.getNumber()).isEqualTo(ticket.getNumber());
        assertThat(tickets.selectListByIds(List.of(ticket.getId()))).hasSize(1);
    }

    @Test
    void annotationSetsPrimitivesWithoutAKeyGenerator() {
        FlexVisit visit = new FlexVisit();
        visit.setPage("home");
        visits.insert(visit);
        FlexVisit other = new FlexVisit();
        other.setPage("home");
        visits.insertSelective(other);
        FlexVisit third = new FlexVisit();
        visits.insertBatch(List.of(third));

        assertIsOurs(visit.getId());
        assertThat(visits.selectListByIds(List.of(visit.getId(), other.getId(), third.getId())))
                .hasSize(3);
    }

    @Test
    void otherKeyGeneratorsStay() {
        assertThat(KeyGeneratorFactory.getKeyGenerator(KeyGenerators.flexId)).isInstanceOf(FlexIDKeyGenerator.class);
    }

    @Test
    void flexIdIsReplacedOnRequest() {
        KeyGeneratorFactory.register(KeyGenerators.flexId, KeyGeneratorFactory.getKeyGenerator("snowflake"));
        try {
            Row row = Row.ofKey(RowKey.FLEX_ID).set("customer", "flex");
            Db.insert("orders", row);
            assertIsOurs(jdbc.queryForObject("select id from orders where customer = 'flex'", Long.class));
        } finally {
            KeyGeneratorFactory.register(KeyGenerators.flexId, new FlexIDKeyGenerator());
        }
    }
}
