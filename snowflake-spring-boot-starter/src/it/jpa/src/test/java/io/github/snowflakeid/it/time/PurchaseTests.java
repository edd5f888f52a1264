package io.github.snowflakeid.it.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.it.time.TimeShop.Purchase;
import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

/** The first test of docs/testing.md. */
@SpringBootTest
@AutoConfigureTestIds
@Transactional
class PurchaseTests {

    @Autowired
    private PurchaseRepository purchases;

    @Test
    void purchasesAreNumbered() {
        assertThat(purchases.save(new Purchase("Ada")).id).isEqualTo(1);
        assertThat(purchases.save(new Purchase("Bob")).id).isEqualTo(2);
    }
}
