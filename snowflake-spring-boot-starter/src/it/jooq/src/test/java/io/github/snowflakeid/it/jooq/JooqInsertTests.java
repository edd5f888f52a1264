package io.github.snowflakeid.it.jooq;

import static io.github.snowflakeid.it.jooq.PurchaseTable.PURCHASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@Transactional
class JooqInsertTests {

    private static final List<String> CUSTOMERS = List.of("Ada", "Grace", "Edsger");

    @Autowired
    private JooqPurchases jooqPurchases;

    @Autowired
    private JdbcPurchases jdbcPurchases;

    @Autowired
    private DSLContext jooq;

    @Test
    void insertsWithJooq() {
        long id = jooqPurchases.insert("Ada");

        assertThat(jdbcPurchases.findAll()).containsExactly(id);
        assertThat(id).isPositive();
    }

    record PurchaseId(long value) {}

    /** The converter of docs/typed-ids.md. */
    @Test
    void readsAndComparesATypedId() {
        long id = jooqPurchases.insert("Ada");
        Converter<Long, PurchaseId> converter =
                Converter.ofNullable(Long.class, PurchaseId.class, PurchaseId::new, PurchaseId::value);
        Field<PurchaseId> typed = PURCHASE.ID.convert(converter);

        assertThat(jooq.select(typed)
                        .from(PURCHASE)
                        .where(typed.eq(new PurchaseId(id)))
                        .fetch(typed))
                .containsExactly(new PurchaseId(id));
    }

    @Test
    void insertsManyWithJooq() {
        List<Long> ids = jooqPurchases.insertAll(CUSTOMERS);

        assertThat(jdbcPurchases.findAll()).containsExactlyElementsOf(ids).hasSize(3);
    }

    @Test
    void storesARecord() {
        long id = jooqPurchases.store("Ada");

        assertThat(jdbcPurchases.findAll()).containsExactly(id);
    }

    @Test
    void storesManyRecords() {
        List<Long> ids = jooqPurchases.storeAll(CUSTOMERS);

        assertThat(jdbcPurchases.findAll()).containsExactlyElementsOf(ids).hasSize(3);
    }

    @Test
    void storesANewRecord() {
        PurchaseRecord purchase = jooq.newRecord(PURCHASE);
        purchase.setCustomer("Ada");
        purchase.store();

        assertThat(jdbcPurchases.findAll()).containsExactly(purchase.getId());
    }

    @Test
    void mergesRecords() {
        PurchaseRecord first = newPurchase();
        first.merge();
        PurchaseRecord second = newPurchase();
        jooq.batchMerge(second).execute();

        assertThat(jdbcPurchases.findAll()).containsExactly(first.getId(), second.getId());
    }

    /** jOOQ calls no listener for these statements. */
    @Test
    void leavesOtherStatementsWithRecordsToTheApplication() {
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> jooq.executeInsert(newPurchase()))
                .withMessageContaining("NULL not allowed");
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> jooq.insertInto(PURCHASE).set(newPurchase()).execute())
                .withMessageContaining("NULL not allowed");
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> jooq.loadInto(PURCHASE)
                        .loadRecords(newPurchase())
                        .fieldsCorresponding()
                        .execute())
                .withMessageContaining("NULL not allowed");

        assertThat(jdbcPurchases.findAll()).isEmpty();
    }

    private PurchaseRecord newPurchase() {
        PurchaseRecord purchase = jooq.newRecord(PURCHASE);
        purchase.setCustomer("Ada");
        return purchase;
    }

    @Test
    void keepsTheIdOfARecord() {
        PurchaseRecord purchase = jooq.newRecord(PURCHASE);
        purchase.setId(42L);

        purchase.store();

        assertThat(jdbcPurchases.findAll()).containsExactly(42L);
    }

    @Test
    void insertsWithJdbcClient() {
        long id = jdbcPurchases.insert("Ada");

        assertThat(jdbcPurchases.findAll()).containsExactly(id);
    }

    @Test
    void insertsManyWithJdbcTemplate() {
        List<Long> ids = jdbcPurchases.insertAll(CUSTOMERS);

        assertThat(jdbcPurchases.findAll()).containsExactlyElementsOf(ids).hasSize(3);
    }
}
