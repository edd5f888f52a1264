package io.github.snowflakeid.it.jooq;

import org.jooq.Name;
import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.DSL;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** Like code that jOOQ generates. */
public class PurchaseTable extends TableImpl<PurchaseRecord> {

    public static final PurchaseTable PURCHASE = new PurchaseTable(DSL.name("PURCHASE"));

    private static final long serialVersionUID = 1L;

    public final transient TableField<PurchaseRecord, Long> ID =
            createField(DSL.name("ID"), SQLDataType.BIGINT.nullable(false), this);

    public final transient TableField<PurchaseRecord, String> CUSTOMER =
            createField(DSL.name("CUSTOMER"), SQLDataType.VARCHAR(100), this);

    private PurchaseTable(Name name) {
        super(name);
    }

    @Override
    public Class<PurchaseRecord> getRecordType() {
        return PurchaseRecord.class;
    }

    @Override
    public UniqueKey<PurchaseRecord> getPrimaryKey() {
        return Internal.createUniqueKey(this, DSL.name("PURCHASE_KEY"), ID);
    }
}
