package io.github.snowflakeid.it.jooq;

import static io.github.snowflakeid.it.jooq.PurchaseTable.PURCHASE;

import io.github.snowflakeid.IdGenerator;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.springframework.stereotype.Repository;

@Repository
public class JooqPurchases {

    private final DSLContext jooq;
    private final IdGenerator ids;

    JooqPurchases(DSLContext jooq, IdGenerator ids) {
        this.jooq = jooq;
        this.ids = ids;
    }

    public long insert(String customer) {
        long id = ids.nextId();
        jooq.insertInto(PURCHASE)
                .set(PURCHASE.ID, id)
                .set(PURCHASE.CUSTOMER, customer)
                .execute();
        return id;
    }

    public List<Long> insertAll(List<String> customers) {
        long[] newIds = ids.nextIds(customers.size());
        var insert = jooq.insertInto(PURCHASE, PURCHASE.ID, PURCHASE.CUSTOMER);
        List<Long> inserted = new ArrayList<>();
        for (int i = 0; i < newIds.length; i++) {
            insert = insert.values(newIds[i], customers.get(i));
            inserted.add(newIds[i]);
        }
        insert.execute();
        return inserted;
    }

    public long store(String customer) {
        PurchaseRecord purchase = record(customer);
        purchase.store();
        return purchase.getId();
    }

    public List<Long> storeAll(List<String> customers) {
        List<PurchaseRecord> purchases = customers.stream().map(this::record).toList();
        jooq.batchInsert(purchases).execute();
        return purchases.stream().map(PurchaseRecord::getId).toList();
    }

    private PurchaseRecord record(String customer) {
        PurchaseRecord purchase = jooq.newRecord(PURCHASE);
        purchase.setCustomer(customer);
        return purchase;
    }
}
