package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@Transactional
class InsertTests {

    @Autowired
    private IdGenerator ids;

    @Autowired
    private IdLayout layout;

    @Autowired
    private PurchaseMapper purchases;

    @Autowired
    private Purchases service;

    @Autowired
    private TicketMapper tickets;

    @Autowired
    private ReceiptMapper receipts;

    @Autowired
    private IdentifierGenerator identifiers;

    @Test
    void assignsIds() {
        long before = ids.nextId();
        Purchase purchase = new Purchase("Ada");

        purchases.insert(purchase);

        assertThat(purchase.getId()).isBetween(before + 1, ids.nextId() - 1);
        assertThat(purchases.selectById(purchase.getId()).getCustomer()).isEqualTo("Ada");
    }

    @Test
    void assignsIdsInBatches() {
        long before = ids.nextId();
        List<Purchase> batch =
                IntStream.range(0, 100).mapToObj(i -> new Purchase("Ada")).toList();

        service.saveBatch(batch);
        service.saveOrUpdate(new Purchase("Grace"));

        assertThat(batch)
                .extracting(Purchase::getId)
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(id -> id > before);
        assertThat(service.count()).isEqualTo(101);
    }

    @Test
    void assignsIdsInACollection() {
        List<Purchase> all = List.of(new Purchase("Ada"), new Purchase("Grace"));

        purchases.insert(all);

        assertThat(purchases.selectList(null))
                .extracting(Purchase::getId)
                .containsExactlyInAnyOrder(all.get(0).getId(), all.get(1).getId());
    }

    @Test
    void keepsAnIdThatIsSet() {
        Purchase purchase = new Purchase("Ada");
        purchase.setId(42L);

        purchases.insert(purchase);

        assertThat(purchases.selectById(42L)).isNotNull();
    }

    @Test
    void assignsIdsOfANamedGenerator() {
        Ticket ticket = new Ticket();

        tickets.insert(ticket);

        assertThat(Long.parseLong(ticket.getNumber())).isBetween(1L, 1L << 53);
        assertThat(ticket.getSerial()).isGreaterThan(1L << 53);
        assertThat(tickets.selectById(ticket.getNumber()).getSerial()).isEqualTo(ticket.getSerial());
    }

    @Test
    void assignsIdsOfANamedGeneratorInACollection() {
        List<Ticket> all = List.of(new Ticket(), new Ticket());

        tickets.insert(all);

        assertThat(tickets.selectList(null))
                .extracting(Ticket::getSerial)
                .containsExactlyInAnyOrder(all.get(0).getSerial(), all.get(1).getSerial());
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
        assertThat(Long.parseLong(IdWorker.getIdStr(new Purchase("Ada")))).isBetween(before + 1, ids.nextId() - 1);
        assertThat(identifiers.nextId(new Object()).longValue()).isBetween(before + 1, ids.nextId() - 1);
    }

    @Test
    void idsSortAfterThoseOfMyBatisPlus() {
        long old = new DefaultIdentifierGenerator(30, 31).nextId(null);

        IdFields fields = layout.decode(old);

        assertThat(fields.workerId()).isEqualTo(30);
        assertThat(fields.datacenterId()).isEqualTo(31);
        // Within a millisecond they may not.
        assertThat(ids.nextId() >> 22).isGreaterThanOrEqualTo(old >> 22);
    }
}
