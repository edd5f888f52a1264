package io.github.snowflakeid.it.jooq;

import static io.github.snowflakeid.it.jooq.PurchaseTable.PURCHASE;
import static org.assertj.core.api.Assertions.assertThat;

import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

@JooqSlice
@Import(JooqPurchases.class)
class JooqSliceTests {

    @Autowired
    private JooqPurchases purchases;

    @Autowired
    private DSLContext jooq;

    @Test
    void hasAGenerator() {
        long id = purchases.insert("Ada");

        assertThat(jooq.fetchExists(PURCHASE, PURCHASE.ID.eq(id))).isTrue();
    }
}
