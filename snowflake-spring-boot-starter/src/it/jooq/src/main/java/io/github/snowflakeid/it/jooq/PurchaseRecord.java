package io.github.snowflakeid.it.jooq;

import org.jooq.impl.UpdatableRecordImpl;

/** Like code that jOOQ generates. */
public class PurchaseRecord extends UpdatableRecordImpl<PurchaseRecord> {

    private static final long serialVersionUID = 1L;

    public PurchaseRecord() {
        super(PurchaseTable.PURCHASE);
    }

    public Long getId() {
        return get(PurchaseTable.PURCHASE.ID);
    }

    public void setId(Long id) {
        set(PurchaseTable.PURCHASE.ID, id);
    }

    public void setCustomer(String customer) {
        set(PurchaseTable.PURCHASE.CUSTOMER, customer);
    }
}
