package io.github.snowflakeid.it.mybatisplus;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.text.IdFormat;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.ibatis.annotations.Mapper;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@Transactional
class MyBatisPlusInsertTests {

    @Autowired
    private IdGenerator ids;

    @Autowired
    private IdLayout layout;

    @Autowired
    private MyBatisPlusPurchaseMapper purchases;

    @Autowired
    private PurchaseService service;

    @Autowired
    private MyBatisPlusTicketMapper tickets;

    @Autowired
    private ReceiptMapper receipts;

    @Autowired
    private TypedOrders orders;

    @Autowired
    private IdentifierGenerator identifiers;

    @Test
    void assignsIds() {
        long before = ids.nextId();
        MyBatisPlusPurchase purchase = new MyBatisPlusPurchase("Ada");

        purchases.insert(purchase);

        assertThat(purchase.getId()).isBetween(before + 1, ids.nextId() - 1);
        assertThat(purchases.selectById(purchase.getId()).getCustomer()).isEqualTo("Ada");
    }

    @Test
    void assignsIdsInBatches() {
        long before = ids.nextId();
        List<MyBatisPlusPurchase> batch = IntStream.range(0, 100)
                .mapToObj(i -> new MyBatisPlusPurchase("Ada"))
                .toList();

        service.saveBatch(batch);
        service.saveOrUpdate(new MyBatisPlusPurchase("Grace"));

        assertThat(batch)
                .extracting(MyBatisPlusPurchase::getId)
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(id -> id > before);
        assertThat(service.count()).isEqualTo(101);
    }

    @Test
    void assignsIdsInACollection() {
        List<MyBatisPlusPurchase> all = List.of(new MyBatisPlusPurchase("Ada"), new MyBatisPlusPurchase("Grace"));

        purchases.insert(all);

        assertThat(purchases.selectList(null))
                .extracting(MyBatisPlusPurchase::getId)
                .containsExactlyInAnyOrder(all.get(0).getId(), all.get(1).getId());
    }

    @Test
    void keepsAnIdThatIsSet() {
        MyBatisPlusPurchase purchase = new MyBatisPlusPurchase("Ada");
        purchase.setId(42L);

        purchases.insert(purchase);

        assertThat(purchases.selectById(42L)).isNotNull();
    }

    @Test
    void assignsIdsOfANamedGenerator() {
        MyBatisPlusTicket ticket = new MyBatisPlusTicket();

        tickets.insert(ticket);

        assertThat(IdFormat.CROCKFORD.parse(ticket.getNumber())).isBetween(1L, 1L << 53);
        assertThat(ticket.getSerial()).isGreaterThan(1L << 53);
        assertThat(tickets.selectById(ticket.getNumber()).getSerial()).isEqualTo(ticket.getSerial());
    }

    @Test
    void assignsIdsOfANamedGeneratorInACollection() {
        List<MyBatisPlusTicket> all = List.of(new MyBatisPlusTicket(), new MyBatisPlusTicket());

        tickets.insert(all);

        assertThat(tickets.selectList(null))
                .extracting(MyBatisPlusTicket::getSerial)
                .containsExactlyInAnyOrder(all.get(0).getSerial(), all.get(1).getSerial());
    }

    @Test
    void insertsFindsAndDeletesByATypedId() {
        TypedOrder order = new TypedOrder();
        TypedOrder other = new TypedOrder();

        orders.insert(List.of(order, other));

        assertThat(order.id.value()).isPositive();
        assertThat(orders.selectById(order.id).id).isEqualTo(order.id);
        assertThat(orders.selectByIds(List.of(order.id, other.id))).hasSize(2);
        assertThat(orders.deleteById(order.id)).isEqualTo(1);
        assertThat(orders.selectList(null)).extracting(left -> left.id).containsExactly(other.id);
    }

    @Test
    void leavesUuidsToMyBatisPlus() {
        Receipt receipt = new Receipt();

        receipts.insert(receipt);

        assertThat(receipt.getId()).matches("[0-9a-f]{32}");
    }

    @Test
    void idWorkerHasTheSameIds() {
        long before = ids.nextId();

        assertThat(IdWorker.getId()).isBetween(before + 1, ids.nextId() - 1);
        assertThat(Long.parseLong(IdWorker.getIdStr(new MyBatisPlusPurchase("Ada"))))
                .isBetween(before + 1, ids.nextId() - 1);
        assertThat(identifiers.nextId(new Object()).longValue()).isBetween(before + 1, ids.nextId() - 1);
    }

    @Test
    void idsSortAfterThoseOfMyBatisPlus() {
        long old = new DefaultIdentifierGenerator(30, 31).nextId(null);

        IdFields fields = layout.decode(old);

        assertThat(fields.workerId()).isEqualTo(30);
        assertThat(fields.datacenterId()).isEqualTo(31);
        // Within a millisecond, the new ID may be smaller.
        assertThat(ids.nextId() >> 22).isGreaterThanOrEqualTo(old >> 22);
    }

    /** MyBatis-Plus requires keys to be serializable. */
    record OrderId(long value) implements Serializable {}

    @TableName("typed_order")
    static class TypedOrder {

        @TableId
        @SnowflakeId
        OrderId id;

        String customer;

        public OrderId getId() {
            return id;
        }

        public void setId(OrderId id) {
            this.id = id;
        }
    }

    @Mapper
    interface TypedOrders extends BaseMapper<TypedOrder> {}
}
