package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.test.autoconfigure.MybatisTest;
import org.springframework.beans.factory.annotation.Autowired;

@MybatisTest
class SliceTests {

    @Autowired
    private PurchaseMapper purchases;

    @Test
    void fillsWhatIsInserted() {
        Purchase purchase = new Purchase("Ada");

        purchases.insert(purchase);

        assertThat(purchases.findAll()).extracting(Purchase::getId).containsExactly(purchase.getId());
    }
}
